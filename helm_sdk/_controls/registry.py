"""The controls that a process declares: capability, handler, value now, and why one cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from helm_sdk.protocol import kinds
from helm_sdk.protocol.errors import InvalidValue, ProtocolError
from helm_sdk.protocol.messages import Capability, ControlState

Handler = Callable[[Any, Any], Any]  # (value, CommandContext) -> anything JSON can say


@dataclass
class DeclaredControl:
    """One declared control. `revision` counts the changes that this attempt applied."""

    capability: Capability
    handler: Handler
    node: Any = None  # the parsed schema; None: takes no input
    unavailable: str = ""
    revision: int = 0
    value: Any = None

    def check(self, value: Any) -> None:
        """Raise InvalidValue, in one sentence, when the schema refuses the value."""
        if self.node is None:
            if value is not None and value != {}:
                raise InvalidValue("", f"{self.capability.name} takes no input")
            return
        kinds.check(self.node, value)

    def filled(self, value: Any) -> Any:
        """Return what the handler gets: the value with the defaults of absent fields."""
        return value if self.node is None else kinds.fill_defaults(self.node, value)


class ControlRegistry:
    """All controls of one process, by name."""

    def __init__(self) -> None:
        self._controls: dict[str, DeclaredControl] = {}
        self.version = 0  # grows with each change worth publishing

    def declare(self, capability: Capability, handler: Handler, unavailable: str = "") -> DeclaredControl:
        """Add a control or replace the one of the same name, whose revision goes on."""
        known = self._controls.get(capability.name)
        node: Any = None
        if capability.input_schema:
            try:
                node = kinds.parse(capability.input_schema)
            except ProtocolError as error:
                unavailable = f"its input schema is wrong: {error}"
        control = DeclaredControl(capability, handler, node, unavailable, value=capability.starting)
        if known is not None and known.revision:
            control.revision, control.value = known.revision, known.value
        self._controls[capability.name] = control
        self.version += 1
        return control

    def get(self, name: str) -> DeclaredControl | None:
        """Return the control of this name."""
        return self._controls.get(name)

    def set_unavailable(self, name: str, reason: str) -> None:
        """Say why a control cannot be used now; an empty reason makes it usable again."""
        control = self._controls.get(name)
        if control is not None and control.unavailable != reason:
            control.unavailable = reason
            self.version += 1

    def bind(self, safe_point: str) -> None:
        """Give controls that named no safe point the run's default one."""
        for control in list(self._controls.values()):
            if not control.capability.safe_points:
                control.capability = msgspec.structs.replace(control.capability, safe_points=(safe_point,))
                self.version += 1

    def states(self) -> list[ControlState]:
        """Return the entries of the "capabilities" catalogue."""
        return [
            ControlState(capability=c.capability, unavailable=c.unavailable) for c in self._controls.values()
        ]
