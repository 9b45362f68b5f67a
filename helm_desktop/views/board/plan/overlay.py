"""The draft over a chart, whose handles are moved by mouse and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.theme import theme_of
from helm_desktop.views.board.plan.draft_painter import DraftPainter
from helm_desktop.views.board.plan.handles import KeyframeHandles
from helm_desktop.views.board.plan.keyframe_drag import KeyframeDrag
from helm_desktop.views.board.plan.keys import PlanKeys
from helm_desktop.views.board.plan.places import PixelPositions

if TYPE_CHECKING:
    from helm_desktop.views.board.chart.chart import ChartView

_HEADROOM = 0.03  # space above a draft, as a share of the range of its values
HELP = (
    "Drag a handle to move its keyframe; hold Ctrl to drag without snapping. Double click adds a keyframe, "
    "Delete removes the chosen one. Enter or a digit opens the fields for its values. Arrow keys move it, "
    "with Shift by more. Comma and full stop choose another one, Insert adds one after it. Ctrl+Enter goes "
    "to the change bar, Escape back to the chart."
)


class PlanOverlay(QWidget):
    """The layer of the draft over a chart. Mouse events that miss the handles go on to the chart."""

    values_requested = Signal(int, str)  # a keyframe, and the text that was typed already
    moved = Signal()
    done = Signal()  # go on to the change bar

    def __init__(self, chart: ChartView, model: DraftModel) -> None:
        super().__init__(chart.plot.canvas.parentWidget())
        self._chart = chart
        self._canvas = chart.plot.canvas
        self._model = model
        self.places = PixelPositions(chart, model)
        self.handles = KeyframeHandles(self.places, model)
        self.drag = KeyframeDrag(chart.ranges, self.places, model, self)
        self.drag.moved.connect(self.moved)
        self._painter = DraftPainter(self.places, self.handles)
        self._keys = PlanKeys(self, model)
        self.chosen = 0
        self._under: int | None = None  # the handle under the pointer
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._canvas.installEventFilter(self)
        self.setGeometry(self._canvas.geometry())
        self.setWhatsThis(HELP)
        self.setAccessibleDescription(HELP)
        self.refresh()
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self.setGeometry(self._canvas.geometry())
        return False

    def refresh(self) -> None:
        """Draw the draft again, after it has changed."""
        draft = self._model.draft
        self._painter.forget()
        if draft is not None:
            self.chosen = min(self.chosen, len(draft.keyframes) - 1)
            self._chart.ranges.set_drafted(_reach(draft), self.places.on_chart(draft.end))
            self.setAccessibleName(f"Drafted change, {self.handles.label(self.chosen)}")
        self.update()

    # For keys ----------------------------------------------------------------------------------

    def choose(self, index: int) -> None:
        """Choose the keyframe that the keys change."""
        self.chosen = index
        self.refresh()

    def leave(self) -> None:
        """Give the focus back to the chart; the draft stays."""
        self._chart.setFocus(Qt.FocusReason.OtherFocusReason)

    def type_values(self, index: int, text: str) -> None:
        """Request the fields of a keyframe; `text` is typed already."""
        self.values_requested.emit(index, text)

    def finish(self) -> None:
        """Request the change bar."""
        self.done.emit()

    # Painting ----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        draft, theme = self._model.draft, theme_of(self)
        if draft is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.paint_curve(painter, draft, theme)
        chosen = self.chosen if self.hasFocus() else None
        for index in range(len(draft.keyframes)):
            filled = index in (self.drag.index, self._under, chosen)
            self._painter.paint_handle(painter, draft, index, theme, filled=filled)
        labelled = (one for one in (self.drag.index, self._under, chosen) if one is not None)
        index = next(labelled, -1)
        if index >= 0:
            self._painter.paint_label(painter, index, self.size(), theme)

    # Mouse -------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.handles.at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or index is None:
            event.ignore()
            return
        self._begin(index)

    def _begin(self, index: int) -> None:
        """Begin to drag a handle."""
        self.chosen = index
        self._clear_pointer()
        self.drag.begin(index)
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.refresh()

    def _clear_pointer(self) -> None:
        """Hide the chart's crosshair and tooltip, which would cover the handle."""
        self._chart.plot.hovered.emit(None, 0.0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.drag.index is not None and event.buttons() & Qt.MouseButton.LeftButton:
            snaps = not event.modifiers() & Qt.KeyboardModifier.ControlModifier
            self.drag.move(event.position(), snaps=snaps)
            return
        under = self.handles.at(event.position())
        if under != self._under:
            self._under = under
            self.setCursor(Qt.CursorShape.SizeAllCursor if under is not None else Qt.CursorShape.ArrowCursor)
            self.update()
        if under is None:
            event.ignore()
        else:
            self._clear_pointer()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.drag.end():
            self.update()
        else:
            event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        draft, index = self._model.draft, self.handles.at(event.position())
        if index is not None:
            self.chosen = index
            self.values_requested.emit(index, "")
            return
        step, value = self.places.numbers(event.position())
        if draft is None or step < draft.first:
            event.ignore()  # steps of the past cannot be changed: the chart handles the double click
            return
        made = self._model.add(*draft.snapped(step, value, self.places.scale(event.position())))
        if made is not None:
            self._begin(made)

    def hideEvent(self, event: QHideEvent) -> None:
        self.drag.end()
        super().hideEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._under = None
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        draft, index = self._model.draft, self.handles.at(QPointF(event.pos()))
        if draft is None or index is None:
            event.ignore()
            return
        self.chosen = index
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Type its values…").triggered.connect(self._request_values)
        remove = menu.addAction("Delete keyframe")
        remove.setEnabled(len(draft.keyframes) > 1 and not draft.passed(index))
        remove.triggered.connect(self._remove)
        menu.popup(event.globalPos())

    def _request_values(self) -> None:
        self.type_values(self.chosen, "")

    def _remove(self) -> None:
        self._model.remove(self.chosen)

    # Keys --------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._keys.handle(event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()


def _reach(draft: KeyframesDraft) -> tuple[float, float]:
    """Return the least and the greatest value of the draft, with space for a handle above."""
    values = [*draft.curve().values.tolist(), *(float(frame.value) for frame in draft.keyframes)]
    low, high = min(values), max(values)
    return low, high + _HEADROOM * (high - low)
