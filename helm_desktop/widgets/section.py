"""A titled part that folds."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from helm_desktop.theme import set_look, text_font, theme_of

_INDENT = 16


class _FoldButton(QAbstractButton):
    """Arrow and title; checked while folded."""

    def __init__(self) -> None:
        super().__init__()
        self.setFont(text_font(bold=True))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + _INDENT + 6, metrics.height() + 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        folded = [(2.0, -4.0), (8.0, 0.0), (2.0, 4.0)]
        opened = [(1.0, -2.5), (9.0, -2.5), (5.0, 3.0)]
        corners = folded if self.isChecked() else opened
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.quiet))
        painter.drawPolygon(QPolygonF([QPointF(x, middle + y) for x, y in corners]))
        painter.setPen(QColor(theme.text))
        place = self.rect().adjusted(_INDENT, 0, 0, 0)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        if self.hasFocus():
            painter.setPen(QColor(theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()


class FoldingSection(QWidget):
    """A header with an arrow, a title and a note at the right; below it the content."""

    folded = Signal(bool)  # by the user's hand only

    def __init__(
        self, title: str, content: QWidget, *, note: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._content = content
        self.button = _FoldButton()
        self.button.setCheckable(True)
        self.button.clicked.connect(self._toggle)
        self._note = QLabel(note)
        set_look(self._note, "quiet")
        self.header = QHBoxLayout()
        self.header.setContentsMargins(0, 0, 0, 0)
        self.header.setSpacing(8)
        self.header.addWidget(self.button)
        self.header.addWidget(self._note)
        self.header.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(self.header)
        column.addWidget(content)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.set_title(title)

    @property
    def title(self) -> str:
        """The header's words."""
        return self.button.text()

    @property
    def is_folded(self) -> bool:
        """Whether the content is hidden."""
        return self._content.isHidden()

    def set_title(self, title: str) -> None:
        """Another title."""
        self.button.setText(title)
        self.button.setAccessibleName(f"{title}, {'folded' if self.is_folded else 'open'}")

    def set_note(self, note: str) -> None:
        """Another note beside the title, such as "4 charts"."""
        self._note.setText(note)

    def set_folded(self, on: bool) -> None:
        """Hide or show the content without telling."""
        self._content.setVisible(not on)
        self.button.setChecked(on)
        self.set_title(self.title)

    def _toggle(self) -> None:
        self.set_folded(not self.is_folded)
        self.folded.emit(self.is_folded)
