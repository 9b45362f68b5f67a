"""The sources of a run: the streams and controls of its processes, and the processes themselves."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from helm_desktop.format import number, plural
from helm_desktop.model.controls.labels import value_text

if TYPE_CHECKING:
    from helm_desktop.model.controls.control import Control
    from helm_desktop.model.run.session import Session
    from helm_desktop.model.run.updates import ProcessFacts
    from helm_desktop.model.series.segment import Segment
    from helm_desktop.model.series.series_model import Series

_LAST_ROWS = 64  # the spacing is computed from their steps
_MORE_ROWS = 1024  # the same, where those have one step or two


class StepSpacing(NamedTuple):
    """The number of steps between two logged steps, and whether it is always the same."""

    steps: float
    even: bool

    @property
    def text(self) -> str:
        """A text such as "every step", "every 10 steps" or "about every 2.5 steps"."""
        every = "every step" if self.steps == 1 else f"every {_count(self.steps)} steps"
        return every if self.even else f"about {every}"


class DeliveryCounts(NamedTuple):
    """The number of batches of a process that did not come live, and of those that were repaired."""

    missing: int
    repaired: int


@dataclass
class RunSituation:
    """Values for all rows: the time now by the clock of the run, and by process what was lost."""

    now: float | None = None
    lost: dict[str, int] = field(default_factory=dict)  # points that the process lost
    deliveries: dict[str, DeliveryCounts] = field(default_factory=dict)


class StreamSource:
    """One stream of one process, over all attempts."""

    __slots__ = ("_known", "_spacing", "_spacing_points", "name", "process", "segments", "series")

    def __init__(
        self, series: Series, process: str, segments: Sequence[Segment], known: RunSituation
    ) -> None:
        self.series = series
        self.name = series.name
        self.process = process
        self.segments = segments  # oldest attempt first
        self._known = known
        self._spacing_points = 0  # the number of points when the spacing was computed
        self._spacing: StepSpacing | None = None

    @property
    def id(self) -> tuple[str, str]:
        """The key of the row, which never changes."""
        return self.name, self.process

    @property
    def points(self) -> int:
        """The number of all points, with repeated steps and older attempts."""
        return sum(segment.count for segment in self.segments)

    @property
    def _last(self) -> Segment | None:
        return next((segment for segment in reversed(self.segments) if segment.count), None)

    @property
    def last_step(self) -> int | None:
        """The step of the last point; None without points."""
        last = self._last
        return None if last is None else last.last_step

    @property
    def last_time(self) -> float | None:
        """The time of the last point (unix seconds); None without points."""
        last = self._last
        return None if last is None else last.last_time

    @property
    def age(self) -> float | None:
        """Seconds since the last point; None where that is not known."""
        now, last = self._known.now, self.last_time
        return None if now is None or last is None else max(0.0, now - last)

    @property
    def spacing(self) -> StepSpacing | None:
        """The spacing of the last logged steps; None with one step.

        It is computed again when some more points have come, at first with every point: thousands of streams
        may be sorted by it.
        """
        last, points = self._last, self.points
        if last is not None and points >= self._spacing_points + min(16, max(1, self._spacing_points // 8)):
            self._spacing_points = points
            self._spacing = spacing_of(last)
        return self._spacing

    @property
    def lost_at_most(self) -> int | None:
        """The points that its process lost, of any stream; None where that is not known."""
        return self._known.lost.get(self.process)

    @property
    def delivery(self) -> DeliveryCounts | None:
        """The batches of its process that did not come live; None where that is not known."""
        return self._known.deliveries.get(self.process)


@dataclass(frozen=True)
class ControlSource:
    """One declared control."""

    name: str
    provider: str
    processes: tuple[str, ...]
    safe_points: tuple[str, ...]
    blocked: str  # why nothing can be sent; empty when something can be
    change: str = ""  # the value of the last change
    change_step: int | None = None
    change_time: float | None = None
    age: float | None = None

    @property
    def id(self) -> str:
        """The key of the row, which never changes."""
        return self.name


@dataclass(frozen=True)
class ProcessSource:
    """One process in its newest attempt."""

    name: str
    role: str
    host: str
    pid: int
    attempt: int
    state: str
    joined: float
    link: str
    link_text: str
    lost: int | None
    delivery: DeliveryCounts | None

    @property
    def id(self) -> str:
        """The key of the row, which never changes."""
        return self.name


class Sources:
    """The sources of a run as rows, as of the last `refresh`. The row of a stream stays the same object."""

    def __init__(self, session: Session | None = None) -> None:
        self._session = session
        self._known = RunSituation()
        self._segments = 0
        self.streams: list[StreamSource] = []
        self.controls: list[ControlSource] = []
        self.processes: list[ProcessSource] = []
        self.refresh()

    def refresh(self) -> None:
        """Read the run again."""
        session = self._session
        if session is None:
            return
        self.tick()
        known = self._known
        known.lost, known.deliveries = _lost(session), _deliveries(session)
        every = session.store.series.values()
        segments = sum(len(series.segments) for series in every)
        if segments != self._segments:
            self._segments = segments
            self.streams = [source for series in every for source in _streams(series, known)]
        self.controls = [_control(session, control, known.now) for control in session.controls.controls]
        self.processes = [_process(session, facts, known) for facts in session.processes]

    def tick(self) -> None:
        """Update the time now, from which ages are computed."""
        if self._session is not None:
            ended = self._session.status.state.ended
            self._known.now = time.time() if ended else self._session.progress.now


def spacing_of(segment: Segment) -> StepSpacing | None:
    """Return the median difference of the last distinct steps of a segment; None with one step."""
    for rows in (_LAST_ROWS, _MORE_ROWS):
        steps = sorted(set(segment.tail(rows)[0].tolist()))
        if len(steps) > 2 or segment.count <= rows:
            break
    differences = [after - before for before, after in pairwise(steps)]
    if not differences:
        return None
    return StepSpacing(median(differences), len(differences) > 1 and len(set(differences)) == 1)


def _count(steps: float) -> str:
    return f"{int(steps):,}" if steps == int(steps) else number(steps)


def _streams(series: Series, known: RunSituation) -> Iterable[StreamSource]:
    by_process: dict[str, list[Segment]] = {}
    for (process, _), segment in sorted(series.segments.items()):
        by_process.setdefault(process, []).append(segment)
    return [StreamSource(series, process, segments, known) for process, segments in by_process.items()]


def _names(session: Session) -> set[str]:
    """Return the names of all processes, by file, heartbeat or connection."""
    return session.processes.names | session.connection.links.keys()


def _lost(session: Session) -> dict[str, int]:
    """Return the lost points by process; the zeros are known only after the history has been read."""
    none = dict.fromkeys(_names(session), 0) if session.complete else {}
    return none | session.processes.lost_by_process


def _deliveries(session: Session) -> dict[str, DeliveryCounts]:
    losses = session.connection.losses
    if losses.missing:
        return {process: DeliveryCounts(*counts) for process, counts in losses.by_process.items()}
    return dict.fromkeys(_names(session), DeliveryCounts(0, 0)) if session.complete else {}


def _control(session: Session, control: Control, now: float | None) -> ControlSource:
    last = next((record for record in session.controls.commands.of(control.name) if record.applied), None)
    stage = last.applied if last is not None else None
    return ControlSource(
        control.name,
        control.capability.provider,
        control.processes,
        control.capability.safe_points,
        control.blocked,
        value_text(control.node, last.value) if last is not None else "",
        stage.step if stage is not None else None,
        stage.time if stage is not None else None,
        max(0.0, now - stage.time) if stage is not None and now is not None else None,
    )


def _process(session: Session, facts: ProcessFacts, known: RunSituation) -> ProcessSource:
    link = session.connection.links.get(facts.process)
    return ProcessSource(
        facts.process,
        facts.role,
        facts.host,
        facts.pid,
        facts.attempt,
        facts.state or facts.outcome,
        facts.opened,
        link.state if link is not None else "",
        link.text if link is not None else "",
        known.lost.get(facts.process),
        known.deliveries.get(facts.process),
    )


def delivery_text(delivery: DeliveryCounts | None, process: str) -> str:
    """Return a sentence about the batches of a process that did not come live, and their repair."""
    if delivery is None:
        return f"Whether all batches of {process} came live is not known yet"
    if not delivery.missing:
        return f"Every batch of {process} came"
    missed = f"{plural(delivery.missing, 'batch', 'batches')} of {process} did not come live"
    return f"{missed}, {delivery.repaired:,} fetched again"
