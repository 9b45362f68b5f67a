"""One rule on one stream of one attempt: is it so at this point, since when, has it lasted long enough."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from helm_sdk.rules.spec import Rule


@dataclass(frozen=True, slots=True)
class WatchedStream:
    """Whose points they are."""

    process: str
    attempt: int
    name: str
    better: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """The point at which a rule has lasted long enough."""

    stream: WatchedStream
    step: int | None
    time: float
    value: float | None  # None: there was no point, that is what was waited for


Report = Callable[[Hit], None]
Points = Iterable[tuple[int, float, float]]  # step, time, value


class Watch:
    """Quiet, pending since a point, or fired; a point at which it is not so resets it."""

    __slots__ = ("_report", "_seconds", "_steps", "began", "last", "lasted", "rule", "stream")

    def __init__(self, rule: Rule, stream: WatchedStream, report: Report) -> None:
        self.rule = rule
        self.stream = stream
        self._report = report
        self._steps, self._seconds = rule.hold.steps, rule.hold.seconds
        self.began: tuple[int, float] | None = None  # step and time of the first point of this row
        self.last: tuple[int, float] | None = None
        self.lasted = False  # it has fired and is so still

    @property
    def busy(self) -> bool:
        """Whether the next point matters even if it is not so."""
        return self.began is not None

    def holds(self, step: int, time: float, value: float) -> bool:
        """Return True when it is so at this point; called once for each."""
        raise NotImplementedError

    def calm(self, low: float, high: float, finite: bool) -> bool:
        """Whether it can be so at none of some points, by their least and greatest: they are passed over."""
        return False

    def add(self, points: Points) -> None:
        """The next points, in the order they were logged."""
        for step, time, value in points:
            if not self.holds(step, time, value):
                self.began = None
                self.lasted = False
                continue
            self.last = (step, time)
            if self.began is None or step < self.began[0]:
                self.began, self.lasted = (step, time), False
            if not self.lasted and self._long_enough(step, time):
                self.lasted = True
                self._report(Hit(self.stream, step, time, value))

    def _long_enough(self, step: int, time: float) -> bool:
        assert self.began is not None
        if self._steps is not None:
            return step - self.began[0] + 1 >= self._steps
        return self._seconds is None or time - self.began[1] >= self._seconds


class AboveWatch(Watch):
    """More than the value; what is not a number is not more."""

    __slots__ = ()

    def holds(self, step: int, time: float, value: float) -> bool:
        return value > self.rule.value

    def calm(self, low: float, high: float, finite: bool) -> bool:
        return high <= self.rule.value


class BelowWatch(Watch):
    """Less than the value."""

    __slots__ = ()

    def holds(self, step: int, time: float, value: float) -> bool:
        return value < self.rule.value

    def calm(self, low: float, high: float, finite: bool) -> bool:
        return low >= self.rule.value


class NotFiniteWatch(Watch):
    """NaN or an infinity."""

    __slots__ = ()

    def holds(self, step: int, time: float, value: float) -> bool:
        return not math.isfinite(value)

    def calm(self, low: float, high: float, finite: bool) -> bool:
        return finite


class ChangeWatch(Watch):
    """Percent against the newest point that lies `over` back, or the point before."""

    __slots__ = ("_kept",)

    def __init__(self, rule: Rule, stream: WatchedStream, report: Report) -> None:
        super().__init__(rule, stream, report)
        self._kept: deque[tuple[int, float, float]] = deque()

    def holds(self, step: int, time: float, value: float) -> bool:
        if not math.isfinite(value):
            return False
        kept = self._kept
        if kept and step < kept[-1][0]:
            kept.clear()  # the run went back: what came after does not count
        while len(kept) > 1 and self._back(kept[1], step, time):
            kept.popleft()
        before = kept[0] if kept and self._back(kept[0], step, time) else None
        kept.append((step, time, value))
        if before is None or before[2] == 0.0:
            return False
        percent = 100.0 * (value - before[2]) / abs(before[2])
        return percent > self.rule.value if self.rule.value > 0 else percent < self.rule.value

    def _back(self, point: tuple[int, float, float], step: int, time: float) -> bool:
        over = self.rule.over
        if over.steps is not None:
            return point[0] <= step - over.steps
        return over.seconds is None or point[1] <= time - over.seconds


class PlateauWatch(Watch):
    """No point was better than the best so far by more than the value in percent."""

    __slots__ = ("_best", "_sign")

    def __init__(self, rule: Rule, stream: WatchedStream, report: Report) -> None:
        super().__init__(rule, stream, report)
        self._sign = -1.0 if (rule.better or stream.better) == "higher" else 1.0
        self._best: float | None = None

    def holds(self, step: int, time: float, value: float) -> bool:
        if not math.isfinite(value):
            return self._best is not None
        value *= self._sign
        if self._best is None or value < self._best - abs(self._best) * self.rule.value / 100.0:
            self._best = value
            return False
        return True


class NoDataWatch(Watch):
    """Nothing came for the rule's own time; a gap between two points counts as much as one that lasts."""

    __slots__ = ("seen",)

    def __init__(self, rule: Rule, stream: WatchedStream, report: Report) -> None:
        super().__init__(rule, stream, report)
        self.seen: float | None = None

    def add(self, points: Points) -> None:
        for step, time, _ in points:
            self.on_point(step, time)

    def on_point(self, step: int, time: float) -> None:
        """A point came."""
        self.silent(time)
        self.lasted, self.began = False, None
        self.seen = time if self.seen is None else max(self.seen, time)
        self.last = (step, time)

    def silent(self, now: float) -> None:
        """Nothing has come until now."""
        seconds = self.rule.hold.seconds or math.inf
        if self.seen is not None and not self.lasted and now - self.seen >= seconds:
            self.lasted = True
            step = None if self.last is None else self.last[0]
            self.began = (step or 0, self.seen)
            self._report(Hit(self.stream, step, self.seen + seconds, None))


KINDS: dict[str, type[Watch]] = {
    "above": AboveWatch,
    "below": BelowWatch,
    "not finite": NotFiniteWatch,
    "change": ChangeWatch,
    "no data": NoDataWatch,
    "plateau": PlateauWatch,
}


def extremes(values: Sequence[float]) -> tuple[float, float, bool]:
    """Least, greatest, and whether all are finite; for what is not, extremes that leave nothing out."""
    if math.isfinite(sum(values)):  # inf where finite values add up to too much: then each is looked at
        return min(values), max(values), True
    return -math.inf, math.inf, False
