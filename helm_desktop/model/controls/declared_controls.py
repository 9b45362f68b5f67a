"""The controls that the processes of a run declare, one for each name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from helm_desktop.model.controls.control import Control, node_of
from helm_sdk.protocol.messages import Capability, ControlState


class DeclaredControls:
    """The controls by name, and by the streams that they show."""

    def __init__(self) -> None:
        self._declared: dict[str, tuple[ControlState, ...]] = {}  # by process
        self._controls: dict[str, Control] = {}
        self._readers: dict[str, list[Control]] = {}  # by stream

    def __iter__(self) -> Iterator[Control]:
        return iter(self._controls.values())

    def __getitem__(self, name: str) -> Control:
        return self._controls[name]

    def get(self, name: str) -> Control | None:
        """Return the control of this name, or None."""
        return self._controls.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all controls."""
        return tuple(self._controls)

    def readers(self, stream: str) -> list[Control]:
        """Return the controls that show a stream."""
        return self._readers.get(stream, [])

    def set(self, process: str, states: Iterable[ControlState]) -> bool:
        """Set the controls that a process declares now; return True when the list of controls changed."""
        before = self._shapes()
        self._declared[process] = tuple(states)
        self._controls, self._readers = {}, {}
        for name, declared in self._declared.items():
            for state in declared:
                self._add(name, state)
        for control in self:
            for stream in control.streams:
                self._readers.setdefault(stream, []).append(control)
        return before != self._shapes()

    def _add(self, process: str, state: ControlState) -> None:
        name = state.capability.name
        own = self._controls.get(name)
        if own is None:
            node = node_of(state.capability)
            self._controls[name] = Control(name, state.capability, node, (process,), state.unavailable)
        else:
            own.processes = (*own.processes, process)
            own.unavailable = own.unavailable if state.unavailable else ""

    def _shapes(self) -> dict[str, tuple[Capability, tuple[str, ...]]]:
        return {control.name: (control.capability, control.processes) for control in self}
