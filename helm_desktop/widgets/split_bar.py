"""A bar split into shares, with dividers that can be dragged."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from helm_desktop.theme import text_font, theme_of

GRIP = 6.0  # how far from a divider, in pixels, the mouse still takes it
THIN, THICK = 9, 22


@dataclass(frozen=True)
class Share:
    """One part of the bar. Weights are shares of whatever they sum to."""

    label: str
    weight: float
    colour: str
    locked: bool = False


def paint_lock(painter: QPainter, centre: QPointF, colour: QColor, *, is_open: bool = False) -> None:
    """Paint a padlock of 8 by 10 about its centre."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(centre)
    painter.setPen(QPen(colour, 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawArc(QRectF(-2.2 if not is_open else 0.4, -4.6, 4.4, 6), 0, 180 * 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(-4, -1.2, 8, 6), 1.2, 1.2)
    painter.restore()


class SplitBar(QWidget):
    """Draws the shares, and says what a hand wishes; the shares change only when they are set."""

    dragged = Signal(int, float)  # divider and the share (0 to 1) wished for the segment at its left
    drag_ended = Signal()

    def __init__(self, name: str, *, draggable: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._segments: tuple[Share, ...] = ()
        self._shares: tuple[float, ...] = ()
        self._draggable = draggable
        self._held: int | None = None
        self._selected = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(THICK if draggable else THIN)
        self.setMouseTracking(draggable)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if draggable else Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)

    @property
    def segments(self) -> tuple[Share, ...]:
        """What is shown."""
        return self._segments

    @property
    def shares(self) -> tuple[float, ...]:
        """Each segment's share, 0 to 1."""
        return self._shares

    @property
    def selected(self) -> int:
        """The divider that the keys move."""
        return self._selected

    def set_segments(self, segments: Sequence[Share]) -> None:
        """Show these segments; while nothing weighs anything the bar is empty."""
        self._segments = tuple(segments)
        total = sum(segment.weight for segment in self._segments)
        self._shares = tuple(segment.weight / total if total > 0 else 0.0 for segment in self._segments)
        self._selected = min(self._selected, max(0, len(self._segments) - 2))
        reported = (
            f"{part.label} {share:.1%}" for part, share in zip(self._segments, self._shares, strict=True)
        )
        words = ", ".join(reported)
        self.setAccessibleDescription(words)
        self.setToolTip(words)
        self.update()

    def divider_x(self, index: int) -> float:
        """Return where a divider stands, in pixels from the left."""
        return sum(self._shares[: index + 1]) * self.width()

    def divider_at(self, x: float) -> int | None:
        """The divider that a hand at x takes: the nearest within GRIP. Where several lie on one another,
        the last when x is to the right of them, so that an empty segment can be opened again."""
        near = [
            (abs(self.divider_x(index) - x), index)
            for index in range(len(self._segments) - 1)
            if abs(self.divider_x(index) - x) <= GRIP
        ]
        if not near:
            return None
        distance = min(near)[0]
        level = [index for gap, index in near if gap - distance < 0.5]
        return level[-1] if x >= self.divider_x(level[0]) else level[0]

    def is_free(self, index: int) -> bool:
        """Return True when neither neighbour of a divider is locked."""
        return not (self._segments[index].locked or self._segments[index + 1].locked)

    def sizeHint(self) -> QSize:
        return QSize(240, self.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.divider_at(event.position().x()) if self._draggable else None
        if event.button() != Qt.MouseButton.LeftButton or index is None:
            super().mousePressEvent(event)
            return
        self._selected = index
        self._held = index if self.is_free(index) else None
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._held is not None and self.width() > 0:
            left = sum(self._shares[: self._held])
            self._request_share(self._held, x / self.width() - left)
        elif self._draggable:
            index = self.divider_at(x)
            shapes = Qt.CursorShape
            free = index is not None and self.is_free(index)
            self.setCursor(shapes.SplitHCursor if free else shapes.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._held = None
            self.update()
            self.drag_ended.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._segments) - 2
        key = event.key()
        if not self._draggable or last < 0:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            step = 0.05 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0.01
            sign = -1 if key == Qt.Key.Key_Left else 1
            if self.is_free(self._selected):
                self._request_share(self._selected, self._shares[self._selected] + sign * step)
                self.drag_ended.emit()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._select(min(max(self._selected + (1 if key == Qt.Key.Key_Down else -1), 0), last))
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.update()

    def _select(self, index: int) -> None:
        self._selected = index
        left, right = self._segments[index : index + 2]
        self.setAccessibleName(f"{self._name}, divider between {left.label} and {right.label}")
        self.update()

    def _request_share(self, index: int, share: float) -> None:
        room = self._shares[index] + self._shares[index + 1]
        self.dragged.emit(index, min(max(share, 0.0), room))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = theme_of(self)
        whole = QRectF(self.rect())
        outline = QPainterPath()
        outline.addRoundedRect(whole, 4, 4)
        painter.setClipPath(outline)
        painter.fillRect(whole, QColor(theme.raised))
        x = 0.0
        for segment, share in zip(self._segments, self._shares, strict=True):
            width = share * self.width()
            part = QRectF(x, 0, width, self.height())
            painter.fillRect(part, QColor(segment.colour))
            if self._draggable:
                self._paint_label(painter, segment, share, part, theme.ink_on(segment.colour))
            x += width
        painter.setClipping(False)
        self._paint_dividers(painter, QColor(theme.card), QColor(theme.text), QColor(theme.faint))
        painter.end()

    def _paint_label(self, painter: QPainter, segment: Share, share: float, part: QRectF, ink: str) -> None:
        font = text_font(12, bold=True)
        metrics = QFontMetricsF(font)
        room = part.width() - (16 if segment.locked else 0)
        beside = part.adjusted(0, 0, -12 if segment.locked else 0, 0)
        for text in (f"{segment.label} {share:.0%}", segment.label):
            if metrics.horizontalAdvance(text) + 12 <= room:
                painter.setFont(font)
                painter.setPen(QColor(ink))
                painter.drawText(beside, Qt.AlignmentFlag.AlignCenter, text)
                break
        if segment.locked and part.width() >= 14:
            paint_lock(painter, QPointF(part.right() - 9, part.center().y()), QColor(ink))

    def _paint_dividers(self, painter: QPainter, gap: QColor, grip: QColor, faint: QColor) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for index in range(len(self._segments) - 1):
            x = self.divider_x(index)
            thinner = min(self._shares[index], self._shares[index + 1]) * self.width()
            wide = min(2.0, thinner / 3)  # a thin part is not covered by the gaps beside it
            painter.setBrush(gap)
            painter.drawRect(QRectF(x - wide / 2, 0, wide, self.height()))
            chosen = self._held == index or (self.hasFocus() and self._selected == index)
            if self._draggable and chosen:
                centre = QPointF(min(max(x, 2.5), self.width() - 2.5), self.height() / 2)
                painter.setBrush(grip if self.is_free(index) else faint)
                painter.drawRoundedRect(QRectF(centre.x() - 2.5, 0, 5, self.height()), 2, 2)
