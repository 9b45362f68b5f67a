"""A rule that fired."""

from __future__ import annotations

from dataclasses import dataclass

from helm_sdk.rules.spec import Rule


@dataclass(frozen=True)
class Firing:
    """A rule fired at a step, on these streams of one process."""

    rule: Rule
    process: str
    attempt: int
    step: int | None
    time: float
    streams: tuple[str, ...]
    value: float | None  # of the first stream; None: no data

    @property
    def key(self) -> str:
        """The same for every program that evaluates the rule on this run."""
        return f"{self.rule.id}/{self.process}/{self.attempt}/{self.streams[0]}/{self.step}"
