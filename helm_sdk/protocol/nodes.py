"""The nodes of an input schema, one frozen dataclass for each kind."""

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
"""Stands for "no default" (None is a default value itself)."""


@dataclass(frozen=True)
class Bounds:
    """Bounds of a number; an exclusive bound is not itself allowed. None: no bound on that side."""

    min: Decimal | None = None
    max: Decimal | None = None
    exclusive_min: bool = False
    exclusive_max: bool = False

    @property
    def closed(self) -> bool:
        """Whether both bounds are given, as a slider needs."""
        return self.min is not None and self.max is not None

    def broken_by(self, number: Decimal) -> str:
        """Return what a number outside the bounds must be, such as "0 or more"; empty when it is inside."""
        if self.min is not None and (number < self.min or (self.exclusive_min and number == self.min)):
            return f"more than {self.min}" if self.exclusive_min else f"{self.min} or more"
        if self.max is not None and (number > self.max or (self.exclusive_max and number == self.max)):
            return f"less than {self.max}" if self.exclusive_max else f"{self.max} or less"
        return ""


NO_BOUNDS: Final = Bounds()


@dataclass(frozen=True)
class Field:
    """A named field of a record."""

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
        """Return the field of that name; None when there is none."""
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
    """A choice between values, each with the label that is shown."""

    values: tuple[Any, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class ListOf:
    """A list of values of one type."""

    item: Node
    min_length: int = 0
    max_length: int | None = None


@dataclass(frozen=True)
class MapOf:
    """An object whose values have one type; `key_pattern`: a regular expression for the whole name."""

    value: Node
    key_pattern: str = ""
    min_length: int = 0
    max_length: int | None = None
    pattern: re.Pattern[str] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Schedule:
    """A value over an axis, interpolated linearly between its points; `at` increases strictly."""

    axis: str = "step"
    unit: str = ""
    bounds: Bounds = NO_BOUNDS


@dataclass(frozen=True)
class Mixture:
    """A weight for each component; `sampled`: the streams of the drawn shares, "data/mix/{component}"."""

    components: tuple[str, ...]
    sampled: str = ""
    bounds: Mapping[str, Bounds] = field(default_factory=dict)  # on the weight as sent, by component

    def sampled_stream(self, component: str) -> str:
        """Return the stream of the share of `component` that was drawn; empty when none is declared."""
        return self.sampled.replace("{component}", component)


@dataclass(frozen=True)
class Duration:
    """A duration in seconds."""

    bounds: Bounds = NO_BOUNDS


@dataclass(frozen=True)
class Tensors:
    """A selection of tensors, the stage of the step to capture them at, and summaries of them."""

    stages: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict)  # the greatest numbers, by field name


@dataclass(frozen=True)
class Opaque:
    """Any JSON value."""


@dataclass(frozen=True)
class Unknown:
    """A kind that this version does not know; it accepts any JSON value, as Opaque does."""

    kind: str
    raw: Any = None


Node: TypeAlias = (
    Record | Scalar | Enum | ListOf | MapOf | Schedule | Mixture | Duration | Tensors | Opaque | Unknown
)
