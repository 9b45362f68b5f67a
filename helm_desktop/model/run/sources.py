"""Everything that a run's processes wrote or declared: its streams, its controls, its processes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from helm_desktop.format import number, plural
from helm_desktop.model.controls.labels import value_words

if TYPE_CHECKING:
    from helm_desktop.model.controls.control import Control
    from helm_desktop.model.run.session import Session
    from helm_desktop.model.run.updates import ProcessFacts
    from helm_desktop.model.series.segment import Segment
    from helm_desktop.model.series.series_model import Series

_LAST_ROWS = 64  # whose steps tell the spacing
_MORE_ROWS = 1024  # where those are of one step or two


class StepSpacing(NamedTuple):
    """How many steps lie between two that were logged; whether it is seen to be always that many."""

    steps: float
    even: bool

    @property
    def text(self) -> str:
        """ "every step", "every 10 steps", "about every 2.5 steps"."""
        every = "every step" if self.steps == 1 else f"every {_count(self.steps)} steps"
        return every if self.even else f"about {every}"


class DeliveryCounts(NamedTuple):
    """Batches that one process sent and that did not come live; how many of them came another way."""

    missing: int
    repaired: int


@dataclass
class RunSituation:
    """What holds for all rows: the run's time now, and by process what is known to be lost."""

    now: float | None = None
    lost: dict[str, int] = field(default_factory=dict)  # points that the process could not store
    ways: dict[str, DeliveryCounts] = field(default_factory=dict)


class StreamSource:
    """One name as one process writes it, over all its attempts."""

    __slots__ = ("_known", "_spaced", "_spacing", "name", "process", "segments", "series")

    def __init__(
        self, series: Series, process: str, segments: Sequence[Segment], known: RunSituation
    ) -> None:
        self.series = series
        self.name = series.name
        self.process = process
        self.segments = segments  # oldest attempt first
        self._known = known
        self._spaced = 0  # points that there were when it was found
        self._spacing: StepSpacing | None = None

    @property
    def id(self) -> tuple[str, str]:
        """What stays while the rest changes."""
        return self.name, self.process

    @property
    def points(self) -> int:
        """Every point, repeated steps and older attempts included."""
        return sum(segment.count for segment in self.segments)

    @property
    def _last(self) -> Segment | None:
        return next((segment for segment in reversed(self.segments) if segment.count), None)

    @property
    def last_step(self) -> int | None:
        """The step of the last write."""
        last = self._last
        return None if last is None else last.last_step

    @property
    def last_time(self) -> float | None:
        """When that was, unix seconds."""
        last = self._last
        return None if last is None else last.last_time

    @property
    def age(self) -> float | None:
        """Seconds since the last write."""
        now, last = self._known.now, self.last_time
        return None if now is None or last is None else max(0.0, now - last)

    @property
    def spacing(self) -> StepSpacing | None:
        """Between the last steps that were logged; None of a single one. Found anew when more came: at first
        of every point, later of some, since thousands of streams may be sorted by it."""
        last, points = self._last, self.points
        if last is not None and points >= self._spaced + min(16, max(1, self._spaced // 8)):
            self._spaced = points
            self._spacing = spacing_of(last)
        return self._spacing

    @property
    def lost_at_most(self) -> int | None:
        """Points lost by its process, which does not say of which streams they were; None: not known."""
        return self._known.lost.get(self.process)

    @property
    def delivery(self) -> DeliveryCounts | None:
        """Batches of its process that were missed on the way here."""
        return self._known.ways.get(self.process)


@dataclass(frozen=True)
class ControlSource:
    """One declared control."""

    name: str
    provider: str
    processes: tuple[str, ...]
    safe_points: tuple[str, ...]
    blocked: str  # why nothing can be sent; empty when something can
    change: str = ""  # what the last change set
    change_step: int | None = None
    change_time: float | None = None
    age: float | None = None

    @property
    def id(self) -> str:
        """What stays while the rest changes."""
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
    link_words: str
    lost: int | None
    delivery: DeliveryCounts | None

    @property
    def id(self) -> str:
        """What stays while the rest changes."""
        return self.name


class Sources:
    """The rows of a run. `look` brings them up to date; a stream's row stays the same object."""

    def __init__(self, session: Session | None = None) -> None:
        self._session = session
        self._known = RunSituation()
        self._segments = 0
        self.streams: list[StreamSource] = []
        self.controls: list[ControlSource] = []
        self.processes: list[ProcessSource] = []
        self.refresh()

    def refresh(self) -> None:
        """Read the run anew."""
        session = self._session
        if session is None:
            return
        self.tick()
        known = self._known
        known.lost, known.ways = _lost(session), _ways(session)
        every = session.store.series.values()
        segments = sum(len(series.segments) for series in every)
        if segments != self._segments:
            self._segments = segments
            self.streams = [source for series in every for source in _streams(series, known)]
        self.controls = [_control(session, control, known.now) for control in session.controls.controls]
        self.processes = [_process(session, facts, known) for facts in session.processes]

    def tick(self) -> None:
        """Time goes on, though nothing else may."""
        if self._session is not None:
            ended = self._session.status.state.ended
            self._known.now = time.time() if ended else self._session.progress.now


def spacing_of(segment: Segment) -> StepSpacing | None:
    """The median difference of the last distinct steps that were logged; None where there is one step."""
    for rows in (_LAST_ROWS, _MORE_ROWS):
        steps = sorted(set(segment.tail(rows)[0].tolist()))
        if len(steps) > 2 or segment.count <= rows:
            break
    apart = [after - before for before, after in pairwise(steps)]
    return StepSpacing(median(apart), len(apart) > 1 and len(set(apart)) == 1) if apart else None


def _count(steps: float) -> str:
    return f"{int(steps):,}" if steps == int(steps) else number(steps)


def _streams(series: Series, known: RunSituation) -> Iterable[StreamSource]:
    by_process: dict[str, list[Segment]] = {}
    for (process, _), segment in sorted(series.segments.items()):
        by_process.setdefault(process, []).append(segment)
    return [StreamSource(series, process, segments, known) for process, segments in by_process.items()]


def _names(session: Session) -> set[str]:
    """Return the processes that were heard of, live or by their files."""
    return session.processes.names | session.connection.links.keys()


def _lost(session: Session) -> dict[str, int]:
    """By process: as its warnings say, or its heartbeats where those say more. Known once its history is."""
    none = dict.fromkeys(_names(session), 0) if session.complete else {}
    return none | session.processes.lost_by_process


def _ways(session: Session) -> dict[str, DeliveryCounts]:
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
        value_words(control.node, last.value) if last is not None else "",
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
        known.ways.get(facts.process),
    )


def delivery_text(way: DeliveryCounts | None, process: str) -> str:
    """In a sentence: what was missed on the way here, and what became of it."""
    if way is None:
        return f"Whether batches of {process} were missed on the way here is not known yet"
    if not way.missing:
        return f"Every batch of {process} came here"
    missed = f"{plural(way.missing, 'batch', 'batches')} of {process} missed on the way here"
    return f"{missed}, {way.repaired:,} fetched again"
