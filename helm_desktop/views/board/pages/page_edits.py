"""What a reader does to the pages of the board."""

from __future__ import annotations

from itertools import count

from PySide6.QtCore import QObject, Signal

from helm_desktop.format import plural
from helm_desktop.model.board import edits as edits
from helm_desktop.model.board.layout import BoardLayout
from helm_desktop.views.board.pages.gesture import EditGesture
from helm_desktop.views.board.pages.parts import BoardParts


class PageEdits(QObject):
    """Turns requests of the reader into edits of the board's model. The default page is the one in front."""

    notified = Signal(str)

    def __init__(self, board: BoardParts, gesture: EditGesture) -> None:
        super().__init__(board.frame)
        self._model = board.model
        self._tabs = board.head.tabs
        self._gesture = gesture
        board.head.page_requested.connect(self.add)
        self._tabs.page_moved.connect(self._on_moved)
        self._tabs.page_renamed.connect(self.rename)
        self._tabs.drag_began.connect(gesture.begin)

    def add(self) -> None:
        """Add a page at the end and open the field for its title."""
        titles = {page.title for page in self._model.pages}
        title = next(name for n in count(1) if (name := f"Page {n}") not in titles)
        self._model.arrange("add page", lambda layout: edits.add_page(layout, title))
        page_id = self._model.pages[-1].id
        self._tabs.turn_to(page_id)
        self._tabs.rename(page_id)

    def rename_current(self) -> None:
        """Edit the title of the page in front."""
        self._tabs.rename(self._tabs.current_page)

    def rename(self, page_id: str, title: str) -> None:
        """Give a page another title."""
        self._model.arrange("rename page", lambda layout: edits.rename_page(layout, page_id, title))

    def remove(self, page_id: str = "") -> None:
        """Delete a page and its charts."""
        page_id = page_id or self._tabs.current_page
        page = next((page for page in self._model.pages if page.id == page_id), None)
        if page is None:
            return
        if self._model.arrange("delete page", lambda layout: edits.remove_page(layout, page_id)):
            charts = plural(len(page.charts), "chart")
            self.notified.emit(f"Deleted the page {page.title} with {charts}. Ctrl+Z brings it back.")

    def move(self, by: int, page_id: str = "") -> None:
        """Move a page by so many tabs to the right; negative numbers move it to the left."""
        page_id = page_id or self._tabs.current_page
        at = self._tabs.number_of(page_id) + by
        if 0 <= at < self._tabs.count():
            after = at + 1 if by > 0 else at
            self._on_moved(page_id, self._tabs.page_at(after))

    def _on_moved(self, page_id: str, before: str) -> None:
        def work(layout: BoardLayout) -> BoardLayout:
            rest = [page.id for page in layout.pages or () if page.id != page_id]
            return edits.move_page(layout, page_id, rest.index(before) if before in rest else len(rest))

        self._model.arrange("move page", work, self._gesture.number)
