"""Conversion of logged rows into stream definitions and point groups, which batches hold."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from helm_sdk._recorder.buffer import Row
from helm_sdk._shared.notice import Notices
from helm_sdk.protocol.messages import PointGroup, StreamDef

MAX_NAME = 512
_MAX_COLUMNS = 2000  # streams in one group, so that a single row still fits a batch
_MAX_SETS = 512  # sets of names that are logged together
_GROUP_BYTES = 48 * 1024

Key = tuple[tuple[str, ...], tuple[str, ...]]  # names of values, names of axes


@dataclass
class Definition:
    """The unit of a stream, and which values are better, as `Run.define` set them."""

    unit: str = ""
    better: str = ""  # "lower", "higher" or empty


class PointColumns:
    """Assigns stream ids to names, and groups rows of the same names; each stream keeps its order."""

    def __init__(self, anchor: float, notices: Notices) -> None:
        self._anchor = anchor  # unix seconds at the monotonic clock's zero
        self._notices = notices
        self._ids: dict[tuple[str, str], int] = {}  # (kind, name)
        self._used_names: set[tuple[str, str]] = set()
        self._plans: dict[Key, tuple[int, ...]] = {}
        self._overlapping: dict[Key, set[Key]] = {}
        self._keys_of: dict[int, set[Key]] = {}
        self._counts: dict[str, int] = {}  # of names that are logged without a step
        self._last: dict[Key, int] = {}
        self.defined: dict[str, Definition] = {}
        self._streams: dict[int, StreamDef] = {}
        self._new: list[StreamDef] = []
        self.first_step: int | None = None

    def group(self, rows: Iterable[Row]) -> list[PointGroup]:
        """Return the groups of these rows; a row closes open groups of other sets that share a stream."""
        open_groups: dict[Key, list[Row]] = {}
        done: list[PointGroup] = []
        names: tuple[str, ...] | None = None  # of the row before, if this row may simply follow it
        count: int | None = None  # the next step of those names, if they are logged without one
        current: list[Row] = []
        for row in rows:
            values, step, at, axes = row
            if axes is None and tuple(values) == names and (step is None) == (count is not None):
                if count is not None:
                    row = (values, count, at, None)
                    count += 1
                current.append(row)
                continue
            self._store_count(names, count)
            names = count = None
            parts = list(self._stepped(row))
            for part in parts:
                current = self._open_group(part, open_groups, done)
                current.append(part)
            if len(parts) == 1 and axes is None:
                names = tuple(values)
                count = self._counts[names[0]] if step is None else None
        self._store_count(names, count)
        for key, left in open_groups.items():
            done.extend(self._close(key, left))
        return done

    @property
    def streams(self) -> list[StreamDef]:
        """Every stream so far, by its newest definition."""
        return list(self._streams.values())

    def stream(self, number: int) -> StreamDef:
        """Return the newest definition of a stream, by its id."""
        return self._streams[number]

    def pop_new_definitions(self) -> list[StreamDef]:
        """Return the definitions since the last call."""
        new, self._new = self._new, []
        return new

    def define(self, name: str, definition: Definition) -> None:
        """Set the unit and direction of a name; a stream that exists already gets a new definition."""
        self.defined[name] = definition
        number = self._ids.get(("scalar", name))
        if number is not None:
            self._announce(StreamDef(id=number, name=name, unit=definition.unit, better=definition.better))

    def _open_group(self, row: Row, open_groups: dict[Key, list[Row]], done: list[PointGroup]) -> list[Row]:
        """Return the rows of the open group that this row belongs to; a new group is empty."""
        values, step, _, axes = row
        key = (tuple(values), tuple(axes) if axes else ())
        if key not in self._plans:
            self._learn(key)
            if self.first_step is None:
                self.first_step = step
        for other in self._overlapping[key] & open_groups.keys():
            done.extend(self._close(other, open_groups.pop(other)))
        return open_groups.setdefault(key, [])

    def _store_count(self, names: tuple[str, ...] | None, count: int | None) -> None:
        if names is not None and count is not None:
            self._counts.update(dict.fromkeys(names, count))

    def _stepped(self, row: Row) -> Iterable[Row]:
        """Yield the row with a step; without one, a row for each count that its names have reached."""
        values, step, at, axes = row
        if not values:
            return
        if step is not None and not self._is_over_set_limit(values, axes):
            yield row
            return
        if step is not None:
            for name, value in values.items():
                yield {name: value}, step, at, None
            for name, value in (axes or {}).items():
                yield {}, step, at, {name: value}
            return
        by_count: dict[int, dict[str, float]] = {}
        for name, value in values.items():
            count = self._counts.get(name, 0)
            self._counts[name] = count + 1
            by_count.setdefault(count, {})[name] = value
        for count, part in by_count.items():
            yield part, count, at, axes

    def _is_over_set_limit(self, values: dict[str, float], axes: dict[str, float] | None) -> bool:
        """Return True when the names are a new set above the limit: each is stored alone, to bound memory."""
        if len(self._plans) < _MAX_SETS or len(values) + len(axes or ()) == 1:
            return False
        return (tuple(values), tuple(axes) if axes else ()) not in self._plans

    def _learn(self, key: Key) -> None:
        names, axes = key
        self._plans[key] = tuple(self._id("scalar", name) for name in names) + tuple(
            self._id("axis", name) for name in axes
        )
        overlapping: set[Key] = set()
        for number in self._plans[key]:
            keys = self._keys_of.setdefault(number, set())
            overlapping |= keys
            keys.add(key)
        self._overlapping[key] = overlapping - {key}
        for other in self._overlapping[key]:
            self._overlapping[other].add(key)

    def _id(self, kind: str, name: str) -> int:
        number = self._ids.get((kind, name))
        if number is None:
            number = self._ids[(kind, name)] = len(self._streams) + 1
            defined = self.defined.get(name, Definition())
            text = self._recorded_name(kind, name)
            self._announce(
                StreamDef(id=number, name=text, kind=kind, unit=defined.unit, better=defined.better)
            )
        return number

    def _recorded_name(self, kind: str, name: object) -> str:
        """Return the name to record: a text of at most MAX_NAME characters that no other stream has."""
        clean = str(name).encode("utf-8", "backslashreplace").decode()[:MAX_NAME]
        if not isinstance(name, str):
            self._notices.once(f"name {clean}", f"A name is text, {name!r} is not: its text is used")
        elif clean != name:
            text = f"A name has over {MAX_NAME} characters or is not valid Unicode: it is shortened"
            self._notices.once(f"clean {clean}", text)
        if (kind, clean) in self._used_names:
            mark = hashlib.sha256(repr(name).encode("utf-8", "backslashreplace")).hexdigest()[:6]
            clean = f"{clean[: MAX_NAME - 7]}~{mark}"
        self._used_names.add((kind, clean))
        return clean

    def _announce(self, stream: StreamDef) -> None:
        self._new.append(stream)
        self._streams[stream.id] = stream

    def _close(self, key: Key, rows: list[Row]) -> Iterator[PointGroup]:
        """Yield the rows of one set as groups of at most _GROUP_BYTES, in order."""
        self._watch_steps(key, [row[1] for row in rows])
        ids, (names, axes) = self._plans[key], key
        height = max(1, _GROUP_BYTES // (16 + 8 * min(len(ids), _MAX_COLUMNS)))
        for top in range(0, len(rows), height):
            values, steps, times, further = zip(*rows[top : top + height], strict=True)
            columns = list(zip(*map(dict.values, values), strict=True)) if names else []
            if axes:
                columns.extend(zip(*map(dict.values, further), strict=True))
            pack = struct.Struct(f"<{len(steps)}d").pack
            for left in range(0, len(ids), _MAX_COLUMNS):
                part = columns[left : left + _MAX_COLUMNS]
                yield PointGroup(
                    streams=ids[left : left + _MAX_COLUMNS],
                    steps=struct.pack(f"<{len(steps)}q", *steps),
                    times=pack(*[self._anchor + time for time in times]),
                    values=b"".join([pack(*column) for column in part]),
                )

    def _watch_steps(self, key: Key, steps: list[Any]) -> None:
        before = self._last.get(key)
        if (before is not None and steps[0] < before) or sorted(steps) != steps:
            first = (*key[0], *key[1])[0]
            self._notices.once(
                "back", f"The step of {first!r} went back: every point is kept (reported once)"
            )
        self._last[key] = steps[-1]
