"""The names of a chart's curves in one line, as many as have room."""

from __future__ import annotations

from itertools import takewhile

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from helm_desktop.theme import text_font, theme_of


def short_names(names: list[str]) -> list[str]:
    """Names without what all of them begin with, cut at a separator."""
    if len(names) < 2:
        return list(names)
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    shared = "".join(letters[0] for letters in alike)
    cut = max((shared.rfind(mark) for mark in "/._ "), default=-1) + 1
    return [name[cut:] or name for name in names]


class Legend(QWidget):
    """Painted; the tooltip of the chart has the values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: list[tuple[str, str]] = []
        self._font = text_font(11)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(16)
        self.setVisible(False)

    def set_entries(self, entries: list[tuple[str, str]]) -> None:
        """Names and colours; shown from two on."""
        if entries != self._entries:
            self._entries = entries
            self.setVisible(len(entries) > 1)
            self.setAccessibleName(", ".join(name for name, _ in entries))
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(60, 16)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self)
        metrics = QFontMetrics(self._font)
        painter = QPainter(self)
        painter.setFont(self._font)
        x, end = 0.0, float(self.width())
        for at, (name, colour) in enumerate(self._entries):
            rest = len(self._entries) - at
            more = f"+{rest}"
            wide = 12 + metrics.horizontalAdvance(name)
            reserve = metrics.horizontalAdvance(more) + 8 if rest > 1 else 0
            if x + wide + reserve > end:
                painter.setPen(QColor(theme.quiet))
                painter.drawText(QRectF(x, 0, end - x, 16), Qt.AlignmentFlag.AlignVCenter, more)
                return
            painter.fillRect(QRectF(x, 7, 8, 3), QColor(colour))
            painter.setPen(QColor(theme.quiet))
            painter.drawText(QRectF(x + 12, 0, wide, 16), Qt.AlignmentFlag.AlignVCenter, name)
            x += wide + 12
