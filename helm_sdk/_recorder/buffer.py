"""The buffer between loop and recorder: a bounded deque of rows.

While it is not full, the loop appends without a lock and without waking the recorder's thread.
"""

from __future__ import annotations

import operator
import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from helm_sdk._shared.notice import Notices
from helm_sdk._shared.scalars import PendingScalar, number

DEFAULT_BOUND = 256 << 20
_ROW_BYTES = 400  # a dict, a tuple, a time and a step
_SCALAR_BYTES = 64  # its slot in the dict and its float
_WIDTH = 10  # scalars in a row, until a wider row was seen
_UNPACKED_BYTES = 8 << 20  # of rows that are not packed: each is work for Python's garbage collection
_STEP_MIN, _STEP_MAX = -(1 << 63), (1 << 63) - 1

Axes = dict[str, float]
Row = tuple[dict[str, Any], int | None, float, Axes | None]  # values, step, monotonic seconds, axes
_values = operator.itemgetter(0)


class PendingRow(dict[str, Any]):
    """The values of a row; some are still being copied from a device."""


class Buffer:
    """Rows that wait for the recorder.

    Above a few megabytes `pack_oldest` packs the oldest rows; above the bound new points are lost.
    """

    def __init__(self, bound: int | None = None) -> None:
        self.rows: deque[Row] = deque()
        self.pop_lock = threading.Lock()  # locked from popping rows until they are queued in their order
        self.pack_oldest: Callable[[], bool] | None = None  # packs the oldest rows; True when that made room
        self.notices = Notices()
        self.lost = 0
        self.max_rows = 0
        self.bound = bound_setting() if bound is None else bound
        self._most_rows = 0
        self._widest = _WIDTH
        self._row_bytes = _ROW_BYTES + _WIDTH * _SCALAR_BYTES
        self._has_pending = False  # whether any row ever waited for a device
        self.reserve(0)

    def reserve(self, packed: int) -> None:
        """Set how many bytes of the bound are used by packed points that wait for the disk."""
        self._most_rows = max(0, self.bound - packed) // self._row_bytes
        unpacked = min(self._most_rows, _UNPACKED_BYTES // self._row_bytes)
        self.max_rows = self._most_rows if self.pack_oldest is None else unpacked

    def make_room(self, points: int) -> bool:
        """Make room for one more row of `points` values when the buffer is full; False when they are lost."""
        pack_oldest = self.pack_oldest
        if (pack_oldest is not None and pack_oldest()) or len(self.rows) < self._most_rows:
            return True
        self.lose(points)
        return False

    def lose(self, points: int) -> None:
        """Count lost points, and report the first loss."""
        self.lost += points
        self.notices.once("full", "The disk is full or too slow, and the buffer is full: new points are lost")

    def read(self, values: dict[Any, Any]) -> dict[str, Any]:
        """Return the numbers among `values`; other values are left out and reported once for each name."""
        row: dict[str, Any] = {}
        pending = False
        for name, value in values.items():
            got = value if type(value) is float else number(value)
            if got is None:
                kind = type(value).__name__
                self.notices.once(
                    f"value {name!r}",
                    f"The value of {name!r} is no number but {kind}: it is left out (reported once)",
                )
            else:
                row[name] = got
                pending = pending or type(got) is PendingScalar
        if not pending:
            return row
        self._has_pending = True
        return PendingRow(row)

    def read_step(self, step: Any) -> int | None:
        """Return a step as an int64; None when it is no whole number, which is reported once."""
        whole = whole_number(step)
        if whole is None:
            self.notices.once("step", f"A step is a whole number of 64 bits, {step!r} is not (reported once)")
        return whole

    def pop(self, limit: int) -> list[Row]:
        """Remove and return the oldest rows, about `limit` scalars; stop at one that waits for a device."""
        rows = self.rows
        pop = rows.popleft
        popped: list[Row] = []
        scalars = 0
        while rows and scalars < limit:
            part = [pop() for _ in range(min(len(rows), max(1, (limit - scalars) // self._widest)))]
            scalars += sum(map(len, map(_values, part)))
            popped += part
        if self._has_pending:
            for at, row in enumerate(popped):
                if type(row[0]) is PendingRow and not _read_values(row[0]):
                    rows.extendleft(reversed(popped[at:]))
                    del popped[at:]
                    break
        if popped:
            self._learn_width(max(map(len, map(_values, popped))))
        return popped

    def _learn_width(self, names: int) -> None:
        """Remember the widest row: the bound is counted in rows of that width, not in bytes."""
        if names > self._widest:
            self._widest = names
            self._row_bytes = _ROW_BYTES + names * _SCALAR_BYTES


def whole_number(value: Any) -> int | None:
    """Return a whole number of any type (int, float, NumPy, torch, Decimal) as an int64; None for others."""
    try:
        plain = value.item() if hasattr(value, "item") else value
        if isinstance(plain, bool | str | bytes | bytearray | complex):
            return None
        try:
            whole = operator.index(plain)
        except TypeError:
            whole = int(plain)
            if whole != plain:
                return None
    except Exception:
        return None
    return whole if _STEP_MIN <= whole <= _STEP_MAX else None


def bound_setting() -> int:
    """Return HELM_RUN_BUFFER_MB in bytes: what waits in memory for the disk before new points are lost."""
    try:
        return max(1, round(float(os.environ.get("HELM_RUN_BUFFER_MB", "")) * (1 << 20)))
    except (ValueError, OverflowError):
        return DEFAULT_BOUND


def _read_values(values: dict[str, Any]) -> bool:
    waiting = {name: value for name, value in values.items() if type(value) is PendingScalar}
    if not all(value.ready() for value in waiting.values()):
        return False
    for name, value in waiting.items():
        values[name] = value.read()
    return True
