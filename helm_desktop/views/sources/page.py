"""Sources over the whole window: which table at the left, the table at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from helm_desktop.model.run.source_columns import CONTROLS, PROCESSES, STREAMS
from helm_desktop.model.run.sources import ControlSource, ProcessSource, Sources, StreamSource
from helm_desktop.views.sources.table import SourceTable
from helm_desktop.widgets import ChapterPage, ElidedLabel

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

LOOK_MS = 1000


class SourcesPage(ChapterPage):
    """Reads the run once a second while it is in sight and something came; not at all while it is hidden."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Sources", "Tables of sources", parent)
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
        self.run = ElidedLabel("", "small")
        self._clock = QTimer(self)
        self._clock.setInterval(LOOK_MS)
        self._clock.timeout.connect(self._refresh)
        self.set_chapters(self.tables, self.run)

    def set_session(self, session: Session | None) -> None:
        """Another run."""
        if session is self._session:
            return
        if self._session is not None:
            for signal in _signals(self._session):
                signal.disconnect(self._on_update)
        self._session, self._sources = session, Sources(session)
        if session is not None:
            for signal in _signals(session):
                signal.connect(self._on_update)
        for table in self.tables.values():
            table.forget()
        self._on_update()
        if self.isVisible():
            self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's."""
        super().showEvent(event)
        self._refresh()
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Qt's."""
        super().hideEvent(event)
        self._clock.stop()

    def _on_update(self, *_: object) -> None:
        self._stale = True

    def _refresh(self) -> None:
        sources, stale = self._sources, self._stale
        self._stale = False
        if not stale:
            sources.tick()
            self.streams.tick()
            return
        sources.refresh()
        session = self._session
        self.run.setText(session.name if session is not None else "")
        run = session is not None
        self.streams.set_rows(sources.streams, run=run)
        self.controls.set_rows(sources.controls, run=run)
        self.processes.set_rows(sources.processes, run=run)


def _signals(session: Session) -> list[Any]:
    """Return every signal after which a row can show something else."""
    controls = session.controls
    return [
        session.about_changed,
        session.status_changed,
        session.streams_changed,
        session.points_arrived,
        session.caught_up,
        controls.controls_changed,
        controls.control_changed,
    ]
