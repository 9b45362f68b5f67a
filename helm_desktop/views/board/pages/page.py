"""One page of the board: its sections, one below the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QToolButton, QVBoxLayout, QWidget

from helm_desktop.model.board.edits import ChartPlace
from helm_desktop.model.board.metric_drag import METRICS, dragged
from helm_desktop.model.board.shown_board import PINNED, ShownPage
from helm_desktop.theme import set_look
from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.grid import ChartGrid, Span
from helm_desktop.widgets import FoldingSection, IconButton

MARGIN = 16


class SectionView(FoldingSection):
    """A section of charts with its menu."""

    menu_requested = Signal(str, QPoint)

    def __init__(self, section_id: str, title: str) -> None:
        self.grid = ChartGrid()
        super().__init__(title, self.grid)
        self.id = section_id
        self._menu = IconButton("more", "Section menu", "flat-small")
        self._menu.clicked.connect(self._request_menu)
        self.header.addWidget(self._menu)
        self._menu.setVisible(title != PINNED)

    @property
    def menu_button(self) -> QToolButton:
        """The button that opens the section's menu."""
        return self._menu

    def set_title(self, title: str) -> None:
        """Show another title."""
        super().set_title(title)
        if hasattr(self, "_menu"):
            self._menu.setAccessibleName(f"Menu of section {title}")

    def _request_menu(self) -> None:
        self.menu_requested.emit(self.id, self._menu.mapToGlobal(self._menu.rect().bottomLeft()))


