"""The menus of a chart, a section and a page."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu

from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.edits import BoardEdits
from helm_desktop.views.board.pages.page import PageView
from helm_desktop.views.board.pages.page_stage import BoardStage
from helm_desktop.views.board.pages.section_edits import SectionEdits


class BoardMenus(QObject):
    """Opens them where they are asked for."""

    def __init__(self, board: BoardStage, desk: BoardEdits) -> None:
        super().__init__(board)
        self._board, self._desk = board, desk
        board.tabs.menu_requested.connect(self._open_page_menu)
        board.page_made.connect(self._listen)
        board.cells.made.connect(self._look_after)

    def _listen(self, page: PageView) -> None:
        page.section_menu_requested.connect(self._open_section_menu)

    def _look_after(self, cell: ChartCell) -> None:
        cell.filled.connect(self._filled)
        cell.menu_requested.connect(self._open_chart_menu)

    def _filled(self, chart_id: str) -> None:
        cell = self._board.cell(chart_id)
        if cell is not None and cell.chart is not None:
            cell.chart.menu.extend = partial(extend_chart_menu, self._board, self._desk, chart_id)

    def _open_chart_menu(self, chart_id: str, place: QPoint) -> None:
        cell = self._board.cell(chart_id)
        if cell is not None and cell.chart is not None:
            cell.chart.menu.open(place)

    def _open_section_menu(self, section_id: str, place: QPoint) -> None:
        section_menu(self._board, self._desk.sections, section_id).popup(place)

    def _open_page_menu(self, page_id: str, place: QPoint) -> None:
        page_menu(self._board, self._desk, page_id).popup(place)


def _menu(board: BoardStage) -> QMenu:
    menu = QMenu(board)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def extend_chart_menu(board: BoardStage, desk: BoardEdits, chart_id: str, menu: QMenu) -> None:
    """What the board can do with a chart, its keys beside, below what the chart can do itself."""
    chart = board.model.chart(chart_id)
    menu.addSeparator()
    entries = (
        ("Duplicate\tD", "duplicate"),
        ("Unpin\tP" if chart.pinned else "Pin to the top of the page\tP", "pin"),
        ("Show again\tH" if chart.hidden else "Hide\tH", "hide"),
    )
    for text, wish in entries:
        menu.addAction(text).triggered.connect(partial(desk.do, chart_id, wish))
    menu.addMenu(_move_menu(menu, board, desk, chart_id))
    menu.addAction("Delete\tDel").triggered.connect(partial(desk.do, chart_id, "delete"))


def _move_menu(menu: QMenu, board: BoardStage, desk: BoardEdits, chart_id: str) -> QMenu:
    move = QMenu("Move to", menu)
    place = board.model.place_of(chart_id)
    pages = board.model.pages
    for page in pages:
        for section in page.sections:
            text = section.title if len(pages) == 1 else f"{page.title} · {section.title}"
            action = move.addAction(text.replace("&", "&&"))
            action.setEnabled(place is None or section.id != place.section)
            action.triggered.connect(partial(desk.move_chart, chart_id, section.id, ""))
    return move


def section_menu(board: BoardStage, desk: SectionEdits, section_id: str) -> QMenu:
    """What can be done to a section."""
    menu = _menu(board)
    page = next(page for page in board.model.pages for one in page.sections if one.id == section_id)
    at = next(at for at, one in enumerate(page.sections) if one.id == section_id)
    hidden = [chart for chart in page.sections[at].charts if board.model.chart(chart).hidden]
    menu.addAction("Rename…").triggered.connect(partial(desk.rename, section_id))
    merge = menu.addAction("Merge with the one above" if at else "Merge with the one below")
    merge.setEnabled(len(page.sections) > 1)
    merge.triggered.connect(partial(desk.merge, section_id))
    for text, by, on in (("Move up", -1, at > 0), ("Move down", 1, at + 1 < len(page.sections))):
        action = menu.addAction(text)
        action.setEnabled(on)
        action.triggered.connect(partial(desk.move, section_id, by))
    if hidden:
        menu.addAction("Show hidden charts").triggered.connect(partial(desk.unhide, section_id))
    menu.addSeparator()
    menu.addAction("New section").triggered.connect(desk.add)
    menu.addAction("Delete section and charts").triggered.connect(partial(desk.remove, section_id))
    return menu


def page_menu(board: BoardStage, desk: BoardEdits, page_id: str) -> QMenu:
    """What can be done to a page."""
    menu = _menu(board)
    at, last = board.tabs.number_of(page_id), board.tabs.count() - 1
    menu.addAction("Rename…").triggered.connect(partial(board.tabs.rename, page_id))
    for text, by, on in (("Move left", -1, at > 0), ("Move right", 1, at < last)):
        action = menu.addAction(text)
        action.setEnabled(on)
        action.triggered.connect(partial(desk.move_page, by, page_id))
    menu.addSeparator()
    menu.addAction("New page").triggered.connect(desk.add_page)
    menu.addAction("Delete page and charts").triggered.connect(partial(desk.remove_page, page_id))
    return menu
