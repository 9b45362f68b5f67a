"""One page of the board: its sections below one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from helm_desktop.model.board import PagePlan
from helm_desktop.views.board.cell import ChartCell
from helm_desktop.views.board.grid import ChartGrid
from helm_desktop.widgets import Section

MARGIN = 16


class BoardPage(QScrollArea):
    """Sections that fold. `view_changed` says that other cells may be in sight now."""

    view_changed = Signal()
    folded = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._sections: dict[str, Section] = {}
        self._grids: dict[str, ChartGrid] = {}
        self._cells: list[ChartCell] = []
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self._column.setContentsMargins(MARGIN, 12, MARGIN, MARGIN)
        self._column.setSpacing(14)
        self._column.addStretch(1)
        self.setWidget(self._body)
        self.verticalScrollBar().valueChanged.connect(self.view_changed)

    def show_plan(self, plan: PagePlan, cells: Mapping[str, ChartCell], folded: Sequence[str]) -> None:
        """Lays the page out anew; charts that stay keep their widgets."""
        wanted = {section.title for section in plan.sections}
        for title in [title for title in self._sections if title not in wanted]:
            section = self._sections.pop(title)
            self._grids.pop(title)
            self._column.removeWidget(section)
            section.hide()
            section.deleteLater()
        self._cells = []
        for place, part in enumerate(plan.sections):
            if part.title not in self._sections:
                self._add(part.title)
            section = self._sections[part.title]
            if self._column.indexOf(section) != place:
                self._column.removeWidget(section)
                self._column.insertWidget(place, section)
            section.set_note(part.words)
            section.set_folded(part.title in folded)
            mine = [cells[name] for name in part.charts]
            self._cells.extend(mine)
            self._grids[part.title].set_cells(list[QWidget](mine))

    def cells_in_view(self, margin: int = 0) -> list[ChartCell]:
        """Cells of which a part is in sight, or nearly."""
        port = self.viewport()
        window = QRect(0, -margin, port.width(), port.height() + 2 * margin)
        found = []
        for cell in self._cells:
            if cell.isVisibleTo(self) and cell.parentWidget() is not None:
                at = cell.mapTo(port, QPoint(0, 0))
                if window.intersects(QRect(at, cell.size())):
                    found.append(cell)
        return found

    def fold_all(self, on: bool) -> None:
        """Folds or unfolds every section."""
        for title, section in self._sections.items():
            section.set_folded(on)
            self.folded.emit(title, on)
        self.view_changed.emit()

    def section_of(self, cell: ChartCell) -> str:
        """The title of the section that a cell stands in."""
        return next((title for title, grid in self._grids.items() if grid is cell.parentWidget()), "")

    def _add(self, title: str) -> None:
        grid = ChartGrid()
        section = Section(title, grid)
        section.folded.connect(self._on_folded)
        grid.placed.connect(self.view_changed)
        self._sections[title] = section
        self._grids[title] = grid

    def _on_folded(self, on: bool) -> None:
        sender = self.sender()
        title = sender.title if isinstance(sender, Section) else ""
        self.folded.emit(title, on)
        self.view_changed.emit()
