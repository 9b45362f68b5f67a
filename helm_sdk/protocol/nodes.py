"""The kinds of input that a schema is made of, one frozen dataclass each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum as _Enum
from typing import Any, Final, TypeAlias


class _Missing(_Enum):
    """The type of MISSING."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing.MISSING
"""The default of a field that has none (None is a default of its own)."""


@dataclass(frozen=True)
class Bounds:
    """From `min` to `max`; an exclusive end may not be reached. None: no end on that side."""

    min: Decimal | None = None
    max: Decimal | None = None
    exclusive_min: bool = False
    exclusive_max: bool = False

    @property
    def closed(self) -> bool:
        """Whether both ends are given, so that a slider can show it."""
        return self.min is not None and self.max is not None

    def broken_by(self, number: Decimal) -> str:
        """Return what `number` must be, such as "0 or more"; empty when it is within."""
        if self.min is not None and (number < self.min or (self.exclusive_min and number == self.min)):
            return f"more than {self.min}" if self.exclusive_min else f"{self.min} or more"
        if self.max is not None and (number > self.max or (self.exclusive_max and number == self.max)):
            return f"less than {self.max}" if self.exclusive_max else f"{self.max} or less"
        return ""


NO_BOUNDS: Final = Bounds()


@dataclass(frozen=True)
class Field:
    """A named part of a record."""

    name: str
    type: Node
    optional: bool = False
    default: Any = MISSING
    help: str = ""

    @property
    def nullable(self) -> bool:
        """Whether null may be sent: only where null is the declared default."""
        return self.default is None


@dataclass(frozen=True)
class Record:
    """An object with named fields; of the fields in `one_of` exactly one is given."""

    fields: tuple[Field, ...] = ()
    renderer: str = "form"
    one_of: tuple[str, ...] = ()

    @property
    def required(self) -> tuple[str, ...]:
        """The fields that must be sent."""
        return tuple(part.name for part in self.fields if not part.optional)

    def field(self, name: str) -> Field | None:
        """Return the field of that name."""
        return next((part for part in self.fields if part.name == name), None)


@dataclass(frozen=True)
class Scalar:
    """A number, an integer, a string or a boolean."""

    type: str = "number"
    bounds: Bounds = NO_BOUNDS
    unit: str = ""
    step: Decimal | None = None
    scale: str = "linear"  # or "log"


@dataclass(frozen=True)
class Enum:
    """One of a few values, each with the label that people read."""

    values: tuple[Any, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class ListOf:
    """Values of one type in order."""

    item: Node
    min_length: int = 0
    max_length: int | None = None


@dataclass(frozen=True)
class MapOf:
    """Values of one type by name; `key_pattern` is a regular expression that a whole name must match."""

    value: Node
    key_pattern: str = ""
    min_length: int = 0
    max_length: int | None = None
    pattern: re.Pattern[str] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Schedule:
    """A value over an axis, linear between its points; `at` rises strictly."""

    axis: str = "step"
    unit: str = ""
    bounds: Bounds = NO_BOUNDS


@dataclass(frozen=True)
class Mixture:
    """A weight for each component; `sampled` names the streams of what was drawn: "data/mix/{component}"."""

    components: tuple[str, ...]
    sampled: str = ""
    bounds: Mapping[str, Bounds] = field(default_factory=dict)  # on the weight as sent, by component

    def sampled_stream(self, component: str) -> str:
        """Return the stream that shows how much of `component` was drawn; empty when none is declared."""
        return self.sampled.replace("{component}", component)


@dataclass(frozen=True)
class Duration:
    """A time span in seconds."""

    bounds: Bounds = NO_BOUNDS


@dataclass(frozen=True)
class Tensors:
    """A selection of tensors, where in the step to take them and what to take of them."""

    stages: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict)  # "tensors", "times"


@dataclass(frozen=True)
class Opaque:
    """Anything that JSON can say."""


@dataclass(frozen=True)
class Unknown:
    """A kind that this version does not know: taken as opaque, so that older programs still show it."""

    kind: str
    raw: Any = None


Node: TypeAlias = (
    Record | Scalar | Enum | ListOf | MapOf | Schedule | Mixture | Duration | Tensors | Opaque | Unknown
)
