"""The warnings of a run, and of the connection to it, the most severe first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from helm_desktop.format import number, plural
from helm_desktop.model.run.disk_space import STREAM

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

Tone = Literal["bad", "warn"]
_NAMED = 3  # metrics that have a warning of their own; further ones are counted


@dataclass(frozen=True)
class RunWarning:
    """A warning: one sentence, its severity, and the metric and step that it is about, if any."""

    text: str
    tone: Tone = "warn"
    metric: str = ""
    step: int | None = None


def warnings_of(session: Session) -> tuple[RunWarning, ...]:
    """Return all warnings, those with the tone "bad" first."""
    found = [*_link(session), *_lost(session), *_not_finite(session), *_disk(session), *_missed(session)]
    return tuple(sorted(found, key=lambda one: one.tone != "bad"))


def _link(session: Session) -> Iterator[RunWarning]:
    if session.status.state.ended:
        return
    for link in session.connection.links.values():
        if link.state == "key refused":
            text = link.text or "The key was refused: this run does not trust the key of this app"
            yield RunWarning(text, "bad")
        elif link.state not in {"attached", "ended"}:
            yield RunWarning(link.text or link.state)
    if session.connection.problem:
        yield RunWarning(session.connection.problem)


def _lost(session: Session) -> Iterator[RunWarning]:
    lost = session.processes.lost_points
    if lost:
        yield RunWarning(f"{plural(lost, 'point')} lost: the run's disk was full or too slow", "bad")


def _not_finite(session: Session) -> Iterator[RunWarning]:
    """Yield warnings of metrics that are not finite now, losses first, then of those that were."""
    now: list[RunWarning] = []
    before: list[RunWarning] = []
    for name, points in session.store.non_finite.items():
        if points.ongoing:
            last = number(session.store.series[name].last_value)
            now.append(RunWarning(f"{name} is {last} since step {points.since:,}", "bad", name, points.since))
        else:
            are = "is" if points.count == 1 else "are"
            bad = f"{plural(points.count, 'point')} of {name}"
            text = f"{bad} {are} not finite, the last at step {points.last:,}"
            before.append(RunWarning(text, "warn", name, points.last))
    for found in (now, before):
        found.sort(key=lambda one: ("loss" not in one.metric, one.step or 0))
        yield from found[:_NAMED]
        if more := found[_NAMED:]:
            are = "is" if len(more) == 1 else "are"
            text = f"{plural(len(more), 'more metric')} {are} not finite"
            yield RunWarning(text, more[0].tone, more[0].metric)


def _disk(session: Session) -> Iterator[RunWarning]:
    message = None if session.status.state.ended else session.disk_space.warning()
    if message is not None:
        yield RunWarning(message[0], message[1], STREAM if STREAM in session.store.series else "")


def _missed(session: Session) -> Iterator[RunWarning]:
    losses = session.connection.losses
    if losses.missing:
        missed = plural(losses.missing, "batch", "batches")
        yield RunWarning(f"{missed} did not come live, {losses.repaired} fetched again")
    if losses.malformed:
        yield RunWarning(f"Messages that could not be read were left out: {losses.malformed:,}")
