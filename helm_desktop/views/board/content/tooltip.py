"""What is under the pointer: the step, each curve's value, greatest first, and the marks there."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from helm_desktop.theme import Theme, figure_font, text_font, theme_of

_MOST = 14
_LINE = 18
_PAD = 8
_NAME_PX = 260


@dataclass(frozen=True, slots=True)
class PointerReading:
    """One curve's value under the pointer."""

    name: str
    value: float
    text: str
    colour: str
    key: str = ""
    raw: str = ""  # " · raw 0.47": what was logged, where an average is drawn


class ChartTooltip(QWidget):
    """Lies over its window and never takes the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._lit = ""
        self.heading = ""
        self.readings: list[PointerReading] = []
        self.notes: list[str] = []
        self._lines: list[str] = []
        self._words, self._figures = text_font(12), figure_font(12)
        self.hide()

    def show_readings(
        self, heading: str, readings: list[PointerReading], notes: list[str], at: QPoint, lit: str = ""
    ) -> None:
        """Show these beside a place of the parent; the curve that is lit stands out."""
        self._lit = lit
        ranked = sorted(readings, key=lambda reading: (reading.value != reading.value, -reading.value))
        notes = list(notes)
        if len(ranked) > _MOST:
            notes.append(f"and {len(ranked) - _MOST} more")
        self.heading, self.readings, self.notes = heading, ranked[:_MOST], notes
        metrics = QFontMetrics(self._words)
        self._lines = [line for note in notes for line in wrapped(note, metrics, _NAME_PX + 60)]
        size = self._needed()
        room = self._window.rect()
        x = at.x() + 14 if at.x() + 14 + size.width() <= room.right() else at.x() - 14 - size.width()
        y = min(max(at.y() - size.height() // 2, 4), max(4, room.bottom() - size.height() - 4))
        self.setGeometry(max(x, 0), y, size.width(), size.height())
        self.raise_()
        self.show()
        self.update()

    def text(self) -> str:
        """Return all of it as text, one line each."""
        lines = [self.heading, *(f"{one.name} {one.text}{one.raw}" for one in self.readings), *self.notes]
        return "\n".join(lines)

    def _needed(self) -> QSize:
        words, figures = QFontMetrics(self._words), QFontMetrics(self._figures)
        wide = words.horizontalAdvance(self.heading)
        for reading in self.readings:
            name = min(words.horizontalAdvance(reading.name), _NAME_PX)
            wide = max(wide, 14 + name + 16 + figures.horizontalAdvance(reading.text + reading.raw))
        wide = max([wide, *(words.horizontalAdvance(line) for line in self._lines)])
        lines = 1 + len(self.readings) + len(self._lines)
        return QSize(wide + 2 * _PAD + 2, lines * _LINE + 2 * _PAD - 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        inner = self.rect().adjusted(_PAD, _PAD - 1, -_PAD, 0)
        line = QRectF(inner.x(), inner.y(), inner.width(), _LINE)
        painter.setFont(self._words)
        painter.setPen(QColor(theme.quiet))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, self.heading)
        for reading in self.readings:
            line.translate(0, _LINE)
            self._reading(painter, reading, line, theme)
        painter.setFont(self._words)
        for text in self._lines:
            line.translate(0, _LINE)
            painter.setPen(QColor(theme.quiet))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, text)

    def _reading(self, painter: QPainter, reading: PointerReading, line: QRectF, theme: Theme) -> None:
        painter.fillRect(QRectF(line.x(), line.center().y() - 1.5, 8, 3), QColor(reading.colour))
        painter.setPen(QColor(theme.text if not self._lit or reading.key == self._lit else theme.quiet))
        painter.setFont(self._words)
        name = painter.fontMetrics().elidedText(reading.name, Qt.TextElideMode.ElideMiddle, _NAME_PX)
        painter.drawText(line.adjusted(14, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(self._figures)
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        raw = painter.fontMetrics().horizontalAdvance(reading.raw)
        painter.drawText(line.adjusted(0, 0, -raw, 0), right, reading.text)
        painter.setPen(QColor(theme.quiet))
        painter.drawText(line, right, reading.raw)


def wrapped(text: str, metrics: QFontMetrics, wide: int, most: int = 6) -> list[str]:
    """Return a text in lines of at most that many pixels; what is beyond `most` lines is left out with …"""
    lines: list[str] = []
    for part in text.splitlines():
        line = ""
        for word in part.split():
            longer = f"{line} {word}".strip()
            if line and metrics.horizontalAdvance(longer) > wide:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]} …"]
    return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, wide) for line in lines]
