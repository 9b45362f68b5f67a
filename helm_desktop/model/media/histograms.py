"""The histograms that a run logged, by name and step. A file is read when its histogram is drawn."""

from __future__ import annotations

import json
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from helm_desktop.model.media.media_model import MediaItem
from helm_desktop.model.series.number_column import Array

CACHED = 2_048  # histograms of a name whose content is kept in memory
Request = Callable[[MediaItem], None]


@dataclass(frozen=True, slots=True)
class LoggedHistogram:
    """The histogram of one step: counts between edges."""

    step: int
    counts: Array
    edges: Array


class Histograms:
    """The histograms of one name; of a step that was logged twice the later one."""

    def __init__(self, request: Request | None = None) -> None:
        self.steps: list[int] = []
        self.times: list[float] = []  # the time of each step, never falling
        self._request = request
        self._items: dict[int, MediaItem] = {}
        self._read: dict[int, LoggedHistogram | None] = {}

    @staticmethod
    def of(histograms: Iterable[LoggedHistogram]) -> Histograms:
        """Return a collection of histograms that are in memory already."""
        made = Histograms()
        for one in histograms:
            made._index(one.step, float(one.step))
            made._read[one.step] = one
        return made

    def __len__(self) -> int:
        return len(self.steps)

    def add(self, item: MediaItem) -> None:
        """Add a histogram by its media item; its file is read later."""
        known = self._items.get(item.step)
        if known is None or item.order >= known.order:
            self._items[item.step] = item
            self._read.pop(item.step, None)
            self._index(item.step, item.time)

    def set_content(self, item: MediaItem, histogram: LoggedHistogram | None) -> None:
        """Store the content of a file; None when it cannot be read."""
        if self._items.get(item.step) is not item:
            return
        while len(self._read) >= CACHED:
            del self._read[next(iter(self._read))]
        self._read[item.step] = histogram

    def index_at(self, x: float, *, over_time: bool = False) -> int:
        """Return the index of the last histogram at x or before it; -1 when all come later."""
        return bisect_right(self.times if over_time else self.steps, x) - 1

    def at(self, place: int) -> LoggedHistogram | None:
        """Return the histogram at an index; None while its file is not read, which is then requested."""
        step = self.steps[place]
        if step not in self._read and self._request is not None:
            self._request(self._items[step])
        return self._read.get(step)

    def _index(self, step: int, time: float) -> None:
        at = bisect_left(self.steps, step)
        if at == len(self.steps) or self.steps[at] != step:
            before = self.times[at - 1] if at else time
            after = self.times[at] if at < len(self.times) else math.inf
            self.steps.insert(at, step)
            self.times.insert(at, min(max(time, before), after))


class HistogramsModel(QObject):
    """The histograms of a run by name. Files that have to be read are requested together."""

    read_requested = Signal(list)  # of MediaItem
    arrived = Signal(set)  # names with new content to draw

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.by_name: dict[str, Histograms] = {}
        self._requested: set[str] = set()  # the keys of items whose files are being read
        self._pending: dict[str, MediaItem] = {}
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(0)
        self._clock.timeout.connect(self._send)

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name)

    @property
    def waiting(self) -> bool:
        """Whether a requested file is still being read."""
        return bool(self._requested)

    def add(self, item: MediaItem) -> bool:
        """Add an item; return True when its name is new."""
        new = item.name not in self.by_name
        self.by_name.setdefault(item.name, Histograms(self._request)).add(item)
        return new

    def set_contents(self, read: Iterable[tuple[MediaItem, LoggedHistogram | None]]) -> None:
        """Store the content of requested files; None for one that cannot be read."""
        names = set()
        for item, histogram in read:
            self._requested.discard(item.key)
            self.by_name[item.name].set_content(item, histogram)
            names.add(item.name)
        self.arrived.emit(names)

    def _request(self, item: MediaItem) -> None:
        if item.key not in self._requested:
            self._requested.add(item.key)
            self._pending[item.key] = item
            self._clock.start()

    def _send(self) -> None:
        pending, self._pending = list(self._pending.values()), {}
        self.read_requested.emit(pending)


def read_histogram(step: int, content: bytes) -> LoggedHistogram | None:
    """Return the histogram in the content of a file; None when it cannot be read."""
    try:
        plain = json.loads(content)
        counts, edges = np.asarray(plain["counts"], float), np.asarray(plain["edges"], float)
    except (ValueError, KeyError, TypeError):
        return None
    good = np.isfinite(edges).all() and np.isfinite(counts).all() and not (np.diff(edges) < 0).any()
    return LoggedHistogram(step, counts, edges) if len(edges) == len(counts) + 1 and good else None


def rebinned(histogram: LoggedHistogram, edges: Array) -> Array:
    """Return the counts for other edges; each bin is taken as uniform, and the sum is preserved."""
    own = histogram.edges
    if len(own) == len(edges) and (own == edges).all() and own[-1] > own[0]:
        return histogram.counts
    counts = np.append(0.0, np.cumsum(histogram.counts))
    if own[-1] == own[0]:
        made = np.zeros(len(edges) - 1)
        made[min(max(int(np.searchsorted(edges, own[0], "right")) - 1, 0), len(made) - 1)] = counts[-1]
        return made
    rising = own + np.arange(len(own)) * np.spacing(np.abs(own).max())
    return np.diff(np.interp(edges, rising, counts, left=0.0, right=float(counts[-1])))


def common_edges(histograms: Iterable[LoggedHistogram], least: int, most: int) -> Array:
    """Return the edges of even bins for all histograms: their own ones where they are equal and even."""
    group = list(histograms)
    first = group[0].edges
    widths = np.diff(first)
    same = all(len(one.edges) == len(first) and (one.edges == first).all() for one in group)
    if same and len(widths) <= most and np.allclose(widths, widths[0], rtol=1e-6, atol=0) and widths[0] > 0:
        return first
    low, high = min(float(one.edges[0]) for one in group), max(float(one.edges[-1]) for one in group)
    high = high if high > low else low + (abs(low) * 1e-6 or 1.0)
    return np.linspace(low, high, min(most, max(least, *(len(one.counts) for one in group), 1)) + 1)
