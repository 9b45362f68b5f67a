"""Everything that `helmctl show` tells of a run, gathered from its files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from helm_sdk._cli.output import open_readers
from helm_sdk.protocol.history import CommandHistory, CommandRecord
from helm_sdk.protocol.messages import Event
from helm_sdk.record.commands import ControlView, controls_of, history_of
from helm_sdk.record.errors import RecordError
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.run import ProcessStatus, RunFolder

_SHOWN_EVENTS = ("checkpoint", "capture", "warning", "note")


@dataclass
class StreamLine:
    """A stream of one process, over all its attempts."""

    name: str
    process: str
    unit: str
    count: int = 0
    last_step: int = 0
    last_value: float = 0.0
    last_time: float = 0.0
    non_finite: int = 0
    repeats: int = 0


@dataclass
class MediaLine:
    """What one process logged besides numbers under a name, over all its attempts."""

    name: str
    process: str
    type: str
    count: int = 0
    last_step: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class ReportedEvent:
    """An event with where it came from."""

    process: str
    attempt: int
    event: Event


class Report:
    """Reads a run once."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self.statuses: list[ProcessStatus] = folder.statuses()
        self.state, self.state_text = folder.status(self.statuses)
        self.streams = _streams(folder)
        readers, self.problems = open_readers(folder)
        try:
            self.controls = controls_of(readers, ended=self.state.ended)
            self.history: CommandHistory = history_of(readers, ended=self.state.ended)
            self.happenings = _happenings(readers)
            self.media = _media(readers)
            self.lost_points = sum(_lost(happening) for happening in self.happenings)
        finally:
            for reader in readers:
                reader.close()

    def of_kind(self, kind: str) -> list[ReportedEvent]:
        """Events of one kind, in order."""
        return [happening for happening in self.happenings if happening.event.kind == kind]

    def as_json(self) -> dict[str, Any]:
        """Return all of it."""
        record = self.folder.record
        step = self.statuses[0].overview.step if self.statuses else None
        return {
            "run_id": record.run_id,
            "name": self.folder.name,
            "project": record.project,
            "state": self.state,
            "state_text": self.state_text,
            "step": step,
            "path": self.folder.path,
            "created": record.created,
            "host": record.host,
            "tags": self.folder.tags,
            "notes": self.folder.notes,
            "step_notes": [{"step": step, "text": text} for step, text in self.folder.step_notes.items()],
            "config": record.config,
            "command": record.command,
            "git": record.git,
            "versions": record.versions,
            "fork_from": record.fork_from,
            "streams": self.streams,
            "media": self.media,
            "controls": [self._control(view) for view in self.controls],
            "processes": [_process(status) for status in self.statuses],
            "changes": [change_as_json(change) for change in self.history.all()],
            "checkpoints": [_happening(found) for found in self.of_kind("checkpoint")],
            "captures": [_happening(found) for found in self.of_kind("capture")],
            "warnings": [_happening(found) for found in self.of_kind("warning")],
            "lost_points": self.lost_points,
            "problems": self.problems,
        }

    @staticmethod
    def _control(view: ControlView) -> dict[str, Any]:
        capability = view.capability
        return {
            "name": capability.name,
            "provider": capability.provider,
            "version": capability.version,
            "schema": capability.input_schema,
            "starting": capability.starting,
            "current": view.current,
            "revision": view.revision,
            "safe_points": capability.safe_points,
            "requires_approval": capability.requires_approval,
            "reads": capability.reads,
            "help": capability.help,
            "unavailable": view.unavailable,
            "processes": view.processes,
        }


def change_as_json(change: CommandRecord) -> dict[str, Any]:
    """Return a command and every state it went through."""
    return {
        "id": change.id,
        "control": change.capability,
        "process": change.process,
        "attempt": change.attempt,
        "state": change.state,
        "message": change.message,
        "step": change.step,
        "input": change.input,
        "old": change.applied.body.old if change.applied else None,
        "new": change.applied.body.new if change.applied else None,
        "result": change.result,
        "reason": change.reason,
        "sender": change.sender,
        "via": change.began.body.via,
        "approver": change.approver,
        "safe_point": change.safe_point,
        "states": [{"state": stage.state, "time": stage.time, "step": stage.step} for stage in change.track],
    }


def _streams(folder: RunFolder) -> list[StreamLine]:
    """By name and process; the last point is that of the newest attempt that has one."""
    lines: dict[tuple[str, str], StreamLine] = {}
    for file in folder.process_files():
        try:
            overview = folder.overview(file)
        except RecordError:
            continue  # one file that cannot be read does not hide the others
        for summary in overview.streams:
            key = (summary.stream.name, overview.record.process)
            line = lines.setdefault(key, StreamLine(*key, unit=summary.stream.unit))
            line.count += summary.count
            line.non_finite += summary.non_finite
            line.repeats += summary.repeats
            if summary.count:
                line.last_step, line.last_value = summary.last_step, summary.last_value
                line.last_time = summary.last_time
    return list(lines.values())


def _happenings(readers: list[ProcessReader]) -> list[ReportedEvent]:
    found: list[ReportedEvent] = []
    for reader in readers:
        record = reader.record
        found += [
            ReportedEvent(record.process, record.attempt, event)
            for event in reader.events()
            if event.kind in _SHOWN_EVENTS
        ]
    return sorted(found, key=lambda happening: (happening.attempt, happening.event.time))


def _media(readers: list[ProcessReader]) -> list[MediaLine]:
    lines: dict[tuple[str, str, str], MediaLine] = {}
    for reader in readers:
        for event in reader.events("media"):
            key = (str(event.body.get("name")), reader.record.process, str(event.body.get("type")))
            line = lines.setdefault(key, MediaLine(*key))
            line.count += 1
            line.last_step = event.step or 0
            size = event.body.get("bytes")
            line.bytes += size if isinstance(size, int) else 0
    return list(lines.values())


def _lost(happening: ReportedEvent) -> int:
    count = happening.event.body.get("count")
    lost = happening.event.body.get("what") == "lost points" and isinstance(count, int)
    return count if lost and isinstance(count, int) else 0


def _happening(found: ReportedEvent) -> dict[str, Any]:
    event = found.event
    return {
        "process": found.process,
        "attempt": found.attempt,
        "step": event.step,
        "time": event.time,
        **event.body,
    }


def _process(status: ProcessStatus) -> dict[str, Any]:
    record = status.overview.record
    return {
        "process": record.process,
        "role": record.role,
        "attempt": record.attempt,
        "state": status.state,
        "state_text": status.text,
        "step": status.overview.step,
        "pid": record.pid,
        "host": record.host,
        "opened": record.opened,
        "ended": record.ended,
        "exit_status": record.exit_status,
    }
