"""A field to search with, by words or by a regular expression."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from helm_desktop.theme import set_look, set_state
from helm_desktop.widgets.search_field import SearchField


class FindField(QWidget):
    """A search field with a button that makes what is typed a regular expression."""

    find_changed = Signal(str, bool)  # the text, whether it is an expression

    def __init__(self, hint: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = SearchField(hint, name)
        self.regex = QToolButton()
        self.regex.setText(".*")
        self.regex.setCheckable(True)
        self.regex.setToolTip("Search by a regular expression")
        self.regex.setAccessibleName(f"{name} by a regular expression")
        set_look(self.regex, "toggle")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.field, 1)
        row.addWidget(self.regex)
        self.field.textChanged.connect(self._emit_search)
        self.regex.toggled.connect(self._emit_search)
        self.setFocusProxy(self.field)

    def set_wrong(self, sentence: str) -> None:
        """Say what is wrong with the expression, or nothing."""
        set_state(self.field, "invalid", bool(sentence))
        self.field.setAccessibleDescription(sentence)

    def _emit_search(self) -> None:
        self.find_changed.emit(self.field.text(), self.regex.isChecked())
