"""The dock at the right: sections one below the other, one of them brought forward."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSplitter, QTabWidget, QVBoxLayout, QWidget

from helm_desktop.theme import set_look


class Dock(QFrame):
    """Controls above; Activity, Details and Metrics as tabs below, the divider where the reader left it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "panel")
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        self._tabs.tabBar().setAccessibleName("Lower part of the dock")
        self._tabs.tabBar().setExpanding(False)
        self._tabs.tabBar().setDrawBase(False)
        self._controls: QWidget = self._tabs
        self._pages: dict[str, QWidget] = {}
        self.splitter.addWidget(self._tabs)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.splitter)

    def set_controls(self, panel: QWidget) -> None:
        """What stands above; it scrolls by itself."""
        self._controls = panel
        self.splitter.insertWidget(0, panel)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setSizes([600, 260])

    def add_page(self, title: str, page: QWidget) -> None:
        """One more tab below."""
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(14, 8, 12, 12)
        column.addWidget(page)
        self._pages[title] = holder
        self._tabs.addTab(holder, title)

    def show_page(self, title: str, on: bool) -> None:
        """Show or hide a tab."""
        self._tabs.setTabVisible(self._tabs.indexOf(self._pages[title]), on)

    def set_note(self, title: str, note: str) -> None:
        """A word beside a tab's title, such as how many wait."""
        label = f"{title} · {note}" if note else title
        self._tabs.setTabText(self._tabs.indexOf(self._pages[title]), label)

    def page_shown(self, title: str) -> bool:
        """Return True when there is a tab for this page."""
        return self._tabs.isTabVisible(self._tabs.indexOf(self._pages[title]))

    def bring_forward(self, title: str, least: int = 160) -> None:
        """Show a section and gives it the focus; a tab that is lower than `least` pixels is made higher."""
        if title in self._pages:
            self.show_page(title, True)
            self._tabs.setCurrentWidget(self._pages[title])
            self._pages[title].setFocus()
            below = self.splitter.sizes()
            if below[1] < least:
                high = max(320, least)
                self.splitter.setSizes([max(0, sum(below) - high), high])
        else:
            sizes = self.splitter.sizes()
            if sizes[0] < sizes[1]:
                self.splitter.setSizes([sum(sizes) * 2 // 3, sum(sizes) // 3])
            self._controls.setFocus(Qt.FocusReason.ShortcutFocusReason)
