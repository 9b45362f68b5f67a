"""The thread that reads a run's media files, so that the window never waits for a disk."""

from __future__ import annotations

import logging
import shutil
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, Qt, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from helm_desktop.link.figure_page import page_of
from helm_desktop.link.worker import Worker
from helm_desktop.model.media.content import (
    Content,
    ImageContent,
    TextContent,
    UnreadableMedia,
    histogram_of,
    sound_of,
    table_of,
    text_of,
)
from helm_desktop.model.media.histograms import LoggedHistogram, read_histogram
from helm_desktop.model.media.media_model import MediaItem

_LARGEST = 256 << 20
_SVG_SIDE = 2000
_AT_ONCE = 64  # histograms
_HELD_BYTES = 128 << 20

_log = logging.getLogger(__name__)


class MediaThread(Worker):
    """Reads the value that was asked for last; earlier ones that still wait are passed over."""

    arrived = Signal(str, object)  # the item's key, its Content
    saved = Signal(str)  # one sentence
    written_out = Signal(str)  # a file for another program
    histograms_read = Signal(str, list)  # the run's folder, of each its item and its Histogram
    missing = Signal(str, object, bool)  # the run's folder, a MediaItem whose file is not here; for the board

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._awake = threading.Event()
        self._wanted: tuple[str, MediaItem] | None = None
        self._copies: deque[tuple[str, MediaItem, str]] = deque()
        self._outs: deque[tuple[str, MediaItem, str]] = deque()
        self._histograms: deque[tuple[str, MediaItem]] = deque()
        self._held: dict[tuple[str, str], bytes | str] = {}  # what came from afar, or why it did not

    def request(self, folder: str, item: MediaItem) -> None:
        """Read a value of the run in this folder."""
        self._wanted = (folder, item)
        self.wake()

    def request_histograms(self, folder: str, items: Sequence[MediaItem]) -> None:
        """Read all of these, a few at a time."""
        self._histograms.extend((folder, item) for item in items)
        self.wake()

    def add_fetched(self, folder: str, file: str, data: bytes | None, why: str) -> None:
        """A file that is not here has come from the run, or does not come."""
        held = dict(self._held)  # read by the thread: replaced, never changed
        held[folder, file] = why if data is None else data
        while len(held) > 1 and sum(map(len, held.values())) > _HELD_BYTES:
            del held[next(iter(held))]
        self._held = held

    def save(self, folder: str, item: MediaItem, target: str) -> None:
        """Copy a value's file to a place outside the run's folder."""
        self._copies.append((folder, item, target))
        self.wake()

    def write_out(self, folder: str, item: MediaItem, target: str) -> None:
        """Make a file for another program: a page of a plotly figure, or the value as it is."""
        self._outs.append((folder, item, target))
        self.wake()

    def wake(self) -> None:
        """Look at what was asked."""
        self._awake.set()

    def run(self) -> None:
        """Qt's: until stop."""
        while not self._stopping:
            self._awake.wait()
            self._awake.clear()
            while self._copies and not self._stopping:
                folder, item, target = self._copies.popleft()
                self.saved.emit(_copied(folder, item, target, self._held.get((folder, item.file))))
            while self._outs and not self._stopping:
                self._write_out(*self._outs.popleft())
            wanted, self._wanted = self._wanted, None
            if wanted is not None and not self._stopping:
                self._read(*wanted)
            if self._histograms and not self._stopping:
                self._read_histograms()

    def _read(self, folder: str, item: MediaItem) -> None:
        held = self._held.get((folder, item.file))
        if held is None and not _is_here(folder, item):
            self.missing.emit(folder, item, False)
        else:
            self.arrived.emit(item.key, content_of(folder, item, held))

    def _write_out(self, folder: str, item: MediaItem, target: str) -> None:
        held = self._held.get((folder, item.file))
        try:
            data = held if isinstance(held, bytes) else path_of(folder, item.file).read_bytes()
            if item.is_plotly:
                data = page_of(data, f"{item.name}, step {item.step}").encode()
            Path(target).write_bytes(data)
        except (OSError, ValueError, RecursionError) as error:
            self.saved.emit(f"{Path(item.file).name} cannot be opened: {error}")
        else:
            self.written_out.emit(target)

    def _read_histograms(self) -> None:
        folder = self._histograms[0][0]
        read: list[tuple[MediaItem, LoggedHistogram | None]] = []
        while self._histograms and self._histograms[0][0] == folder and len(read) < _AT_ONCE:
            item = self._histograms.popleft()[1]
            held = self._held.get((folder, item.file))
            if held is None and not _is_here(folder, item):
                self.missing.emit(folder, item, True)
            else:
                read.append((item, histogram_at(folder, item, held)))
        if read:
            self.histograms_read.emit(folder, read)
        if self._histograms:
            self.wake()


