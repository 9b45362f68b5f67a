"""Between the actions that ask for the sources of the open run and the page that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.window.main_window import MainWindow

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.sources import SourcesPage


class SourcesController(QObject):
    """The page is made when it is first asked for."""

    def __init__(self, current: CurrentRun, window: MainWindow, parent: QObject) -> None:
        super().__init__(parent)
        self._current, self._window = current, window
        self.page: SourcesPage | None = None
        self._open = False
        current.changed.connect(self._run_changed)

    def _run_changed(self, before: Session | None, now: Session) -> None:
        """Show the sources of this run from now on."""
        if self.page is not None:
            self.page.set_session(now)

    def open(self) -> None:
        """Show them, over another page that was opened since."""
        page = self.page = self.page or self._make()
        page.set_session(self._current.session)
        if not page.isVisible():
            self.close()
            self._open = True
            self._window.take_over(page)
        page.show_chapter()

    def close(self) -> None:
        """Back to where they were opened."""
        if self._open and self.page is not None:
            self._open = False
            self._window.give_back(self.page)

    def _make(self) -> SourcesPage:
        from helm_desktop.views.sources import SourcesPage

        page = SourcesPage()
        page.left.connect(self.close)
        return page
