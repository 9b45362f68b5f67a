"""A value that the loop reads and a card changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from helm_sdk._controls.safe_points import Applied, CommandContext
from helm_sdk.protocol import kinds
from helm_sdk.protocol.messages import Capability

_T = TypeVar("_T")


class Tunable(Generic[_T]):
    """`.value` is what holds now; it changes only inside a safe point."""

    def __init__(self, name: str, default: _T) -> None:
        self.name = name
        self.value = default
        self._kind: type[Any] = type(default)

    def apply(self, value: dict[str, Any], context: CommandContext) -> Applied:
        """Apply a command of the card `set_<name>`."""
        old, requested = self.value, value["value"]
        if self._kind is float:
            requested = float(kinds.as_number(requested))
        elif self._kind is int:
            requested = int(kinds.as_number(requested))
        self.value = requested
        return Applied(old={"value": old}, new=value, result=requested)

    def state(self) -> Any:
        """Return the value, for `restore`."""
        return self.value

    def restore(self, state: Any) -> None:
        """Put a value back, after a change that not every rank could make."""
        self.value = state

    def __repr__(self) -> str:
        return f"<Tunable {self.name}={self.value!r}>"


def tunable_capability(
    name: str,
    default: Any,
    minimum: float | None,
    maximum: float | None,
    choices: Sequence[Any] | None,
    safe_points: tuple[str, ...],
) -> Capability:
    """Return the capability of a tunable: a form with one field, whose type follows from the default."""
    return Capability(
        name=f"set_{name}",
        provider="script",
        input_schema=kinds.record_schema(kinds.field("value", _type_of(default, minimum, maximum, choices))),
        output_schema=kinds.opaque_schema(),
        safe_points=safe_points,
        starting={"value": default},
    )


def _type_of(
    default: Any, minimum: float | None, maximum: float | None, choices: Sequence[Any] | None
) -> dict[str, Any]:
    if choices:
        return kinds.enum_of(list(choices))
    if isinstance(default, bool):
        return kinds.boolean()
    if isinstance(default, int):
        return kinds.integer(minimum, maximum)
    if isinstance(default, float):
        return kinds.number(minimum, maximum)
    if isinstance(default, str):
        return kinds.string()
    return {"kind": "opaque"}
