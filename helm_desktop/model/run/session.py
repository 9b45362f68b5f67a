"""One run that is open: takes what the link tells and hands each part to its model."""

from __future__ import annotations

import struct
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Signal

from helm_desktop.model.board.default_layout import PLANNED, charted
from helm_desktop.model.chart.marks import CHANGE, CHECKPOINT, NOTE, RULE, Mark
from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.media.histograms import HistogramsModel
from helm_desktop.model.media.media_model import MediaItem, MediaModel
from helm_desktop.model.rules.rules_model import RulesModel
from helm_desktop.model.run.activity import ActivityEntry, ActivityModel, from_event
from helm_desktop.model.run.disk_space import STREAM, DiskSpace
from helm_desktop.model.run.notes import NotesModel
from helm_desktop.model.run.progress import Progress
from helm_desktop.model.run.updates import (
    AboutUpdate,
    CaughtUpUpdate,
    DiskSpaceUpdate,
    FollowUpdate,
    LossUpdate,
    ProcessFacts,
    RunUpdate,
    StatusUpdate,
)
from helm_desktop.model.series.active_time import ActiveTime
from helm_desktop.model.series.series_model import SeriesStore
from helm_sdk.protocol import commands
from helm_sdk.protocol.messages import (
    Batch,
    Event,
    Heartbeat,
    Plan,
    PlanCurve,
    RateOverride,
    RunRecord,
    Span,
    TensorInfo,
)
from helm_sdk.protocol.peer import RunState
from helm_sdk.protocol.updates import (
    AnswerUpdate,
    BatchUpdate,
    FinishedUpdate,
    HeartbeatUpdate,
    LinkUpdate,
    ProcessesUpdate,
    RefusalUpdate,
)
from helm_sdk.record import layout
from helm_sdk.rules import Firing
from helm_sdk.rules.labels import firing_words

_STANDING_STILL = {"pause", "paused"}
_MARK_OF = {"checkpoint": CHECKPOINT, "rule": RULE, "note": NOTE}


