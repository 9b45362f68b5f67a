"""The main window: places the regions, keeps their sizes, nothing else."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent, QPalette, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QStatusBar,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.storage.preferences import Preferences
from helm_desktop.theme import set_look
from helm_desktop.widgets import focus_next
from helm_desktop.widgets.search_button import SearchButton

RUNS_WIDTH = 248
DOCK_WIDTH = 348
SAY_MS = 8000
SIZE = (1440, 900)


@runtime_checkable
class PageInParts(Protocol):
    """A page whose parts are read one after the other, such as columns."""

    def parts(self) -> list[QWidget]: ...


class MainWindow(QMainWindow):
    """Runs panel left, strip above board and dock, the change bar below."""

    closing = Signal()
    shown = Signal(bool)

    def __init__(self, settings: Preferences) -> None:
        super().__init__()
        self.setWindowTitle("Helm")
        self._settings = settings
        self._runs: QWidget  # the regions, from `place` on
        self._strip: QWidget
        self._dock: QWidget
        self._board: QWidget
        self._first: QWidget
        self._bar: QWidget | None = None
        self._dock_wanted, self._first_shown, self._placed, self._sized = True, False, False, False
        self.centre = QStackedWidget()
        self._inner = QSplitter(Qt.Orientation.Horizontal)
        self._outer = QSplitter(Qt.Orientation.Horizontal)
        self._pages = QStackedWidget()
        self._below = QVBoxLayout()
        self.setCentralWidget(self._grounds())
        brand = QLabel("Helm", self.menuBar())
        brand.setContentsMargins(16, 0, 12, 0)
        set_look(brand, "title")
        self.menuBar().setCornerWidget(brand, Qt.Corner.TopLeftCorner)
        self.search = SearchButton("Search metrics, runs, commands…", self.menuBar())
        self.menuBar().setCornerWidget(self.search, Qt.Corner.TopRightCorner)
        self._notice = QStatusBar()
        self._notice.setSizeGripEnabled(False)
        self._notice.messageChanged.connect(self._show_notice)
        self.setStatusBar(self._notice)
        self._notice.hide()
        self.resize(*SIZE)
        if not settings.geometry.isEmpty():
            self.restoreGeometry(settings.geometry)

    def _grounds(self) -> QWidget:
        """Return what is seen before the regions are made: their grounds, where they will stand."""
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        centre = QLabel("Opening…")
        centre.setAlignment(Qt.AlignmentFlag.AlignCenter)
        centre.setAutoFillBackground(True)  # by the palette: there is no stylesheet yet
        centre.setBackgroundRole(QPalette.ColorRole.Base)
        centre.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        for name, wide in (("runs", RUNS_WIDTH), ("", 0), ("dock", DOCK_WIDTH)):
            if not name:
                row.addWidget(centre, 1)
            elif self._settings.flag(name, True):
                ground = QFrame()
                ground.setFixedWidth(self._settings.size(name, wide))
                row.addWidget(ground)
        return whole

    def set_regions(
        self, runs: QWidget, strip: QWidget, board: QWidget, first: QWidget, dock: QWidget
    ) -> None:
        """Put the regions where they belong, as wide as they were left."""
        self._runs, self._strip, self._dock, self._board, self._first = runs, strip, dock, board, first
        self.centre.addWidget(first)
        self.centre.addWidget(board)
        self._lay_out()
        self._placed = True
        self.show_runs(self._settings.flag("runs", True))
        self.show_dock(self._settings.flag("dock", True))
        self._size()

    def _lay_out(self) -> None:
        for splitter in (self._inner, self._outer):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
        self._inner.addWidget(self.centre)
        self._inner.addWidget(self._dock)
        self._inner.setStretchFactor(0, 1)
        self._inner.setStretchFactor(1, 0)
        self._dock.setMinimumWidth(280)
        self._runs.setMinimumWidth(180)
        self.centre.setMinimumWidth(340)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._strip)
        line = QFrame()
        line.setFixedHeight(1)
        set_look(line, "line")
        column.addWidget(line)
        column.addWidget(self._inner, 1)
        self._outer.addWidget(self._runs)
        self._outer.addWidget(right)
        self._outer.setStretchFactor(0, 0)
        self._outer.setStretchFactor(1, 1)
        self._pages.addWidget(self._outer)
        whole = QWidget()
        self._below.setContentsMargins(0, 0, 0, 0)
        self._below.setSpacing(0)
        self._below.addWidget(self._pages, 1)
        whole.setLayout(self._below)
        self.setCentralWidget(whole)

    def set_change_bar(self, bar: QWidget) -> None:
        """Below everything; it shows itself while there is a draft."""
        self._bar = bar
        self._below.addWidget(bar)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from region to region, and through each as it is read."""
        page = self._pages.currentWidget()
        if page is None or not self._placed:
            return super().focusNextPrevChild(forward)
        regions = [self._runs, self._strip, self.centre, self._dock] if page is self._outer else [page]
        if isinstance(page, PageInParts):
            regions = page.parts()
        if self._bar is not None:
            regions.append(self._bar)
        return focus_next([*regions, self.menuBar()], forward=forward)

    def show_page(self, page: QWidget) -> None:
        """A page takes the whole window for a while, over one that did so before."""
        self._pages.addWidget(page)
        self._pages.setCurrentWidget(page)

    def close_page(self, page: QWidget) -> None:
        """What was there before the page is there again."""
        self._pages.removeWidget(page)
        page.hide()
        self._pages.setCurrentIndex(self._pages.count() - 1)

    def show_first_minute(self, on: bool) -> None:
        """The card of a window without runs, alone; or the board with strip and dock."""
        self._first_shown = on
        self._strip.setVisible(not on)
        self._dock.setVisible(self._dock_wanted and not on)
        self.centre.setCurrentWidget(self._first if on else self._board)

    def show_runs(self, on: bool) -> None:
        """Show or hide the runs panel."""
        self._runs.setVisible(on)

    def show_dock(self, on: bool) -> None:
        """Show or hide the dock."""
        self._dock_wanted = on
        self._dock.setVisible(on and not self._first_shown)

    @property
    def runs_shown(self) -> bool:
        """Whether the runs panel is there."""
        return not self._runs.isHidden()

    @property
    def dock_shown(self) -> bool:
        """Whether the dock is there."""
        return self._dock_wanted

    def show_message(self, sentence: str) -> None:
        """A sentence at the lower edge for some seconds."""
        self._notice.showMessage(sentence, SAY_MS)

    def _show_notice(self, text: str) -> None:
        self._notice.setVisible(bool(text))

    def save_layout(self) -> None:
        """Remember sizes and what is hidden."""
        settings = self._settings
        settings.geometry = self.saveGeometry()
        if not self._placed:
            return
        if self.runs_shown and self._sized:
            settings.set_size("runs", self._outer.sizes()[0])
        if not self._dock.isHidden() and self._sized:
            settings.set_size("dock", self._inner.sizes()[1])
        settings.set_flag("runs", self.runs_shown)
        settings.set_flag("dock", self.dock_shown)

    def panel_widths(self) -> tuple[int, int]:
        """Return how wide the runs panel and the dock are."""
        return self._outer.sizes()[0], self._inner.sizes()[1]

    def set_panel_widths(self, runs: int, dock: int) -> None:
        """Make the panels so wide; the board takes the rest."""
        self._outer.setSizes([runs, max(1, self.width() - runs)])
        self._inner.setSizes([max(1, self.width() - runs - dock), dock])

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's."""
        super().showEvent(event)
        self._size()
        self.shown.emit(True)

    def _size(self) -> None:
        """The widths as left, once there is a window that has a width."""
        if self._placed and self.isVisible() and not self._sized:
            self._sized = True
            runs = self._settings.size("runs", RUNS_WIDTH)
            self.set_panel_widths(runs, self._settings.size("dock", DOCK_WIDTH))

    def hideEvent(self, event: QHideEvent) -> None:
        """Qt's."""
        super().hideEvent(event)
        self.shown.emit(False)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing asks nothing: runs go on."""
        self.save_layout()
        self.closing.emit()
        event.accept()
