"""The menus of a chart, a section and a page."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu

from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.edits import BoardEdits
from helm_desktop.views.board.pages.page import PageView
from helm_desktop.views.board.pages.parts import BoardParts
from helm_desktop.views.board.pages.section_edits import SectionEdits


class BoardMenus(QObject):
    """Opens the menu of a chart, a section or a page when it is requested."""

    def __init__(self, board: BoardParts, edits: BoardEdits) -> None:
        super().__init__(board.frame)
        self._board, self._edits = board, edits
        board.head.tabs.menu_requested.connect(self._open_page_menu)
        board.pages.page_made.connect(self._connect_page)
        board.cells.made.connect(self._connect_cell)

    def _connect_page(self, page: PageView) -> None:
        page.section_menu_requested.connect(self._open_section_menu)

    def _connect_cell(self, cell: ChartCell) -> None:
        cell.filled.connect(self._filled)
        cell.menu_requested.connect(self._open_chart_menu)

    def _filled(self, chart_id: str) -> None:
        chart = self._board.charts.chart(chart_id)
        if chart is not None:
            chart.menu.extend = partial(extend_chart_menu, self._board, self._edits, chart_id)

    def _open_chart_menu(self, chart_id: str, place: QPoint) -> None:
        chart = self._board.charts.chart(chart_id)
        if chart is not None:
            chart.menu.open(place)

    def _open_section_menu(self, section_id: str, place: QPoint) -> None:
        section_menu(self._board, self._edits.sections, section_id).popup(place)

    def _open_page_menu(self, page_id: str, place: QPoint) -> None:
        page_menu(self._board, self._edits, page_id).popup(place)


def _menu(board: BoardParts) -> QMenu:
    menu = QMenu(board.frame)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def extend_chart_menu(board: BoardParts, edits: BoardEdits, chart_id: str, menu: QMenu) -> None:
    """Add to a chart's menu the actions of the board on that chart, with their keys."""
    chart = board.model.chart(chart_id)
    menu.addSeparator()
    entries = (
        ("Duplicate\tD", "duplicate"),
        ("Unpin\tP" if chart.pinned else "Pin to the top of the page\tP", "pin"),
        ("Show again\tH" if chart.hidden else "Hide\tH", "hide"),
    )
    for text, action in entries:
        menu.addAction(text).triggered.connect(partial(edits.charts.do, chart_id, action))
    menu.addMenu(_move_menu(menu, board, edits, chart_id))
    menu.addAction("Delete\tDel").triggered.connect(partial(edits.charts.do, chart_id, "delete"))


def _move_menu(menu: QMenu, board: BoardParts, edits: BoardEdits, chart_id: str) -> QMenu:
    move = QMenu("Move to", menu)
    place = board.model.place_of(chart_id)
    pages = board.model.pages
    for page in pages:
        for section in page.sections:
            text = section.title if len(pages) == 1 else f"{page.title} · {section.title}"
            entry = move.addAction(text.replace("&", "&&"))
            entry.setEnabled(place is None or section.id != place.section)
            entry.triggered.connect(partial(edits.charts.move, chart_id, section.id, ""))
    return move


def section_menu(board: BoardParts, edits: SectionEdits, section_id: str) -> QMenu:
    """Return the menu of a section."""
    menu = _menu(board)
    page = next(page for page in board.model.pages for one in page.sections if one.id == section_id)
    at = next(at for at, one in enumerate(page.sections) if one.id == section_id)
    hidden = [chart for chart in page.sections[at].charts if board.model.chart(chart).hidden]
    menu.addAction("Rename…").triggered.connect(partial(edits.rename, section_id))
    merge = menu.addAction("Merge with the one above" if at else "Merge with the one below")
    merge.setEnabled(len(page.sections) > 1)
    merge.triggered.connect(partial(edits.merge, section_id))
    for text, by, on in (("Move up", -1, at > 0), ("Move down", 1, at + 1 < len(page.sections))):
        action = menu.addAction(text)
        action.setEnabled(on)
        action.triggered.connect(partial(edits.move, section_id, by))
    if hidden:
        menu.addAction("Show hidden charts").triggered.connect(partial(edits.unhide, section_id))
    menu.addSeparator()
    menu.addAction("New section").triggered.connect(edits.add)
    menu.addAction("Delete section and charts").triggered.connect(partial(edits.remove, section_id))
    return menu


def page_menu(board: BoardParts, edits: BoardEdits, page_id: str) -> QMenu:
    """Return the menu of a page."""
    menu = _menu(board)
    at, last = board.head.tabs.number_of(page_id), board.head.tabs.count() - 1
    menu.addAction("Rename…").triggered.connect(partial(board.head.tabs.rename, page_id))
    for text, by, on in (("Move left", -1, at > 0), ("Move right", 1, at < last)):
        action = menu.addAction(text)
        action.setEnabled(on)
        action.triggered.connect(partial(edits.pages.move, by, page_id))
    menu.addSeparator()
    menu.addAction("New page").triggered.connect(edits.pages.add)
    menu.addAction("Delete page and charts").triggered.connect(partial(edits.pages.remove, page_id))
    return menu
