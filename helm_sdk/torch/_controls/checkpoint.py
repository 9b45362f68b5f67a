"""checkpoint: save everything that a resume needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from helm_sdk.models import Applied, Capability, CommandContext
from helm_sdk.protocol.builders import boolean, field, record_schema, string
from helm_sdk.torch._controls.base import capability

Save = Callable[[str, bool, int | None], dict[str, Any]]  # (name, pin, step) -> what was saved


class CheckpointControl:
    """Saves at the trainer's safe point; the mark on the charts comes when the files are on disk."""

    unavailable = ""

    def __init__(self, save: Save, check: Callable[[], None]) -> None:
        self._save = save
        self._check = check

    @property
    def capability(self) -> Capability:
        """An optional name, and whether retention must leave it alone."""
        return capability(
            "checkpoint",
            input_schema=record_schema(
                field("name", string(), optional=True, help="absent: named by its step"),
                field("pin", boolean(), default=False, help="never retired"),
            ),
            button="Save now",
            help="Saves model, optimizer, schedule, scaler and random state.",
        )

    def prepare(self, value: Any, context: CommandContext) -> None:
        """Raise what hinders this rank, before every rank begins: a rank alone would wait for ever."""
        self._check()

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Save; a failure is this command's failure and training goes on."""
        given = value or {}
        return Applied(result=self._save(given.get("name") or "", bool(given.get("pin")), context.step))
