"""Rows as logged, turned into stream definitions and point groups: what a batch holds."""

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
_MAX_SETS = 512  # of names that are logged together
_GROUP_BYTES = 48 * 1024

Key = tuple[tuple[str, ...], tuple[str, ...]]  # names of values, names of axes


@dataclass
class Definition:
    """What `Run.define` said of a name."""

    unit: str = ""
    better: str = ""


class PointColumns:
    """Gives names their stream ids and groups rows that share their names, keeping each stream's order."""

    def __init__(self, anchor: float, notices: Notices) -> None:
        self._anchor = anchor  # unix seconds at the monotonic clock's zero
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
        self._fresh: list[StreamDef] = []
        self.first_step: int | None = None

    def group(self, rows: Iterable[Row]) -> list[PointGroup]:
        """The groups of these rows; a row whose streams another group holds closes that group first."""
        open_groups: dict[Key, list[Row]] = {}
        done: list[PointGroup] = []
        names: tuple[str, ...] | None = None  # of the row before, where nothing else has to be looked at
        count: int | None = None  # of each of its names, where they are counted
        held: list[Row] = []
        for row in rows:
            values, step, at, axes = row
            if axes is None and tuple(values) == names and (step is None) == (count is not None):
                if count is not None:
                    row = (values, count, at, None)
                    count += 1
                held.append(row)
                continue
            self._count(names, count)
            names = count = None
            parts = list(self._stepped(row))
            for part in parts:
                held = self._opened(part, open_groups, done)
                held.append(part)
            if len(parts) == 1 and axes is None:
                names = tuple(values)
                count = self._counts[names[0]] if step is None else None
        self._count(names, count)
        for key, left in open_groups.items():
            done.extend(self._close(key, left))
        return done

    @property
    def streams(self) -> list[StreamDef]:
        """Every stream so far, as last defined."""
        return list(self._streams.values())

    def stream(self, number: int) -> StreamDef:
        """Return a stream as last defined."""
        return self._streams[number]

    def pop_new_definitions(self) -> list[StreamDef]:
        """Definitions that nobody has taken yet."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def define(self, name: str, definition: Definition) -> None:
        """Unit and direction of a name; a stream that exists already is told anew."""
        self.defined[name] = definition
        number = self._ids.get(("scalar", name))
        if number is not None:
            self._announce(StreamDef(id=number, name=name, unit=definition.unit, better=definition.better))

    def _opened(self, row: Row, open_groups: dict[Key, list[Row]], done: list[PointGroup]) -> list[Row]:
        """Return the open group that this row belongs to."""
        values, step, _, axes = row
        key = (tuple(values), tuple(axes) if axes else ())
        if key not in self._plans:
            self._learn(key)
            if self.first_step is None:
                self.first_step = step
        for rival in self._rivals[key] & open_groups.keys():
            done.extend(self._close(rival, open_groups.pop(rival)))
        return open_groups.setdefault(key, [])

    def _count(self, names: tuple[str, ...] | None, count: int | None) -> None:
        if names is not None and count is not None:
            self._counts.update(dict.fromkeys(names, count))

    def _stepped(self, row: Row) -> Iterable[Row]:
        """Yield the row with the steps of its names, in as many rows as that takes."""
        values, step, at, axes = row
        if not values:
            return
        if step is not None and not self._is_one_too_many(values, axes):
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

    def _is_one_too_many(self, values: dict[str, float], axes: dict[str, float] | None) -> bool:
        """Return the names whose combinations are always new: each is stored alone, nothing grows here."""
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
            message = self.defined.get(name, Definition())
            reported = self._text(kind, name)
            self._announce(
                StreamDef(id=number, name=reported, kind=kind, unit=message.unit, better=message.better)
            )
        return number

    def _text(self, kind: str, name: object) -> str:
        """Return the name to record: text of at most MAX_NAME characters that no other stream has."""
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
        self._fresh.append(stream)
        self._streams[stream.id] = stream

    def _close(self, key: Key, rows: list[Row]) -> Iterator[PointGroup]:
        """Groups of at most _GROUP_BYTES, in the order of their rows."""
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
            self._notices.once("back", f"the step of {first!r} went back: every point is kept (told once)")
        self._last[key] = steps[-1]
