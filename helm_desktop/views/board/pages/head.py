"""The head of the board: page tabs, "+" and the pills, and below them the search for charts."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from helm_desktop.theme import set_look
from helm_desktop.views.board.pages.page_tabs import PageTabs
from helm_desktop.views.board.pages.pills import BoardPills
from helm_desktop.widgets import FindField


class BoardHead(QWidget):
    """The head of the board; hidden while the board has no chart."""

    page_requested = Signal()
    find_changed = Signal(str, bool)  # the text, and whether it is a regular expression
    first_found_requested = Signal()  # show the first chart that was found

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs = PageTabs()
        self.pills = BoardPills()
        self.plus = QToolButton()
        self.plus.setText("+")
        self.plus.setToolTip("Add a page")
        self.plus.setAccessibleName("Add a page")
        set_look(self.plus, "flat")
        self.plus.clicked.connect(self.page_requested)
        self.finding = FindField("Find charts by their titles and names", "Find charts")
        self.search = self.finding.field
        self._found = QLabel()
        set_look(self._found, "small")
        self._search_row = QWidget()
        self._build()
        self.finding.find_changed.connect(self.find_changed)
        self.search.returnPressed.connect(self.first_found_requested)

    def _build(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(16, 8, 16, 0)
        top.setSpacing(8)
        top.addWidget(self.tabs)
        top.addWidget(self.plus)
        top.addStretch(1)
        top.addWidget(self.pills)
        rule = QFrame()
        rule.setFixedHeight(1)
        set_look(rule, "line")
        line = QHBoxLayout()
        line.setContentsMargins(16, 0, 16, 0)
        line.addWidget(rule)
        find = QHBoxLayout(self._search_row)
        find.setContentsMargins(16, 8, 16, 0)
        find.addWidget(self.finding, 1)
        find.addWidget(self._found)
        self._search_row.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addLayout(line)
        column.addWidget(self._search_row)

    @property
    def searching(self) -> bool:
        """True while the search field is shown."""
        return not self._search_row.isHidden()

    def open_search(self) -> None:
        """Show the search field and give it the focus."""
        self._search_row.show()
        self.search.setFocus()
        self.search.selectAll()

    def close_search(self) -> None:
        """Clear the search field and hide it."""
        self.search.clear()
        self._search_row.hide()

    def show_found(self, text: str, *, wrong: bool = False) -> None:
        """Show how many charts were found, or with `wrong` what is wrong with the expression."""
        self._found.setText(text)
        set_look(self._found, "bad" if wrong else "small")
        self.finding.set_wrong(text if wrong else "")
