"""A button with a count beside its word."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from helm_desktop.theme import set_look

_SIDES, _END, _GAP, _HEIGHT = 12, 8, 6, 30


class CountButton(QPushButton):
    """Its accessible name says both."""

    def __init__(self, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._word, self._count = QLabel(word), QLabel()
        set_look(self._count, "count")
        for label in (self._word, self._count):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDES, 0, _END, 0)
        row.setSpacing(_GAP)
        row.addWidget(self._word)
        row.addWidget(self._count, 0, Qt.AlignmentFlag.AlignVCenter)
        self.set_count(0)

    def set_count(self, count: int) -> None:
        """Another count; none is shown for 0."""
        self._count.setText(str(count))
        self._count.setVisible(bool(count))
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(_SIDES, 0, _END if count else _SIDES, 0)
        self.setAccessibleName(f"{self._word.text()}, {count}" if count else self._word.text())
        self.updateGeometry()

    @property
    def count(self) -> int:
        """What is shown."""
        return int(self._count.text())

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return QSize(layout.sizeHint().width() if layout is not None else 0, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()
