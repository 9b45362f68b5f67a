"""Edits of the sections of the page in front."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from helm_desktop.model.board import edits as edits
from helm_desktop.model.board.layout import BoardLayout
from helm_desktop.views.board.pages.page import PageView
from helm_desktop.views.board.pages.parts import BoardParts
from helm_desktop.views.board.pages.rename_field import TitleEdit


class SectionEdits(QObject):
    """Turns requests of the reader into edits of the board's model, each of which can be undone."""

    notified = Signal(str)

    def __init__(self, board: BoardParts) -> None:
        super().__init__(board.frame)
        self._board = board
        self._model = board.model
        board.pages.page_made.connect(self._connect_page)

    def _connect_page(self, page: PageView) -> None:
        page.folded.connect(self.fold_one)

    def fold_all(self, on: bool) -> None:
        """Fold or unfold every section of the page in front."""
        page = self._board.pages.current
        if page is not None:
            self.fold([section.id for section in page.sections], on)

    def fold_one(self, section_id: str, on: bool) -> None:
        """Fold or unfold a section."""
        self.fold([section_id], on)

    def fold(self, sections: Sequence[str], on: bool) -> None:
        """Fold or unfold sections."""
        self._model.change("fold" if on else "unfold", lambda layout: edits.set_folded(layout, sections, on))

    def add(self) -> None:
        """Add a section at the end of the page in front and open the field for its title."""
        page = self._board.head.tabs.current_page
        self._model.arrange("add section", lambda layout: edits.add_section(layout, page, "New section"))
        shown = self._board.pages.current
        if shown is not None and shown.sections:
            self.rename(shown.sections[-1].id)

    def rename(self, section_id: str) -> None:
        """Open a field over the title of a section to edit it."""
        page = self._board.pages.current
        section = next((one for one in page.sections if one.id == section_id), None) if page else None
        if page is None or section is None:
            return
        page.layout_now()
        page.ensureWidgetVisible(section.button)
        place = section.button.rect()
        place.moveTopLeft(section.button.mapTo(section, place.topLeft()))

        def done(title: str) -> None:
            self._model.arrange(
                "rename section", lambda layout: edits.rename_section(layout, section_id, title)
            )

        TitleEdit(section, place, section.title, done)

    def merge(self, section_id: str) -> None:
        """Merge a section into the one above it; the first one into the one below."""
        self._model.arrange("merge sections", lambda layout: edits.merge_section(layout, section_id))

    def move(self, section_id: str, by: int) -> None:
        """Move a section down by so many places; negative numbers move it up."""
        self._model.arrange("move section", lambda layout: edits.move_section(layout, section_id, by))

    def remove(self, section_id: str) -> None:
        """Delete a section and its charts."""
        if self._model.arrange("delete section", lambda layout: edits.remove_section(layout, section_id)):
            self.notified.emit("Deleted the section with its charts. Ctrl+Z brings it back.")

    def unhide(self, section_id: str) -> None:
        """Show the hidden charts of a section again."""
        section = next(one for page in self._model.pages for one in page.sections if one.id == section_id)

        def work(layout: BoardLayout) -> BoardLayout:
            for chart in section.charts:
                layout = edits.set_chart(layout, chart, hidden=False)
            return layout

        self._model.change("show hidden charts", work)