def content_of(folder: str, item: MediaItem, held: bytes | str | None = None) -> Content:
    """Return what the item's file holds; `held` is what the run sent of it, or why it did not."""
    if isinstance(held, str):
        where = "here, and the run did not send it: " if held else "any more"
        return UnreadableMedia(f"{item.file} is not in the run's folder {where}{held}")
    try:
        if held is None:
            path = path_of(folder, item.file)
            size = path.stat().st_size
            if size > _LARGEST:
                return UnreadableMedia(f"{path.name} has {size >> 20} MB, which is too large to be shown")
            held = path.read_bytes()
        return decoded(item, held)
    except FileNotFoundError:
        return UnreadableMedia(f"{item.file} is not in the run's folder any more")
    except OSError as error:
        return UnreadableMedia(f"{item.file} cannot be read: {error.strerror or error}")
    except Exception as error:
        _log.debug("reading %s failed", item.file, exc_info=True)
        return UnreadableMedia(f"{item.file} cannot be shown: {error}")


def histogram_at(folder: str, item: MediaItem, held: bytes | str | None = None) -> LoggedHistogram | None:
    """Return what the item's file holds, for a histogram over time; nothing when it cannot be read."""
    if isinstance(held, str):
        return None
    try:
        if held is None:
            path = path_of(folder, item.file)
            held = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
        return read_histogram(item.step, held)
    except (OSError, ValueError):
        _log.debug("reading %s failed", item.file, exc_info=True)
        return None


def _is_here(folder: str, item: MediaItem) -> bool:
    """Return True when there is such a file, or a reason of its own why it cannot be read."""
    try:
        return path_of(folder, item.file).exists()
    except (OSError, ValueError):
        return True


def path_of(folder: str, file: str) -> Path:
    """Return where the file is. Raises ValueError for one that lies outside the run's folder."""
    root = Path(folder).resolve()
    path = (root / file).resolve()
    if root not in path.parents:
        raise ValueError("it lies outside the run's folder")
    return path


def decoded(item: MediaItem, data: bytes) -> Content:
    """The content of these bytes. Raises ValueError and its like when they are not what the item says."""
    match item.type:
        case "text":
            return text_of(data, item.body.get("format") == "markdown")
        case "table":
            return table_of(data)
        case "histogram":
            return histogram_of(data)
        case "audio":
            return sound_of(data)
    if item.is_plotly:
        words = "A plotly figure: “Open” shows it in the browser, “Save…” keeps it for plotly.io.from_json."
        return TextContent(words, markdown=False)
    image = _drawn(data) if item.file.endswith(".svg") else QImage.fromData(data)
    if image.isNull():
        raise ValueError("it is no picture that can be read, or too large")
    return ImageContent(image)


def _drawn(data: bytes) -> QImage:
    renderer = QSvgRenderer(QByteArray(data))
    size = renderer.defaultSize()
    if not renderer.isValid() or size.isEmpty():
        return QImage()
    side = max(size.width(), size.height())
    size *= min(2.0, _SVG_SIDE / side)
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


def _copied(folder: str, item: MediaItem, target: str, held: bytes | str | None) -> str:
    try:
        if isinstance(held, bytes):
            Path(target).write_bytes(held)
        else:
            shutil.copyfile(path_of(folder, item.file), target)
    except (OSError, ValueError) as error:
        return f"{Path(item.file).name} was not saved: {error}"
    return f"Saved {target}"
