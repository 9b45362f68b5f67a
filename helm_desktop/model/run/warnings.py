"""What is wrong with a run, or on the way to it, most pressing first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from helm_desktop.format import number, plural
from helm_desktop.model.run.disk_space import STREAM

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

Tone = Literal["bad", "warn"]
_NAMED = 3  # metrics that are told of one by one


@dataclass(frozen=True)
class RunWarning:
    """One sentence, and the metric and step to look at where there are such."""

    text: str
    tone: Tone = "warn"
    metric: str = ""
    step: int | None = None


def warnings_of(session: Session) -> tuple[RunWarning, ...]:
    """Return all warnings; those of what is lost or broken now come first."""
    found = [*_link(session), *_lost(session), *_not_finite(session), *_disk(session), *_missed(session)]
    return tuple(sorted(found, key=lambda one: one.tone != "bad"))


def _link(session: Session) -> Iterator[RunWarning]:
    if session.status.state.ended:
        return
    for link in session.connection.links.values():
        if link.state == "key refused":
            words = link.text or "key refused: this run does not trust this app's key"
            yield RunWarning(words, "bad")
        elif link.state not in {"attached", "ended"}:
            yield RunWarning(link.text or link.state)
    if session.connection.problem:
        yield RunWarning(session.connection.problem)


def _lost(session: Session) -> Iterator[RunWarning]:
    lost = session.processes.lost_points
    if lost:
        yield RunWarning(f"{plural(lost, 'point')} lost: the run's disk was full or too slow", "bad")


def _not_finite(session: Session) -> Iterator[RunWarning]:
    """Metrics that are so now, losses first; then those that were."""
    now: list[RunWarning] = []
    before: list[RunWarning] = []
    for name, odd in session.store.odd.items():
        if odd.goes_on:
            last = number(session.store.series[name].last_value)
            now.append(RunWarning(f"{name} is {last} since step {odd.since:,}", "bad", name, odd.since))
        else:
            are = "is" if odd.count == 1 else "are"
            words = f"{plural(odd.count, 'point')} of {name} {are} not finite, the last at step {odd.last:,}"
            before.append(RunWarning(words, "warn", name, odd.last))
    for found in (now, before):
        found.sort(key=lambda one: ("loss" not in one.metric, one.step or 0))
        yield from found[:_NAMED]
        if more := found[_NAMED:]:
            are = "is" if len(more) == 1 else "are"
            words = f"{plural(len(more), 'more metric')} {are} not finite"
            yield RunWarning(words, more[0].tone, more[0].metric)


def _disk(session: Session) -> Iterator[RunWarning]:
    message = None if session.status.state.ended else session.disk_space.warning()
    if message is not None:
        yield RunWarning(message[0], message[1], STREAM if STREAM in session.store.series else "")


def _missed(session: Session) -> Iterator[RunWarning]:
    losses = session.connection.losses
    if losses.missing:
        missed = plural(losses.missing, "batch", "batches")
        yield RunWarning(f"{missed} missed on the way here, {losses.repaired} fetched again")
    if losses.malformed:
        yield RunWarning(f"Left out what could not be read: {plural(losses.malformed, 'message')}")
