"""Between the actions that ask for the sources of the open run and the page that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from helm_desktop.window.regions import Regions

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.sources import SourcesPage


class SourcesController(QObject):
    """The page is made when it is first asked for."""

    def __init__(self, screen: Regions, parent: QObject) -> None:
        super().__init__(parent)
        self._screen = screen
        self._session: Session | None = None
        self.page: SourcesPage | None = None
        self._open = False

    def set_session(self, session: Session) -> None:
        """Another run: its sources are shown from now on."""
        self._session = session
        if self.page is not None:
            self.page.set_session(session)

    def open(self) -> None:
        """Show them, over another page that was opened since."""
        page = self.page = self.page or self._make()
        page.set_session(self._session)
        if not page.isVisible():
            self.close()
            self._open = True
            self._screen.window.take_over(page)
        page.show_chapter()

    def close(self) -> None:
        """Back to where they were opened."""
        if self._open and self.page is not None:
            self._open = False
            self._screen.window.give_back(self.page)

    def _make(self) -> SourcesPage:
        from helm_desktop.views.sources import SourcesPage

        page = SourcesPage()
        page.left.connect(self.close)
        return page