class Session(QObject):
    """The state of one open run. Facts go out as signals, each at most once per batch of updates."""

    about_changed = Signal()
    status_changed = Signal()
    streams_changed = Signal()
    points_arrived = Signal()
    marks_changed = Signal()
    plan_changed = Signal()
    catalogue_changed = Signal()
    histograms_logged = Signal(set)  # names
    caught_up = Signal()
    refused = Signal(str, str)  # command id, one sentence

    def __init__(self, key: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self.store = SeriesStore()
        self.clock = ActiveTime()
        self._pauses: set[tuple[float, float]] = set()
        self.controls = ControlsModel(self)
        self.controls.set_tail(self._tail)
        self.activity = ActivityModel(self)
        self.notes = NotesModel(self.activity, self._time_of, self)
        self.notes.changed.connect(self.marks_changed)
        self.media = MediaModel(self)
        self.histograms = HistogramsModel(self)
        self.rules = RulesModel(self.store, self)
        self.rules.marks_changed.connect(self.marks_changed)
        self.rules.fired.connect(self._fired)
        self.progress = Progress()
        self.record: RunRecord | None = None
        self.name = ""
        self.folder = ""
        self.processes: tuple[ProcessFacts, ...] = ()
        self.status = StatusUpdate(RunState.LIVE)
        self.plan = Plan()
        self.courses: tuple[RateOverride, ...] = ()
        self.tensors: tuple[TensorInfo, ...] = ()
        self.facts: dict[str, Any] = {}
        self.checkpoint: Event | None = None
        self.heartbeats: dict[str, Heartbeat] = {}
        self.link: dict[str, LinkUpdate] = {}
        self.losses = LossUpdate(0, 0)
        self.lost: Counter[str] = Counter()  # points by process, as the run's own warnings say
        self.room = DiskSpace()
        self.complete = False
        self._marks: dict[str, Mark] = {}
        self._streams: dict[str, str] = {}  # name: kind, in the order they came
        self._reach: tuple[int, int] | None = None
        self._changed: set[str] = set()
        self._histograms: set[str] = set()  # names of which more came

    @property
    def project(self) -> str:
        """The project that the run belongs to."""
        return self.record.project if self.record else ""

    @property
    def lost_points(self) -> int:
        """Points that the run says it lost."""
        return self.lost.total()

    @property
    def streams(self) -> list[str]:
        """The streams that have a chart, in the order they came."""
        return charted(name for name, kind in self._streams.items() if kind != "axis")

    @property
    def charted(self) -> list[str]:
        """Every name that has a chart: streams, and what was logged as histograms."""
        return list(dict.fromkeys([*self.streams, *self.histograms]))

    @property
    def offers_captures(self) -> bool:
        """Whether it lists the tensors of its model to be looked at: `captures=True`."""
        return bool(self.tensors)

    @property
    def marks(self) -> list[Mark]:
        """Every mark, by step, in the order to draw them."""
        fired = [Mark(RULE, own.step, fired_words(own)) for own in self.rules.marks() if own.step is not None]
        return sorted([*self._marks.values(), *fired, *self.notes.marks()], key=_drawn_last)

    @property
    def reach(self) -> tuple[int, int] | None:
        """The first and the last step of all points."""
        return self._reach

    def planned(self, stream: str) -> PlanCurve | None:
        """The planned values of a stream. `optim/lr/planned` stands for the first rate."""
        for curve in self.plan.curves:
            if curve.stream == stream or (curve.stream == PLANNED and stream == "optim/lr/group0"):
                return curve
        return None

    def take(self, updates: Sequence[RunUpdate]) -> None:
        """Take what came since the last time; one signal for each kind of thing that changed."""
        for item in updates:
            self._take_one(item)
        changed, self._changed = self._changed, set()
        logged, self._histograms = self._histograms, set()
        if "points" in changed:
            self.controls.points_arrived()
            self.rules.settle()
        for name, signal in (
            ("about", self.about_changed),
            ("streams", self.streams_changed),
            ("plan", self.plan_changed),
            ("catalogue", self.catalogue_changed),
            ("marks", self.marks_changed),
            ("points", self.points_arrived),
            ("status", self.status_changed),
            ("caught up", self.caught_up),
            ("media", self.media.changed),
        ):
            if name in changed:
                signal.emit()
        if logged:
            self.histograms_logged.emit(logged)

    def _take_one(self, item: RunUpdate) -> None:
        match item:
            case BatchUpdate(batch=batch):
                self._batch(batch)
            case HeartbeatUpdate(heartbeat=heartbeat):
                self._heartbeat(heartbeat)
            case FinishedUpdate(finished=finished):
                self.progress.heard(finished.time, None)
                self._changed.add("status")
            case LinkUpdate():
                self.link[item.process] = item
                self._changed.add("status")
            case FollowUpdate():
                self._follow(item)
                self._changed.add("status")
            case LossUpdate():
                self.losses = item
                self._changed.add("status")
            case DiskSpaceUpdate():
                self.room.take(item.time, item.free)
                self._changed.add("status")
            case StatusUpdate():
                self._stand(item)
            case ProcessesUpdate():
                self.controls.begin_attempt(item.process, item.attempt)
            case AboutUpdate():
                self._about(item)
            case AnswerUpdate():
                self._event(item.process, item.attempt, item.event)
            case RefusalUpdate(command_id=command_id, message=message):
                self.controls.refused(command_id, message)
                self.refused.emit(command_id, message)
            case CaughtUpUpdate():
                self.complete = True
                self.rules.caught_up()
                self.notes.settle()
                self._changed.add("caught up")

    def _follow(self, item: FollowUpdate) -> None:
        if item.problem:
            self.link[""] = LinkUpdate("", "failed", item.problem)
        else:
            self.link.pop("", None)

    def _tail(self, name: str, rows: int, since: int | None) -> tuple[Sequence[int], Sequence[float]]:
        steps, values = self.store.tail(name, rows, since)
        return steps.tolist(), values.tolist()

    def _time_of(self, step: int) -> float:
        """When a step ran; before anything was logged, now."""
        ran = self.store.time_of(step)
        return time.time() if ran is None else ran

    def _about(self, item: AboutUpdate) -> None:
        self.record, self.name, self.folder, self.processes = (
            item.record,
            item.name,
            item.folder,
            item.processes,
        )
        self.controls.run = _named(item.record.run_id, item.folder)
        self.notes.set_notes(item.notes)
        for facts in item.processes:
            self.progress.began(facts.opened)
        self._changed.add("about")

    def _stand(self, item: StatusUpdate) -> None:
        if item == self.status:
            return
        self.status = item
        if item.state.ended:
            self.progress.end(item.ended)
        else:
            self.progress.go_on()
        self.controls.set_run_state(item.state)
        self.rules.set_ended(item.state.ended)
        self._changed.add("status")

    def _heartbeat(self, heartbeat: Heartbeat) -> None:
        self.heartbeats[heartbeat.process] = heartbeat
        self.progress.heard(heartbeat.time, heartbeat.step if self._speaks(heartbeat.process) else None)
        self.controls.heard(heartbeat)
        self.rules.heard(heartbeat)
        self._changed.add("status")

    def _batch(self, batch: Batch) -> None:
        for stream in batch.streams:
            if stream.name not in self._streams:
                self._streams[stream.name] = stream.kind
                self._changed.add("streams")
        if batch.groups or batch.streams:
            changed = self.store.extend(batch)
            self.rules.take(batch)
            if STREAM in changed:
                self._look_at_room()
        if batch.groups:
            if self._speaks(batch.process):
                self._pace(batch)
            self._widen(batch)
            self._changed.update(("points", "status"))
        for event in batch.events:
            self._event(batch.process, batch.attempt, event)
        for catalogue in batch.catalogues:
            self._catalogue(batch.process, catalogue.kind, catalogue.revision, catalogue.body)

    def _speaks(self, process: str) -> bool:
        """Whether a process's steps are the run's: the first that it has."""
        return not self.processes or process == self.processes[0].process

    def _widen(self, batch: Batch) -> None:
        low, high = self._reach or (2**62, -(2**62))
        for group in batch.groups:
            (first,), (last,) = struct.unpack("<q", group.steps[:8]), struct.unpack("<q", group.steps[-8:])
            low, high = min(low, first, last), max(high, first, last)
        self._reach = low, high

    def _pace(self, batch: Batch) -> None:
        """The first and the last row of the group that reaches furthest."""
        group = max(batch.groups, key=lambda group: struct.unpack("<q", group.steps[-8:]))
        for cut in (slice(0, 8), slice(-8, None)):
            (step,), (time,) = struct.unpack("<q", group.steps[cut]), struct.unpack("<d", group.times[cut])
            if cut.start or not self.progress.paced:
                self.progress.heard(time, step)

    def _look_at_room(self) -> None:
        newest = self.store.series[STREAM].newest
        if newest is not None:
            self.room.take(newest.last_time, newest.last_value)

    def _fired(self, firing: Firing) -> None:
        key = f"rule/{firing.key}"
        self.activity.add(ActivityEntry(key, firing.step, firing.time, "rule", fired_words(firing)))

    def _event(self, process: str, attempt: int, event: Event) -> None:
        if event.kind == "command":
            self.controls.take_event(process, event, attempt)
        if event.kind == "media":
            self._media(self.media.take(process, attempt, event))
        if event.kind == "span":
            self._span(event.body)
        if event.kind == "warning" and event.body.get("what") == "lost points":
            count = event.body.get("count")
            self.lost[process] += count if isinstance(count, int) else 0
        happening = from_event(process, attempt, event)
        if happening is not None:
            self.activity.add(happening)
        if event.kind == "checkpoint" and (self.checkpoint is None or event.time >= self.checkpoint.time):
            self.checkpoint = event
            self._changed.add("status")
        self._mark(event, happening)

    def _media(self, item: MediaItem | None) -> None:
        self._changed.add("media")
        if item is not None and item.type == "histogram":
            self._histograms.add(item.name)
            if self.histograms.take(item):
                self._changed.add("streams")

    def _span(self, body: Any) -> None:
        with suppress(msgspec.ValidationError):  # a span that cannot be read moves no clock
            span = msgspec.convert(body, Span)
            if span.name in _STANDING_STILL:
                self.progress.paused(span.start, span.seconds)
                self._pauses.add((span.start, span.start + span.seconds))
                self.clock.set_pauses(self._pauses)

    def _mark(self, event: Event, happening: ActivityEntry | None) -> None:
        kind = _MARK_OF.get(happening.kind) if happening is not None else None
        if event.kind == "command" and event.body.get("state") == commands.APPLIED:
            kind = CHANGE
        if kind is None or event.step is None or happening is None:
            return
        self._marks[happening.key] = Mark(kind, event.step, happening.text)
        self._changed.add("marks")

    def _catalogue(self, process: str, kind: str, revision: int, body: Any) -> None:
        try:
            if kind == "capabilities":
                self.controls.take_catalogue(process, revision, body)
            elif kind == "plan":
                self.plan = msgspec.convert(body, Plan)
                self.progress.plan_step = self.plan.step or _end_of_curves(self.plan)
                self._changed.update(("plan", "status"))
            elif kind == "courses":
                self.courses = msgspec.convert(body, tuple[RateOverride, ...])
                self.controls.set_courses(self.courses)
                self._changed.add("plan")
            elif kind == "tensors":
                self.tensors = _tensors(body)
                self._changed.add("catalogue")
            elif kind == "facts" and isinstance(body, dict):
                self.facts.update(body)
                self._changed.add("catalogue")
        except msgspec.ValidationError as error:
            text = f"{process} published a {kind} list that this version cannot read: {error}"
            self.activity.add(
                ActivityEntry(f"{process}/{kind}/{revision}", None, 0.0, "warning", text, bad=True)
            )


def _end_of_curves(plan: Plan) -> int | None:
    """Where a plan in tokens is thought to end in steps: its rates are planned until then."""
    last = max((curve.steps[-1] for curve in plan.curves if curve.steps), default=None)
    return last + 1 if last is not None and plan.tokens is not None else None


def _named(run_id: str, folder: str) -> str:
    """How a shell finds the run: by its id where it looks by itself, else by its folder."""
    found = any(Path(folder).is_relative_to(home) for home in layout.homes())
    return run_id if found or not folder else folder


def fired_words(firing: Firing) -> str:
    """ "Loss is not finite: train/loss is nan at step 37"."""
    return f"{firing.rule.title}: {firing_words(firing)}"


def _drawn_last(mark: Mark) -> tuple[int, bool]:
    """By step; a slim checkpoint goes over the change that asked for it."""
    return mark.step, mark.kind == CHECKPOINT


def _tensors(body: Any) -> tuple[TensorInfo, ...]:
    entries = body.get("tensors", ()) if isinstance(body, dict) else body
    return msgspec.convert(entries, tuple[TensorInfo, ...])
