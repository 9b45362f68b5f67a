"""Between the media view and the files: the thread that reads, begun by the first value looked at."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.controllers.link import LinkController
from helm_desktop.model.media.media_model import MediaItem
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.views.activity import ActivityView
from helm_desktop.views.dock import Dock
from helm_desktop.views.media import MediaView
from helm_desktop.views.watch import WatchPanel

if TYPE_CHECKING:
    from helm_desktop.link.media_thread import MediaThread
    from helm_desktop.model.media.content import Content
    from helm_desktop.model.media.histograms import LoggedHistogram
    from helm_desktop.model.run.session import Session

PAGE = "Media"


class MediaController(QObject):
    """Shows the page when the run has anything for it, and reads what is looked at."""

    said = Signal(str)

    def __init__(
        self,
        current: CurrentRun,
        link: LinkController,
        view: MediaView,
        activity: ActivityView,
        watch: WatchPanel,
        dock: Dock,
        storage: Storage,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._link, self._view, self._dock, self._storage = link, view, dock, storage
        link.fetched.connect(self.take_fetched)
        self._session: Session | None = None
        self._thread: MediaThread | None = None
        self._saving: MediaItem | None = None
        self._to_write: list[tuple[str, MediaItem]] = []  # until there is a folder for them
        self._outs: TemporaryDirectory[str] | None = None  # for other programs, while the window is open
        self._missing: dict[str, list[tuple[MediaItem, bool]]] = {}  # asked of the run, by file
        view.item_requested.connect(self._read)
        view.save_requested.connect(self._ask_where)
        view.open_requested.connect(self._write_out)
        for list_of_steps in (activity, watch):
            list_of_steps.step_requested.connect(view.show_step)
        dock.show_page(PAGE, False)
        current.changed.connect(self._run_changed)
        current.follow("media.changed", self._show_page)
        current.follow("histograms.read_requested", self._read_histograms)

    def _run_changed(self, before: Session | None, now: Session) -> None:
        self._session = now
        self._missing.clear()
        self._view.set_model(now.media)
        self._show_page()

    def stop(self) -> None:
        """End the thread. Safe to call more than once."""
        if self._thread is not None:
            self._thread.stop()
        self._to_write.clear()
        if self._outs is not None:
            self._storage.run(self._outs.cleanup)
            self._outs = None

    def _show_page(self) -> None:
        session = self._session
        self._dock.show_page(PAGE, session is not None and bool(session.media.names))

    def _reader(self) -> MediaThread:
        if self._thread is None:
            from helm_desktop.link.media_thread import MediaThread

            self._thread = MediaThread(self)
            self._thread.arrived.connect(self._arrived)
            self._thread.saved.connect(self.said)
            self._thread.histograms_read.connect(self._histograms_read)
            self._thread.missing.connect(self._fetch)
            self._thread.written_out.connect(self._open)
            self._thread.begin()
        return self._thread

    def _read(self, item: MediaItem) -> None:
        if self._session is not None:
            self._reader().ask(self._session.key, item)

    def _read_histograms(self, items: list[MediaItem]) -> None:
        if self._session is not None:
            self._reader().ask_histograms(self._session.key, items)

    def _histograms_read(self, folder: str, read: list[tuple[MediaItem, LoggedHistogram | None]]) -> None:
        if self._session is not None and self._session.key == folder:
            self._session.histograms.put(read)

    def _fetch(self, folder: str, item: MediaItem, for_board: bool) -> None:
        """A file that is not on this machine: a run that lives is asked for it."""
        session = self._session
        if session is None or session.key != folder:
            return
        first = item.file not in self._missing
        self._missing.setdefault(item.file, []).append((item, for_board))
        if session.status.state.ended:
            self.take_fetched(folder, item.file, None, "")
        elif first:
            self._link.fetch(folder, item.file, item.process)

    def take_fetched(self, folder: str, file: str, data: bytes | None, why: str) -> None:
        """What the run sent of a file, or why it did not."""
        if self._session is None or self._session.key != folder:
            return
        self._reader().hold(folder, file, data, why)
        for item, for_board in self._missing.pop(file, []):
            if for_board:
                self._reader().ask_histograms(folder, [item])
            else:
                self._read(item)

    def _arrived(self, key: str, content: Content) -> None:
        self._view.show_content(key, content)

    def _ask_where(self, item: MediaItem) -> None:
        self._saving = item
        ending = Path(item.file).suffix
        dialog = QFileDialog(self._view.window(), f"Save {item.name} of step {item.step}")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(ending.removeprefix("."))
        dialog.selectFile(Path(item.file).name)
        dialog.fileSelected.connect(self._save)
        dialog.open()

    def _save(self, target: str) -> None:
        if self._saving is not None and self._session is not None:
            self._reader().save(self._session.key, self._saving, target)

    def _write_out(self, item: MediaItem) -> None:
        if self._session is not None:
            self._to_write.append((self._session.key, item))
            if self._outs is not None:
                self._write_waiting(self._outs)
            elif len(self._to_write) == 1:
                make = partial(TemporaryDirectory, prefix="helm-media-")
                self._storage.run(make, self._write_waiting, self._not_written)

    def _write_waiting(self, outs: TemporaryDirectory[str]) -> None:
        """Now that there is a folder for other programs."""
        waiting, self._to_write = self._to_write, []
        if not waiting:  # the window was closed meanwhile
            self._storage.run(outs.cleanup)
            return
        self._outs = outs
        for folder, item in waiting:
            file = Path(item.file)
            target = Path(outs.name) / (f"{file.stem}.html" if item.is_plotly else file.name)
            self._reader().write_out(folder, item, str(target))

    def _not_written(self, error: Exception) -> None:
        self._to_write.clear()
        self.said.emit(f"The file was not opened: {error}")

    def _open(self, path: str) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(path)):
            self.said.emit(f"No program opens {path} by itself: open it in one while this window is open.")
