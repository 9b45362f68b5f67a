"""The controls of a run and the history of its commands, read from its files."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from helm_sdk.protocol.history import CommandHistory, CommandRecord
from helm_sdk.protocol.messages import Capability, ControlState
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.run import RunFolder

CAPABILITIES = "capabilities"


@dataclass
class ControlView:
    """One control of a run, with every command to it."""

    capability: Capability
    processes: list[str] = field(default_factory=list)  # that declare it
    unavailable: str = ""  # why it cannot be used now; empty: it can
    revision: int = 0
    current: Any = None
    changes: list[CommandRecord] = field(default_factory=list)


def history_of(readers: Iterable[ProcessReader], *, ended: bool) -> CommandHistory:
    """Return every command of some process files. `ended`: open ones have failed, since the run has ended."""
    history = CommandHistory()
    for reader in readers:
        record = reader.record
        history.begin(record.process, record.attempt)
        for event in reader.events("command"):
            history.add(event, record.process, record.attempt)
    return history.ended(ended)


def controls_of(readers: Iterable[ProcessReader], *, ended: bool) -> list[ControlView]:
    """Return the controls that the newest attempts declare, in their order, each with its history."""
    ordered = sorted(readers, key=lambda reader: reader.record.attempt)
    history = history_of(ordered, ended=ended)
    newest = {reader.record.process: reader for reader in ordered}
    views: dict[str, ControlView] = {}
    for process, reader in newest.items():
        for state in declared(reader):
            capability = state.capability
            view = views.setdefault(capability.name, ControlView(capability))
            view.processes.append(process)
            view.unavailable = view.unavailable or state.unavailable
    for name, view in views.items():
        current = history.current(view.capability)
        view.revision, view.current = current.revision, current.value
        view.changes = history.of(name)
    return list(views.values())


def controls_of_run(folder: RunFolder) -> list[ControlView]:
    """Return the controls of a run, from all its files."""
    readers = folder.readers()
    try:
        return controls_of(readers, ended=folder.state().ended)
    finally:
        for reader in readers:
            reader.close()


def declared(reader: ProcessReader) -> list[ControlState]:
    """Return the capabilities catalogue of one process file; entries that do not fit are left out."""
    catalogue = reader.catalogues().get(CAPABILITIES)
    found = []
    for entry in catalogue.body if catalogue is not None and isinstance(catalogue.body, list) else []:
        with suppress(msgspec.ValidationError):
            found.append(msgspec.convert(entry, ControlState))
    return found
