"""One page of the board: its sections below one another."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from helm_desktop.model.board import PagePlan
from helm_desktop.views.board.cell import ChartCell
from helm_desktop.views.board.grid import ChartGrid
from helm_desktop.widgets import Section

MARGIN = 16


class BoardPage(QScrollArea):
    """Sections that fold. `view_changed` says that other charts may be in sight now."""

    view_changed = Signal()
    folded = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._sections: dict[str, Section] = {}
        self._grids: dict[str, ChartGrid] = {}
        self._home: dict[str, ChartGrid] = {}
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self._column.setContentsMargins(MARGIN, 12, MARGIN, MARGIN)
        self._column.setSpacing(14)
        self._column.addStretch(1)
        self.setWidget(self._body)
        self.verticalScrollBar().valueChanged.connect(self.view_changed)

    def show_plan(self, plan: PagePlan, cells: dict[str, ChartCell], folded: Collection[str]) -> None:
        """Lays the page out anew; charts that stay keep their widgets."""
        wanted = {section.title for section in plan.sections}
        homes: dict[str, ChartGrid] = {}
        for place, part in enumerate(plan.sections):
            if part.title not in self._sections:
                self._add(part.title)
            section, grid = self._sections[part.title], self._grids[part.title]
            if self._column.indexOf(section) != place:
                self._column.removeWidget(section)
                self._column.insertWidget(place, section)
            section.set_note(part.words)
            section.set_folded(part.title in folded)
            grid.set_names(part.charts)
            for name in part.charts:
                homes[name] = grid
                if name in cells:
                    grid.put(name, cells[name])
        self._home = homes
        for title in [title for title in self._sections if title not in wanted]:
            self._drop(title)

    def names_in_view(self, margin: int = 0) -> list[str]:
        """Charts of which a part is in sight, or nearly."""
        port = self.viewport()
        found: list[str] = []
        for grid in self._grids.values():
            if grid.isVisibleTo(self):
                top = grid.mapTo(port, QPoint(0, 0)).y()
                if top < port.height() + margin and top + grid.height() > -margin:
                    found.extend(grid.names_between(-margin - top, port.height() + margin - top - 1))
        return found

    def open_names(self) -> list[str]:
        """Charts of the sections that are open."""
        return [name for grid in self._grids.values() if grid.isVisibleTo(self) for name in grid.names]

    def put(self, name: str, cell: ChartCell) -> None:
        """Puts a cell at its chart's place."""
        self._home[name].put(name, cell)

    @property
    def all_folded(self) -> bool:
        """Whether no section is open."""
        return all(section.is_folded for section in self._sections.values())

    def fold_all(self, on: bool) -> None:
        """Folds or unfolds every section."""
        for title, section in self._sections.items():
            section.set_folded(on)
            self.folded.emit(title, on)
        self.view_changed.emit()

    def _add(self, title: str) -> None:
        grid = ChartGrid()
        section = Section(title, grid)
        section.folded.connect(self._on_folded)
        grid.placed.connect(self.view_changed)
        self._sections[title] = section
        self._grids[title] = grid

    def _drop(self, title: str) -> None:
        section = self._sections.pop(title)
        self._grids.pop(title)
        self._column.removeWidget(section)
        section.hide()
        section.deleteLater()

    def _on_folded(self, on: bool) -> None:
        sender = self.sender()
        title = sender.title if isinstance(sender, Section) else ""
        self.folded.emit(title, on)
        self.view_changed.emit()
