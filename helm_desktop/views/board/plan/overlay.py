"""The draft over a chart's picture: the line, its handles, and the hand that moves them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, QTimerEvent, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QMenu, QWidget

from helm_desktop.model.schedule.draft_labels import value_words
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.model.series.decimal_text import rounded_to
from helm_desktop.theme import text_font, theme_of
from helm_desktop.views.board.canvas.canvas import polygon
from helm_desktop.views.board.plan.keys import PlanKeys
from helm_desktop.views.board.plan.places import HANDLE_PX, PixelPositions
from helm_desktop.views.board.plan.stretch import TICK_MS, grown

if TYPE_CHECKING:
    from helm_desktop.views.board.chart.chart import ChartView

REACH_PX = 9.0
_HEADROOM = 0.03  # of what a draft spans, above it
HELP = (
    "Drag a handle. Double click adds one, Delete removes it, Enter or a figure types its values. Arrow "
    "keys move the chosen one, Shift by more, Ctrl does not snap; comma and full stop choose another, "
    "Insert adds one after it, Ctrl+Enter goes on to the change bar, Escape back to the chart."
)


class PlanOverlay(QWidget):
    """Lies over the picture. What the hand does beside the handles goes on to the chart below."""

    values_requested = Signal(int, str)  # type the values of this keyframe; what was typed already
    moved = Signal()
    done = Signal()  # on to the change bar

    def __init__(self, chart: ChartView, model: DraftModel) -> None:
        super().__init__(chart.plot.canvas.parentWidget())
        self._chart = chart
        self._canvas = chart.plot.canvas
        self._model = model
        self.places = PixelPositions(chart, model)
        self._beyond = 0.0  # pixels that the hand is above the picture; below it negative
        self._ticks = 0  # the number of the timer that runs while it is
        self.chosen = 0
        self._pointer = QPointF()
        self._snaps = True
        self._held: int | None = None
        self._under: int | None = None
        self._line = QPolygonF()
        self._key: object = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._canvas.installEventFilter(self)
        self.setGeometry(self._canvas.geometry())
        self.setWhatsThis(HELP)
        self.setAccessibleDescription(HELP)
        self.renew()
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self.setGeometry(self._canvas.geometry())
        return False

    def renew(self) -> None:
        """The draft has changed: draws it anew."""
        draft = self._model.draft
        self._key = None
        if draft is not None:
            self.chosen = min(self.chosen, len(draft.keyframes) - 1)
            self._chart.set_drafted(_reach(draft), self.places.on_chart(draft.end))
            self.setAccessibleName(f"Drafted change, {self.words(self.chosen)}")
        self.update()

    def words(self, index: int) -> str:
        """A keyframe in words."""
        draft = self._model.draft
        if draft is None:
            return ""
        frame = draft.keyframes[index]
        return f"{draft.where(frame.at)} · {value_words(float(frame.value))}"

    def choose(self, index: int) -> None:
        """The keys are meant for this keyframe from now on."""
        self.chosen = index
        self.renew()

    def leave(self) -> None:
        """The keys are the chart's again; the draft stays."""
        self._chart.setFocus(Qt.FocusReason.OtherFocusReason)

    def type_values(self, index: int, text: str) -> None:
        """Ask for the fields of a keyframe; `text` is typed already."""
        self.values_requested.emit(index, text)

    def finish(self) -> None:
        """Ask for the change bar."""
        self.done.emit()

    def handle(self, index: int) -> QPointF:
        """Where a keyframe's handle is."""
        draft = self._model.draft
        assert draft is not None
        frame = draft.keyframes[index]
        return self.places.place(float(frame.at), float(frame.value))

    def handle_at(self, place: QPointF) -> int | None:
        """The nearest handle within reach."""
        draft = self._model.draft
        if draft is None:
            return None
        away = [
            math.hypot(at.x() - place.x(), at.y() - place.y())
            for at in map(self.handle, range(len(draft.keyframes)))
        ]
        nearest = min(range(len(away)), key=away.__getitem__, default=None)
        return nearest if nearest is not None and away[nearest] <= REACH_PX else None

    # Painting ----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        draft = self._model.draft
        if draft is None:
            return
        theme = theme_of(self)
        orange, card = QColor(theme.warn), QColor(theme.card)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        key = (self.places.key, draft.now if draft.stale else 0)
        if self._key != key:
            self._key, self._line = key, polygon(*self.places.line(draft.curve()))
        painter.setPen(QPen(orange, 1.75))
        painter.drawPolyline(self._line)
        for index in range(len(draft.keyframes)):
            passed, lit = draft.passed(index), index in (self._held, self._under)
            colour = QColor(theme.faint) if passed else orange
            painter.setPen(QPen(colour, 2.0))
            chosen = index == self.chosen and self.hasFocus()
            painter.setBrush(colour if lit or chosen else card)
            painter.drawEllipse(self.handle(index), HANDLE_PX, HANDLE_PX)
        self._paint_words(painter)

    def _paint_words(self, painter: QPainter) -> None:
        index = self._held if self._held is not None else self._under
        if index is None and self.hasFocus():
            index = self.chosen
        if index is None:
            return
        theme, text, at = theme_of(self), self.words(index), self.handle(index)
        painter.setFont(text_font(11))
        wide = painter.fontMetrics().horizontalAdvance(text) + 10
        box = QRectF(at.x() - wide / 2, at.y() - HANDLE_PX - 22, wide, 17)
        if box.top() < 0:
            box.moveTop(at.y() + HANDLE_PX + 5)
        box.moveLeft(min(max(box.left(), 0.0), max(0.0, self.width() - wide)))
        painter.setPen(QColor(theme.line))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    # Mouse -------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.handle_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or index is None:
            event.ignore()
            return
        self._take(index)

    def _take(self, index: int) -> None:
        """A handle is in the hand until the button is let go."""
        self._held = self.chosen = index
        self._clear_pointer()
        self._chart.hold_y(self._chart.y_range)
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.renew()

    def _let_go(self) -> None:
        """The range fits the draft again."""
        self._pull(0.0)
        self._chart.hold_y(None)

    def _pull(self, beyond: float) -> None:
        """While the hand is beyond the picture the range grows, a tick at a time."""
        self._beyond = beyond
        if beyond and not self._ticks:
            self._ticks = self.startTimer(TICK_MS)
        elif not beyond and self._ticks:
            self.killTimer(self._ticks)
            self._ticks = 0

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._ticks:
            super().timerEvent(event)
            return
        self._chart.hold_y(grown(self._chart.y_range, self._beyond))
        self._follow()

    def _clear_pointer(self) -> None:
        """The chart's crosshair and tooltip would lie over the handle."""
        self._chart.plot.hovered.emit(None, 0.0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._snaps = not event.modifiers() & Qt.KeyboardModifier.ControlModifier
            self._pointer = event.position()
            self._follow()
            return
        under = self.handle_at(event.position())
        if under != self._under:
            self._under = under
            self.setCursor(Qt.CursorShape.SizeAllCursor if under is not None else Qt.CursorShape.ArrowCursor)
            self.update()
        if under is None:
            event.ignore()
        else:
            self._clear_pointer()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held is None:
            event.ignore()
            return
        self._held = None
        self._let_go()
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        draft, index = self._model.draft, self.handle_at(event.position())
        if index is not None:
            self.chosen = index
            self.values_requested.emit(index, "")
            return
        step, value = self.places.numbers(event.position())
        if draft is None or step < draft.first:
            event.ignore()  # the past: the chart follows again, as without a draft
            return
        made = self._model.add(*draft.snapped(step, value, self.places.scale(event.position())))
        if made is not None:
            self._take(made)

    def _follow(self) -> None:
        """The keyframe in the hand goes where the pointer is; at the edge of the picture the range grows."""
        draft, index = self._model.draft, self._held
        if draft is None or index is None or index >= len(draft.keyframes):
            return
        place = self.places.inside(self._pointer)
        beyond = place.y() - self._pointer.y()
        step, value = self.places.numbers(place)
        if self._snaps and not beyond:
            self._model.move(index, *draft.snapped(step, value, self.places.scale(place), index))
        else:
            self._model.move(index, step, rounded_to(value, self.places.scale(place).value))
        self._pull(0.0 if draft.at_bound(index, up=beyond > 0) else beyond)
        self.moved.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        if self._held is not None:
            self._held = None
            self._let_go()
        super().hideEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._under = None
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        draft, index = self._model.draft, self.handle_at(QPointF(event.pos()))
        if draft is None or index is None:
            event.ignore()
            return
        self.chosen = index
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Type its values…").triggered.connect(self._ask_values)
        remove = menu.addAction("Delete keyframe")
        remove.setEnabled(len(draft.keyframes) > 1 and not draft.passed(index))
        remove.triggered.connect(self._remove)
        menu.popup(event.globalPos())

    def _ask_values(self) -> None:
        self.type_values(self.chosen, "")

    def _remove(self) -> None:
        self._model.remove(self.chosen)

    # Keys --------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not PlanKeys(self, self._model).take(event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()


def _reach(draft: KeyframesDraft) -> tuple[float, float]:
    """The least and the greatest value of its keyframes and of what comes of them, with room for a handle."""
    values = [*draft.curve().values.tolist(), *(float(own.value) for own in draft.keyframes)]
    low, high = min(values), max(values)
    return low, high + _HEADROOM * (high - low)