class PageView(QScrollArea):
    """A page with its sections. `view_changed` is emitted when other charts may have come into view."""

    view_changed = Signal()
    folded = Signal(str, bool)  # the section's id, and whether it is folded
    section_menu_requested = Signal(str, QPoint)
    metrics_dropped = Signal(list, str, str)  # the names, the section, and the chart that follows them

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._sections: dict[str, SectionView] = {}
        self._grids: dict[str, ChartGrid] = {}
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self._column.setContentsMargins(MARGIN, 12, MARGIN, MARGIN)
        self._column.setSpacing(14)
        self._column.addStretch(1)
        self._marker = QFrame(self._body)
        set_look(self._marker, "marker")
        self._marker.hide()
        self.setWidget(self._body)
        self.verticalScrollBar().valueChanged.connect(self.view_changed)

    def lay_out(
        self,
        shown: ShownPage,
        cells: Mapping[str, ChartCell],
        folded: Collection[str],
        spans: Mapping[str, Span],
    ) -> None:
        """Lay the page out again; charts that stay keep their widgets."""
        self.setAccessibleName(f"Page {shown.title}")
        wanted = {section.id for section in shown.sections}
        grids: dict[str, ChartGrid] = {}
        for at, part in enumerate(shown.sections):
            section = self._sections.get(part.id) or self._add(part.id, part.title)
            if self._column.indexOf(section) != at:
                self._column.removeWidget(section)
                self._column.insertWidget(at, section)
            if section.title != part.title:
                section.set_title(part.title)
            section.set_note(part.text)
            section.set_folded(part.id in folded)
            section.grid.set_names(part.charts, spans)
            grids.update(dict.fromkeys(part.charts, section.grid))
            for name in part.charts:
                if name in cells:
                    section.grid.put(name, cells[name])
        self._grids = grids
        for section_id in [section_id for section_id in self._sections if section_id not in wanted]:
            self._drop(section_id)

    # What is in view -----------------------------------------------------------------------------

    def names_in_view(self, margin: int = 0) -> list[str]:
        """Return the charts of which a part is in view, or at most `margin` pixels away from it."""
        port = self.viewport()
        found: list[str] = []
        for section in self._sections.values():
            grid = section.grid
            if grid.isVisibleTo(self):
                top = grid.mapTo(port, QPoint(0, 0)).y()
                if top < port.height() + margin and top + grid.height() > -margin:
                    found.extend(grid.names_between(-margin - top, port.height() + margin - top - 1))
        return found

    def open_names(self) -> list[str]:
        """Return the charts of the sections that are not folded."""
        return [
            name
            for section in self._sections.values()
            if section.grid.isVisibleTo(self)
            for name in section.grid.names
        ]

    def put(self, name: str, cell: ChartCell) -> None:
        """Put a cell at its chart's place."""
        self._grids[name].put(name, cell)

    def grid_of(self, name: str) -> ChartGrid | None:
        """Return the grid that a chart is in; None when it is not on this page."""
        return self._grids.get(name)

    def show_chart(self, name: str) -> None:
        """Unfold the section of a chart and scroll to the chart."""
        grid = self._grids.get(name)
        if grid is None:
            return
        for section in self._sections.values():
            if section.grid is grid and section.is_folded:
                section.set_folded(False)
                self.folded.emit(section.id, False)
        self.layout_now()
        rect = QRect(grid.mapTo(self._body, grid.rect_of(name).topLeft()), grid.rect_of(name).size())
        self.ensureVisible(rect.center().x(), rect.center().y(), 0, rect.height() // 2 + 24)

    def layout_now(self) -> None:
        """Lay the sections out now, without waiting for the event loop."""
        self._column.activate()

    # Sections ------------------------------------------------------------------------------------

    @property
    def sections(self) -> list[SectionView]:
        """The sections from top to bottom."""
        return sorted(self._sections.values(), key=self._column.indexOf)

    @property
    def all_folded(self) -> bool:
        """True when every section is folded."""
        return all(section.is_folded for section in self._sections.values())

    def _add(self, section_id: str, title: str) -> SectionView:
        section = SectionView(section_id, title)
        section.folded.connect(self._on_folded)
        section.menu_requested.connect(self.section_menu_requested)
        section.grid.placed.connect(self.view_changed)
        self._sections[section_id] = section
        return section

    def _drop(self, section_id: str) -> None:
        section = self._sections.pop(section_id)
        self._column.removeWidget(section)
        section.hide()
        section.deleteLater()

    def _on_folded(self, on: bool) -> None:
        sender = self.sender()
        if isinstance(sender, SectionView):
            self.folded.emit(sender.id, on)
        self.view_changed.emit()

    # Where something would be dropped ------------------------------------------------------------

    def place_at(self, where: QPoint) -> tuple[ChartPlace, str] | None:
        """Return where a drop at a screen point goes, and the chart after it; None outside of sections."""
        point = self._body.mapFromGlobal(where)
        for section in self.sections:
            area = section.geometry().adjusted(-MARGIN, -7, MARGIN, 7)
            if area.contains(point) and section.title != PINNED:
                if section.is_folded:
                    return ChartPlace(section.id, len(section.grid.names)), ""
                before = section.grid.name_before(section.grid.mapFromGlobal(where))
                at = section.grid.names.index(before) if before else len(section.grid.names)
                return ChartPlace(section.id, at), before
        return None

    def mark(self, where: QPoint | None) -> None:
        """Show a line where a drop at a point of the screen would go; None hides it."""
        found = self.place_at(where) if where is not None else None
        self._marker.setVisible(found is not None)
        if found is None:
            return
        section = self._sections[found[0].section]
        edge = section.grid.edge_before(found[1])
        if section.is_folded:
            edge, origin = QRect(0, section.height() - 2, section.width(), 3), section
        else:
            origin = section.grid  # type: ignore[assignment]
        self._marker.setGeometry(QRect(origin.mapTo(self._body, edge.topLeft()), edge.size()))
        self._marker.raise_()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(METRICS):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        where = self.viewport().mapToGlobal(event.position().toPoint())
        found = self.place_at(where)
        section, before = (found[0].section, found[1]) if found is not None else ("", "")
        self.metrics_dropped.emit(dragged(event.mimeData()), section, before)
        event.acceptProposedAction()
