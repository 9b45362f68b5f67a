"""The marks of the app, painted: ◆ change, ▮ checkpoint, ▲ rule, and the dots of notes and processes."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from helm_desktop.theme import Theme, theme_of

MARK_KINDS = ("change", "checkpoint", "rule", "note", "joined")
_WORDS = {
    "change": "Change",
    "checkpoint": "Checkpoint",
    "rule": "Rule",
    "note": "Note",
    "joined": "Process",
}


def mark_colour(theme: Theme, kind: str) -> str:
    """Return the colour of a kind of mark."""
    colours = {"change": theme.warn, "checkpoint": theme.checkpoint, "rule": theme.bad, "note": theme.accent}
    return colours.get(kind, theme.quiet)


def paint_mark(
    painter: QPainter, kind: str, centre: QPointF, size: float, colour: QColor, *, hollow: bool = False
) -> None:
    """Paint a mark about its centre; hollow for what is not yet so."""
    half = size / 2
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.25) if hollow else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if hollow else colour)
    if kind == "checkpoint":
        painter.drawRect(QRectF(centre.x() - size * 0.22, centre.y() - half, size * 0.44, size))
    elif kind in ("change", "rule"):
        offsets = [(0, -half), (half, 0), (0, half), (-half, 0)]
        if kind == "rule":
            offsets = [(0, -half), (half, half * 0.8), (-half, half * 0.8)]
        painter.drawPolygon(QPolygonF([QPointF(centre.x() + x, centre.y() + y) for x, y in offsets]))
    else:
        painter.drawEllipse(centre, half * 0.8, half * 0.8)
    painter.restore()


class MarkGlyph(QWidget):
    """One mark as a widget of 12 by 12."""

    def __init__(
        self, kind: str, *, tone: str = "", hollow: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setFixedSize(12, 12)
        self._kind = self._tone = ""
        self._hollow = False
        self.set_mark(kind, tone=tone, hollow=hollow)

    @property
    def kind(self) -> str:
        """One of MARK_KINDS."""
        return self._kind

    def set_mark(self, kind: str, *, tone: str = "", hollow: bool = False) -> None:
        """Show another mark; `tone` (a token such as "bad") stands in for the kind's own colour."""
        if kind not in MARK_KINDS:
            raise ValueError(f"{kind!r} is none of {', '.join(MARK_KINDS)}")
        self._kind, self._tone, self._hollow = kind, tone, hollow
        self.setAccessibleName(_WORDS[kind])
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        colour = QColor(getattr(theme, self._tone) if self._tone else mark_colour(theme, self._kind))
        painter = QPainter(self)
        paint_mark(painter, self._kind, QPointF(6, 6), 10, colour, hollow=self._hollow)
        painter.end()
