"""Rows as logged, turned into stream definitions and point groups: what a batch holds."""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from helm_sdk._buffer import Row
from helm_sdk._notice import Notices
from helm_sdk.protocol.messages import PointGroup, StreamDef

MAX_NAME = 512
_MAX_COLUMNS = 2000  # streams in one group, so that a single row still fits a batch
_MAX_SETS = 512  # of names that are logged together
_GROUP_BYTES = 48 * 1024

Key = tuple[tuple[str, ...], tuple[str, ...]]  # names of values, names of axes


@dataclass
class _Open:
    rows: list[Row] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)


@dataclass
class Definition:
    """What `Run.define` said of a name."""

    unit: str = ""
    better: str = ""


class Columns:
    """Gives names their stream ids and groups rows that share their names, keeping each stream's order."""

    def __init__(self, clock: Callable[[float], float], notices: Notices) -> None:
        self._clock = clock  # monotonic seconds to unix seconds
        self._notices = notices
        self._ids: dict[tuple[str, str], int] = {}  # (kind, name)
        self._told: set[tuple[str, str]] = set()
        self._plans: dict[Key, tuple[int, ...]] = {}
        self._rivals: dict[Key, set[Key]] = {}
        self._users: dict[int, set[Key]] = {}
        self._counts: dict[str, int] = {}
        self._last: dict[Key, int] = {}
        self.defined: dict[str, Definition] = {}
        self._streams: dict[int, StreamDef] = {}
        self.fresh: list[StreamDef] = []  # definitions that no batch has carried yet
        self.first_step: int | None = None

    def group(self, rows: Iterable[Row]) -> list[PointGroup]:
        """The groups of these rows; a row whose streams another group holds closes that group first."""
        open_groups: dict[Key, _Open] = {}
        done: list[PointGroup] = []
        for row in rows:
            for values, step, axes in self._stepped(row):
                key = (tuple(values), tuple(axes) if axes else ())
                if key not in self._plans:
                    self._learn(key)
                    if self.first_step is None:
                        self.first_step = step
                for rival in self._rivals[key] & open_groups.keys():
                    done.extend(self._close(rival, open_groups.pop(rival)))
                held = open_groups.get(key)
                if held is None:
                    held = open_groups[key] = _Open()
                held.rows.append((values, step, row[2], axes))
                held.steps.append(step)
        for key, held in open_groups.items():
            done.extend(self._close(key, held))
        return done

    @property
    def streams(self) -> list[StreamDef]:
        """Every stream so far, as last defined."""
        return list(self._streams.values())

    def define(self, name: str, definition: Definition) -> None:
        """Unit and direction of a name; a stream that exists already is told anew."""
        self.defined[name] = definition
        number = self._ids.get(("scalar", name))
        if number is not None:
            self._announce(StreamDef(id=number, name=name, unit=definition.unit, better=definition.better))

    def _stepped(self, row: Row) -> Iterable[tuple[dict[str, float], int, dict[str, float] | None]]:
        values, step, _, axes = row
        if not values:
            return
        if step is not None and not self._is_one_too_many(values, axes):
            yield values, step, axes
            return
        if step is not None:
            for name, value in values.items():
                yield {name: value}, step, None
            for name, value in (axes or {}).items():
                yield {}, step, {name: value}
            return
        by_count: dict[int, dict[str, float]] = {}
        for name, value in values.items():
            count = self._counts.get(name, 0)
            self._counts[name] = count + 1
            by_count.setdefault(count, {})[name] = value
        for count, part in by_count.items():
            yield part, count, axes

    def _is_one_too_many(self, values: dict[str, float], axes: dict[str, float] | None) -> bool:
        """Names that come in ever new company: then each goes alone, so that nothing here grows with them."""
        if len(self._plans) < _MAX_SETS or len(values) + len(axes or ()) == 1:
            return False
        return (tuple(values), tuple(axes) if axes else ()) not in self._plans

    def _learn(self, key: Key) -> None:
        names, axes = key
        self._plans[key] = tuple(self._id("scalar", name) for name in names) + tuple(
            self._id("axis", name) for name in axes
        )
        rivals: set[Key] = set()
        for number in self._plans[key]:
            users = self._users.setdefault(number, set())
            rivals |= users
            users.add(key)
        self._rivals[key] = rivals - {key}
        for other in self._rivals[key]:
            self._rivals[other].add(key)

    def _id(self, kind: str, name: str) -> int:
        number = self._ids.get((kind, name))
        if number is None:
            number = self._ids[(kind, name)] = len(self._streams) + 1
            said = self.defined.get(name, Definition())
            told = self._text(kind, name)
            self._announce(StreamDef(id=number, name=told, kind=kind, unit=said.unit, better=said.better))
        return number

    def _text(self, kind: str, name: object) -> str:
        """The name as it is told: text of at most MAX_NAME characters that no other stream has."""
        clean = str(name).encode("utf-8", "backslashreplace").decode()[:MAX_NAME]
        if not isinstance(name, str):
            self._notices.once(f"name {clean}", f"a name is text, {name!r} is not: its text is taken")
        elif clean != name:
            long = f"a name over {MAX_NAME} characters or outside Unicode: shortened"
            self._notices.once(f"clean {clean}", long)
        if (kind, clean) in self._told:
            mark = hashlib.sha256(repr(name).encode("utf-8", "backslashreplace")).hexdigest()[:6]
            clean = f"{clean[: MAX_NAME - 7]}~{mark}"
        self._told.add((kind, clean))
        return clean

    def _announce(self, stream: StreamDef) -> None:
        self.fresh.append(stream)
        self._streams[stream.id] = stream

    def _close(self, key: Key, held: _Open) -> list[PointGroup]:
        self._watch_steps(key, held.steps)
        ids = self._plans[key]
        columns = [array("d", column) for column in zip(*(row[0].values() for row in held.rows), strict=True)]
        if key[1]:
            axes = zip(*((row[3] or {}).values() for row in held.rows), strict=True)
            columns.extend(array("d", column) for column in axes)
        times = array("d", [self._clock(row[2]) for row in held.rows])
        steps = array("q", held.steps)
        return list(_cut(ids, steps, times, columns))

    def _watch_steps(self, key: Key, steps: list[int]) -> None:
        before = self._last.get(key)
        if (before is not None and steps[0] < before) or any(map(int.__lt__, steps[1:], steps)):
            self._notices.once(
                "back", f"the step of {key[0][0]!r} went back: every point is kept (told once)"
            )
        self._last[key] = steps[-1]


def _cut(
    ids: tuple[int, ...], steps: array[int], times: array[float], columns: list[array[float]]
) -> Iterable[PointGroup]:
    """Groups of at most _GROUP_BYTES, in the order of their rows."""
    for left in range(0, len(ids), _MAX_COLUMNS):
        part = columns[left : left + _MAX_COLUMNS]
        height = max(1, _GROUP_BYTES // (16 + 8 * len(part)))
        for top in range(0, len(steps), height):
            rows = slice(top, top + height)
            yield PointGroup(
                streams=ids[left : left + _MAX_COLUMNS],
                steps=_bytes(steps[rows]),
                times=_bytes(times[rows]),
                values=b"".join(_bytes(column[rows]) for column in part),
            )


def _bytes(numbers: array[int] | array[float]) -> bytes:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()
