"""The main window: places the regions, keeps their sizes, nothing else."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QMainWindow, QSplitter, QStackedWidget, QStatusBar, QVBoxLayout, QWidget

from helm_desktop.settings import Settings
from helm_desktop.theme import set_look

RUNS_WIDTH = 248
DOCK_WIDTH = 348
SAY_MS = 8000
SIZE = (1440, 900)


class MainWindow(QMainWindow):
    """Runs panel left, strip above board and dock, the change bar below."""

    closing = Signal()
    shown = Signal(bool)

    def __init__(
        self, settings: Settings, runs: QWidget, strip: QWidget, board: QWidget, first: QWidget, dock: QWidget
    ) -> None:
        super().__init__()
        self.setWindowTitle("Helm")
        self._settings = settings
        self._runs, self._strip, self._dock, self._board, self._first = runs, strip, dock, board, first
        self._dock_wanted, self._first_shown = True, False
        self.centre = QStackedWidget()
        self.centre.addWidget(first)
        self.centre.addWidget(board)
        self.inner = QSplitter(Qt.Orientation.Horizontal)
        self.outer = QSplitter(Qt.Orientation.Horizontal)
        self._place()
        brand = QLabel("Helm", self.menuBar())
        brand.setContentsMargins(16, 0, 4, 0)
        set_look(brand, "title")
        self.menuBar().setCornerWidget(brand, Qt.Corner.TopLeftCorner)
        self._notice = QStatusBar()
        self._notice.setSizeGripEnabled(False)
        self._notice.messageChanged.connect(self._show_notice)
        self.setStatusBar(self._notice)
        self._notice.hide()
        self.resize(*SIZE)
        self._restore()

    def _place(self) -> None:
        for splitter in (self.inner, self.outer):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
        self.inner.addWidget(self.centre)
        self.inner.addWidget(self._dock)
        self.inner.setStretchFactor(0, 1)
        self.inner.setStretchFactor(1, 0)
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
        column.addWidget(self.inner, 1)
        self.outer.addWidget(self._runs)
        self.outer.addWidget(right)
        self.outer.setStretchFactor(0, 0)
        self.outer.setStretchFactor(1, 1)
        self.setCentralWidget(self.outer)

    def show_first_minute(self, on: bool) -> None:
        """The card of a window without runs, alone; or the board with strip and dock."""
        self._first_shown = on
        self._strip.setVisible(not on)
        self._dock.setVisible(self._dock_wanted and not on)
        self.centre.setCurrentWidget(self._first if on else self._board)

    def show_runs(self, on: bool) -> None:
        """Shows or hides the runs panel."""
        self._runs.setVisible(on)

    def show_dock(self, on: bool) -> None:
        """Shows or hides the dock."""
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

    def say(self, sentence: str) -> None:
        """A sentence at the lower edge for some seconds."""
        self._notice.showMessage(sentence, SAY_MS)

    def _show_notice(self, text: str) -> None:
        self._notice.setVisible(bool(text))

    def keep_layout(self) -> None:
        """Remember sizes and what is hidden."""
        self._settings.keep_layout("window", self.saveGeometry())
        self._settings.keep_layout("outer", self.outer.saveState())
        self._settings.keep_layout("inner", self.inner.saveState())
        self._settings.set_flag("runs", self.runs_shown)
        self._settings.set_flag("dock", self.dock_shown)
        self._settings.sync()

    def _restore(self) -> None:
        geometry = self._settings.layout("window")
        if not geometry.isEmpty():
            self.restoreGeometry(geometry)
        for name, splitter, sizes in (
            ("outer", self.outer, [RUNS_WIDTH, 1192]),
            ("inner", self.inner, [844, DOCK_WIDTH]),
        ):
            state = self._settings.layout(name)
            if state.isEmpty() or not splitter.restoreState(state):
                splitter.setSizes(sizes)
        self.show_runs(self._settings.flag("runs", True))
        self.show_dock(self._settings.flag("dock", True))

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's."""
        super().showEvent(event)
        self.shown.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Qt's."""
        super().hideEvent(event)
        self.shown.emit(False)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing asks nothing: runs go on."""
        self.keep_layout()
        self.closing.emit()
        event.accept()
