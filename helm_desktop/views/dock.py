"""The dock at the right: the controls above, and a tab for each other page below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSplitter, QTabWidget, QVBoxLayout, QWidget

from helm_desktop.theme import set_look


class Dock(QFrame):
    """The dock: the controls, a divider that the reader can move, and tabs such as Activity and Details."""

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
        """Set the panel of the controls, above the tabs."""
        self._controls = panel
        self.splitter.insertWidget(0, panel)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setSizes([600, 260])

    def add_page(self, title: str, page: QWidget) -> None:
        """Add a tab."""
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
        """Show a note beside a tab's title, such as how many changes wait; an empty note removes it."""
        label = f"{title} · {note}" if note else title
        self._tabs.setTabText(self._tabs.indexOf(self._pages[title]), label)

    def page_shown(self, title: str) -> bool:
        """Return True when the tab of this page is shown."""
        return self._tabs.isTabVisible(self._tabs.indexOf(self._pages[title]))

    def bring_forward(self, title: str, least: int = 160) -> None:
        """Show a page and give it the focus; make the tabs higher when they have less than `least` pixels."""
        if title in self._pages:
            self.show_page(title, True)
            self._tabs.setCurrentWidget(self._pages[title])
            self._pages[title].setFocus()
            sizes = self.splitter.sizes()
            if sizes[1] < least:
                height = max(320, least)
                self.splitter.setSizes([max(0, sum(sizes) - height), height])
        else:
            sizes = self.splitter.sizes()
            if sizes[0] < sizes[1]:
                self.splitter.setSizes([sum(sizes) * 2 // 3, sum(sizes) // 3])
            self._controls.setFocus(Qt.FocusReason.ShortcutFocusReason)
