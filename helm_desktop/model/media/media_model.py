"""The media of a run by name and step: texts, images, sounds, tables, histograms and figures."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from helm_sdk.protocol.messages import Event

KINDS = ("text", "image", "audio", "table", "histogram", "figure")


@dataclass(frozen=True)
class MediaItem:
    """One value: what logged it, and the file that holds it."""

    key: str
    name: str
    type: str
    step: int
    time: float
    file: str  # relative to the folder of the run
    process: str
    body: dict[str, Any]

    @property
    def is_plotly(self) -> bool:
        """Whether it is a Plotly figure, which needs a browser."""
        return self.type == "figure" and self.body.get("format") == "plotly"

    @property
    def order(self) -> tuple[int, float, str]:
        """The sort key: by step, and by time at the same step."""
        return self.step, self.time, self.key


class MediaModel(QObject):
    """All values by name, in the order of steps. `changed` is emitted at most once per batch of updates."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: dict[str, list[MediaItem]] = {}

    @property
    def names(self) -> list[str]:
        """The names, in the order in which they came."""
        return list(self._items)

    def items(self, name: str) -> list[MediaItem]:
        """Return the values of a name in the order of steps."""
        return self._items.get(name, [])

    def last_at(self, name: str, step: int) -> int:
        """Return the index of the last value at a step or before it; 0 when all come later."""
        return max(0, bisect_right(self.items(name), step, key=_step) - 1)

    def index_of(self, item: MediaItem) -> int:
        """Return the index of a value among those of its name."""
        return bisect_left(self.items(item.name), item.order, key=_order)

    def add(self, process: str, attempt: int, event: Event) -> MediaItem | None:
        """Add the value of a "media" event; return None for an event without a file or a known type."""
        item = item_of(process, attempt, event)
        if item is not None:
            insort(self._items.setdefault(item.name, []), item, key=_order)
        return item


def item_of(process: str, attempt: int, event: Event) -> MediaItem | None:
    """Return the value of a "media" event; None when the event is not complete."""
    body = event.body
    name, kind, file = body.get("name"), body.get("type"), body.get("file")
    if not isinstance(name, str) or kind not in KINDS or not isinstance(file, str) or not file:
        return None
    key = f"{process}/{attempt}/{event.id}"
    return MediaItem(key, name, str(kind), event.step or 0, event.time, file, process, body)


def _step(item: MediaItem) -> int:
    return item.step


def _order(item: MediaItem) -> tuple[int, float, str]:
    return item.order
