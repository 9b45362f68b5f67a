"""A coloured dot with the word for what it means."""

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from helm_desktop.theme import set_look, theme_of

DOT_TONES = ("live", "done", "accent", "warn", "bad", "off")


class _Dot(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.tone = "off"
        self.setFixedSize(12, 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QPointF(6, 6)
        if self.tone == "off":
            painter.setPen(QPen(QColor(theme.quiet), 1.5))
            painter.drawEllipse(centre, 3.25, 3.25)
        else:
            colour = QColor(theme.live if self.tone == "done" else getattr(theme, self.tone))
            painter.setPen(Qt.PenStyle.NoPen)
            if self.tone == "live":
                halo = QColor(colour)
                halo.setAlphaF(0.25)
                painter.setBrush(halo)
                painter.drawEllipse(centre, 6, 6)
            painter.setBrush(colour)
            painter.drawEllipse(centre, 4, 4)
        painter.end()


class StateDot(QWidget):
    """Dot and word; a word that stands elsewhere on the row is left to tooltip and screen reader."""

    def __init__(
        self, word: str = "", tone: str = "off", *, show_word: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._dot = _Dot(self)
        self._word = QLabel(self)
        set_look(self._word, "small")
        self._word.setVisible(show_word)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._dot)
        row.addWidget(self._word)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_state(word, tone)

    @property
    def text(self) -> str:
        """The state in a word."""
        return self._word.text()

    @property
    def tone(self) -> str:
        """The colour's role."""
        return self._dot.tone

    def set_state(self, word: str, tone: str) -> None:
        """Show another state: a word and one of DOT_TONES."""
        if tone not in DOT_TONES:
            raise ValueError(f"{tone!r} is none of {', '.join(DOT_TONES)}")
        self._dot.tone = tone
        self._word.setText(word)
        self.setAccessibleName(word)
        self.setToolTip(word if self._word.isHidden() else "")
        self._dot.update()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()
