"""Values that every rank gives, reduced on rank 0 once all have come. No loop waits for it."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from typing import Any

from helm_sdk._shared.notice import Notices
from helm_sdk._shared.scalars import PendingScalar, number

Row = tuple[str, int | None, dict[str, Any]]  # (op, step, values by name)
Log = Callable[[Mapping[str, float], int | None], None]

_OPEN = 10_000  # values that wait for other ranks; the oldest are given up first
_HELD = 10_000  # rows that wait to be sent


class RankValues:
    """What this rank gave, until it is sent; a device's value waits for its copy."""

    def __init__(self) -> None:
        self._rows: deque[Row] = deque(maxlen=_HELD)
        self._sending = threading.Lock()
        self._notices = Notices()
        self.given = False  # whether the loop has given anything yet

    def add(self, values: Mapping[str, Any], op: str, step: int | None) -> None:
        """Take a row from the loop."""
        self.given = True
        kept: dict[str, Any] = {}
        for name, value in dict(values).items():
            read = number(value)
            if read is None:
                self._notices.once(f"reduce {name}", f"{name} is no number and was left out (told once)")
            else:
                kept[str(name)] = read
        self._rows.append((op, step, kept))

    def send(self, post: Callable[[list[Row]], None], *, all_: bool = False) -> None:
        """Hand the rows that can be sent to `post`, in order; returns once nobody else is sending any either.

        Two threads send, one each 0.25 s and one at the end: what the end says next must come after all rows.
        """
        with self._sending:
            rows = self._ready(all_)
            if rows:
                post(rows)

    def _ready(self, all_: bool) -> list[Row]:
        rows: list[Row] = []
        while self._rows:
            op, step, values = self._rows[0]
            if not all_ and any(
                isinstance(one, PendingScalar) and not one.ready() for one in values.values()
            ):
                break
            self._rows.popleft()
            plain = {
                name: one.read() if isinstance(one, PendingScalar) else one for name, one in values.items()
            }
            rows.append((op, step, plain))
        return rows


class Reducer:
    """Rank 0's: logs a value when every rank has given it."""

    def __init__(self, world: int, log: Log) -> None:
        self._world = world
        self._log = log
        self._open: OrderedDict[tuple[str, int | None, str], dict[int, deque[float]]] = OrderedDict()
        self._lock = threading.Lock()
        self._notices = Notices()

    @property
    def waiting(self) -> bool:
        """Whether some rank has yet to give what others gave."""
        return bool(self._open)

    def add(self, rank: int, rows: list[Any]) -> None:
        """Take rows of one rank."""
        with self._lock:
            for op, step, values in rows:
                found: dict[str, float] = {}
                for name, value in values.items():
                    given = self._open.setdefault((op, step, name), {})
                    given.setdefault(rank, deque()).append(value)
                    if len(given) == self._world and all(given.values()):
                        found[name] = reduced([given[one].popleft() for one in range(self._world)], op)
                        if not any(given.values()):
                            del self._open[op, step, name]
                if found:
                    self._log(found, step)
            while len(self._open) > _OPEN:
                (_, step, name), given = self._open.popitem(last=False)
                missing = [one for one in range(self._world) if not given.get(one)]
                self._notices.once(
                    "lacking", f"{name} at step {step} lacks ranks {missing} and was left out (told once)"
                )


def reduced(values: list[float], op: str) -> float:
    """Return one value out of each rank's, in the order of the ranks; NaN wherever one is."""
    if any(math.isnan(value) for value in values):
        return math.nan
    if op == "max":
        return max(values)
    if op == "min":
        return min(values)
    total = sum(values)
    return total / len(values) if op == "mean" else total
