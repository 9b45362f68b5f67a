"""Sources over the whole window: which table at the left, the table at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.model.source_columns import CONTROLS, PROCESSES, STREAMS
from helm_desktop.model.sources import ControlSource, ProcessSource, Sources, StreamSource
from helm_desktop.theme import set_look
from helm_desktop.views.sources.table import SourceTable
from helm_desktop.widgets import ElidedLabel

if TYPE_CHECKING:
    from helm_desktop.model.session import Session

LIST_WIDTH = 200
ROW_HEIGHT = 30
LOOK_MS = 1000


class SourcesPage(QWidget):
    """Reads the run once a second while it is in sight and something came; not at all while it is hidden."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "window")
        self.setAccessibleName("Sources")
        self._session: Session | None = None
        self._sources = Sources()
        self._stale = True
        self.streams: SourceTable[StreamSource] = SourceTable(
            "Streams", "stream", STREAMS, "Each name that the script logs stands here with who writes it."
        )
        self.controls: SourceTable[ControlSource] = SourceTable(
            "Controls", "control", CONTROLS, "What the script or its trainer lets be changed stands here."
        )
        self.processes: SourceTable[ProcessSource] = SourceTable(
            "Processes", "process", PROCESSES, "Each process that joins the run stands here as it begins."
        )
        self.tables: dict[str, SourceTable[Any]] = {
            table.accessibleName(): table for table in (self.streams, self.controls, self.processes)
        }
        self.list, self.done = QListWidget(), QPushButton("Done")
        self.run = ElidedLabel("", "small")
        self._side, self._stack = QFrame(), QStackedWidget()
        self._clock = QTimer(self)
        self._clock.setInterval(LOOK_MS)
        self._clock.timeout.connect(self._look)
        self._lay_out()
        self.list.currentRowChanged.connect(self._stack.setCurrentIndex)
        self.done.clicked.connect(self.left)
        self.list.setCurrentRow(0)

    def parts(self) -> list[QWidget]:
        """What Tab leads through: which table, then the table."""
        return [self._side, self._stack]

    def set_session(self, session: Session | None) -> None:
        """Another run."""
        if session is self._session:
            return
        if self._session is not None:
            for signal in _signals(self._session):
                signal.disconnect(self._came)
        self._session, self._sources = session, Sources(session)
        if session is not None:
            for signal in _signals(session):
                signal.connect(self._came)
        for table in self.tables.values():
            table.forget()
        self._came()
        if self.isVisible():
            self._look()

    def show_table(self, title: str = "") -> None:
        """Brings a table forward; empty: the one that was there last."""
        if title in self.tables:
            self.list.setCurrentRow(list(self.tables).index(title))
        self.list.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's."""
        super().showEvent(event)
        self._look()
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Qt's."""
        super().hideEvent(event)
        self._clock.stop()

    def _came(self, *_: object) -> None:
        self._stale = True

    def _look(self) -> None:
        sources, stale = self._sources, self._stale
        self._stale = False
        if not stale:
            sources.tick()
            self.streams.tick()
            return
        sources.look()
        session = self._session
        self.run.setText(session.name if session is not None else "")
        run = session is not None
        self.streams.set_rows(sources.streams, run=run)
        self.controls.set_rows(sources.controls, run=run)
        self.processes.set_rows(sources.processes, run=run)

    def _lay_out(self) -> None:
        side, title = self._side, QLabel("Sources")
        set_look(side, "panel")
        set_look(title, "heading")
        side.setFixedWidth(LIST_WIDTH)
        self.list.setAccessibleName("Tables of sources")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        column = QVBoxLayout(side)
        column.setContentsMargins(10, 16, 10, 12)
        column.setSpacing(12)
        names = QVBoxLayout()
        names.setContentsMargins(8, 0, 8, 0)
        names.setSpacing(2)
        names.addWidget(title)
        names.addWidget(self.run)
        column.addLayout(names)
        column.addWidget(self.list, 1)
        column.addWidget(self.done)
        for name, table in self.tables.items():
            item = QListWidgetItem(name)
            item.setSizeHint(QSize(0, ROW_HEIGHT))
            self.list.addItem(item)
            self._stack.addWidget(table)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(side)
        row.addWidget(self._stack, 1)


def _signals(session: Session) -> list[Any]:
    """Everything that tells of news that a row could show."""
    controls = session.controls
    return [
        session.about_changed,
        session.standing_changed,
        session.streams_changed,
        session.points_arrived,
        session.caught_up,
        controls.controls_changed,
        controls.control_changed,
    ]
