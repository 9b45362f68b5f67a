"""One open run: the models of its parts, and the distribution of updates to them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Signal

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.controls.shell_command import run_argument
from helm_desktop.model.media.histograms import HistogramsModel
from helm_desktop.model.media.media_model import MediaItem, MediaModel
from helm_desktop.model.rules.rules_model import RulesModel
from helm_desktop.model.run.activity import ActivityEntry, ActivityModel, from_event, from_firing
from helm_desktop.model.run.checkpoints import RunCheckpoints
from helm_desktop.model.run.connection import RunConnection
from helm_desktop.model.run.disk_space import STREAM, DiskSpace
from helm_desktop.model.run.marks import RunMarks
from helm_desktop.model.run.model_catalogue import ModelCatalogue
from helm_desktop.model.run.notes import NotesModel
from helm_desktop.model.run.processes import RunProcesses
from helm_desktop.model.run.progress import Progress
from helm_desktop.model.run.run_plan import RunPlan
from helm_desktop.model.run.run_status import RunStatus
from helm_desktop.model.run.streams import RunStreams
from helm_desktop.model.run.updates import (
    AboutUpdate,
    CaughtUpUpdate,
    DiskSpaceUpdate,
    FollowUpdate,
    LossUpdate,
    RunUpdate,
    StatusUpdate,
)
from helm_desktop.model.series.active_time import ActiveTime
from helm_desktop.model.series.series_model import SeriesStore
from helm_sdk.protocol.messages import Batch, Catalogue, Event, Heartbeat, RunRecord, Span
from helm_sdk.protocol.updates import (
    AnswerUpdate,
    BatchUpdate,
    FinishedUpdate,
    HeartbeatUpdate,
    LinkUpdate,
    ProcessesUpdate,
    RefusalUpdate,
)
from helm_sdk.rules import Firing

_PAUSES = {"pause", "paused"}  # the names of spans in which a run is paused


class Session(QObject):
    """The state of one open run. Each signal is emitted at most once for a list of updates."""

    about_changed = Signal()
    status_changed = Signal()
    streams_changed = Signal()
    points_arrived = Signal()
    marks_changed = Signal()
    plan_changed = Signal()
    catalogue_changed = Signal()
    histograms_logged = Signal(set)  # the names of histograms with new values
    caught_up = Signal()
    refused = Signal(str, str)  # the id of a command, and why it was not sent, in one sentence
    command_recorded = Signal(str)  # the id of a command of which the run has recorded a state

    def __init__(self, key: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self.record: RunRecord | None = None
        self.name = ""
        self.folder = ""
        self.complete = False  # whether the whole history has been read
        self.status = RunStatus()
        self.processes = RunProcesses()
        self.connection = RunConnection()
        self.progress = Progress()
        self.disk_space = DiskSpace()
        self.store = SeriesStore()
        self.streams = RunStreams()
        self.clock = ActiveTime()
        self.plan = RunPlan()
        self.catalogue = ModelCatalogue()
        self.checkpoints = RunCheckpoints()
        self.controls = ControlsModel(self, tail=self._tail)
        self.activity = ActivityModel(self)
        self.notes = NotesModel(self.activity, self._time_of, self)
        self.media = MediaModel(self)
        self.histograms = HistogramsModel(self)
        self.rules = RulesModel(self.store, self)
        self.marks = RunMarks(self.rules, self.notes)
        self.notes.changed.connect(self.marks_changed)
        self.rules.marks_changed.connect(self.marks_changed)
        self.rules.fired.connect(self._fired)
        self._changed: set[str] = (
            set()
        )  # what changed since the last signals, by the names in `_emit_changes`
        self._histograms: set[str] = set()  # names of histograms with new values
        # (process, kind) of a catalogue -> (attempt, number) of the batch that the newest one came in
        self._newest: dict[tuple[str, str], tuple[int, int]] = {}

    @property
    def project(self) -> str:
        """The project that the run belongs to."""
        return self.record.project if self.record else ""

    @property
    def charted(self) -> list[str]:
        """The names that have a chart: streams and histograms."""
        return list(dict.fromkeys([*self.streams.names, *self.histograms]))

    def apply(self, updates: Sequence[RunUpdate]) -> None:
        """Apply updates, and emit one signal for each kind of change."""
        for update in updates:
            self._apply_one(update)
        if "points" in self._changed:
            self.controls.on_points()
            self.rules.notify_fired()
        self._emit_changes()

    def _emit_changes(self) -> None:
        changed, self._changed = self._changed, set()
        logged, self._histograms = self._histograms, set()
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

    def _apply_one(self, update: RunUpdate) -> None:
        match update:
            case BatchUpdate(batch=batch):
                self._batch(batch)
            case HeartbeatUpdate(heartbeat=heartbeat):
                self._heartbeat(heartbeat)
            case AnswerUpdate():
                self._event(update.process, update.attempt, update.event)
            case RefusalUpdate(command_id=command_id, message=message):
                self.controls.on_refused(command_id, message)
                self.refused.emit(command_id, message)
            case ProcessesUpdate():
                self.controls.begin_attempt(update.process, update.attempt)
            case AboutUpdate():
                self._about(update)
            case StatusUpdate():
                self._status(update)
            case CaughtUpUpdate():
                self.complete = True
                self.rules.caught_up()
                self.notes.update_times()
                self._changed.add("caught up")
            case _:
                self._apply_status_update(update)

    def _apply_status_update(self, update: RunUpdate) -> None:
        """Apply an update that only the strip and the table of sources show."""
        match update:
            case FinishedUpdate(finished=finished):
                self.progress.on_heartbeat(finished.time, None)
            case LinkUpdate():
                self.connection.set_link(update)
            case FollowUpdate(problem=problem):
                self.connection.set_problem(problem)
            case LossUpdate():
                self.connection.set_losses(update)
            case DiskSpaceUpdate():
                self.disk_space.add(update.time, update.free)
            case _:
                return
        self._changed.add("status")

    def _tail(self, name: str, rows: int, since: int | None) -> tuple[Sequence[int], Sequence[float]]:
        steps, values = self.store.tail(name, rows, since)
        return steps.tolist(), values.tolist()

    def _time_of(self, step: int) -> float:
        """Return the time of a step (unix seconds); the time now when nothing was logged yet."""
        ran = self.store.time_of(step)
        return time.time() if ran is None else ran

    def _about(self, update: AboutUpdate) -> None:
        self.record, self.name, self.folder = update.record, update.name, update.folder
        self.processes.set_all(update.processes)
        self.controls.run = run_argument(update.record.run_id, update.folder)
        self.notes.set_notes(update.notes)
        for facts in update.processes:
            self.progress.add_start(facts.opened)
        self._changed.add("about")

    def _status(self, update: StatusUpdate) -> None:
        if not self.status.apply(update):
            return
        if update.state.ended:
            self.progress.end(update.ended)
        else:
            self.progress.on_new_attempt()
        self.controls.set_run_state(update.state)
        self.rules.set_ended(update.state.ended)
        self._changed.add("status")

    def _heartbeat(self, heartbeat: Heartbeat) -> None:
        self.processes.add_heartbeat(heartbeat)
        main = self.processes.is_main(heartbeat.process)
        self.progress.on_heartbeat(heartbeat.time, heartbeat.step if main else None)
        self.controls.on_heartbeat(heartbeat)
        self.rules.on_heartbeat(heartbeat)
        self._changed.add("status")

    def _batch(self, batch: Batch) -> None:
        if self.streams.add(batch):
            self._changed.add("streams")
        if batch.groups or batch.streams:
            changed = self.store.extend(batch)
            self.rules.apply(batch)
            if STREAM in changed:
                self._read_disk_space()
        if batch.groups:
            if self.processes.is_main(batch.process):
                self.progress.add_points(batch)
            self._changed.update(("points", "status"))
        for event in batch.events:
            self._event(batch.process, batch.attempt, event)
        for catalogue in batch.catalogues:
            key, order = (batch.process, catalogue.kind), (batch.attempt, batch.seq)
            if order >= self._newest.get(key, order):
                self._newest[key] = order
                self._catalogue(batch.process, catalogue)
            elif catalogue.kind == "facts" and isinstance(catalogue.body, dict):
                self.catalogue.add_facts(catalogue.body | self.catalogue.facts)
                self._changed.add("catalogue")

    def _read_disk_space(self) -> None:
        newest = self.store.series[STREAM].newest
        if newest is not None:
            self.disk_space.add(newest.last_time, newest.last_value)

    def _fired(self, firing: Firing) -> None:
        self.activity.add(from_firing(firing))

    def _event(self, process: str, attempt: int, event: Event) -> None:
        if event.kind == "command":
            self.controls.apply_event(process, event, attempt)
            self.command_recorded.emit(str(event.body.get("command_id", "")))
        if event.kind == "media":
            self._media(self.media.add(process, attempt, event))
        if event.kind == "span":
            self._span(event.body)
        self.processes.add_warning(process, event)
        entry = from_event(process, attempt, event)
        if entry is not None:
            self.activity.add(entry)
        if self.checkpoints.add(event):
            self._changed.add("status")
        if self.marks.add(event, entry):
            self._changed.add("marks")

    def _media(self, item: MediaItem | None) -> None:
        self._changed.add("media")
        if item is not None and item.type == "histogram":
            self._histograms.add(item.name)
            if self.histograms.add(item):
                self._changed.add("streams")

    def _span(self, body: Any) -> None:
        with suppress(msgspec.ValidationError):  # a span that cannot be read is ignored
            span = msgspec.convert(body, Span)
            if span.name in _PAUSES:
                self.progress.add_pause(span.start, span.seconds)
                self.clock.add_pause(span.start, span.seconds)

    def _catalogue(self, process: str, catalogue: Catalogue) -> None:
        kind, revision, body = catalogue.kind, catalogue.revision, catalogue.body
        try:
            if kind == "capabilities":
                self.controls.apply_catalogue(process, revision, body)
            elif kind == "plan":
                self.plan.read_plan(body)
                self.progress.plan_step = self.plan.steps
                self._changed.update(("plan", "status"))
            elif kind in ("rate_overrides", "courses"):  # older runs publish the latter
                self.plan.read_overrides(body)
                self.controls.set_rate_overrides(self.plan.overrides)
                self._changed.add("plan")
            elif kind == "tensors":
                self.catalogue.read_tensors(body)
                self._changed.add("catalogue")
            elif kind == "facts" and isinstance(body, dict):
                self.catalogue.add_facts(body)
                self._changed.add("catalogue")
        except msgspec.ValidationError as error:
            text = f"{process} published a {kind} list that this version cannot read: {error}"
            key = f"{process}/{kind}/{revision}"
            self.activity.add(ActivityEntry(key, None, 0.0, "warning", text, bad=True))
