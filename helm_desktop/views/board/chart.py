"""A chart on the board: a card with a title, the latest value, and the curves over steps or time."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from helm_desktop.model.marks import Mark
from helm_desktop.model.series import Series
from helm_desktop.theme import Theme, set_look, theme_of
from helm_desktop.views.board import ranges
from helm_desktop.views.board.axis import LEFT_PX
from helm_desktop.views.board.canvas import Numbers, Picture
from helm_desktop.views.board.content import Content, Plan, View
from helm_desktop.views.board.figure import Figure
from helm_desktop.views.board.legend import Legend
from helm_desktop.views.board.marks import REACH_PX
from helm_desktop.views.board.plot import PlotView
from helm_desktop.views.board.ranges import Range
from helm_desktop.views.board.ticks import Ticks
from helm_desktop.views.board.tip import Tip
from helm_desktop.widgets.elided_label import ElidedLabel

EMPTY = "No points yet"


class ChartView(QFrame):
    """Draws when `refresh` is called, and by itself only when it is resized, zoomed or dressed anew."""

    zoomed = Signal(float, float)
    follow_requested = Signal()
    crosshair_moved = Signal(object)  # x, or None
    full_requested = Signal()
    stale = Signal()  # there is something to draw
    exposed = Signal()  # came into view with something to draw

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dirty = False
        self.refreshed_at = 0.0
        self.refresh_cost = 0.001
        self.notice = ""  # what the picture leaves out: "3 not finite", "2 hidden"
        self._content = Content()
        self._ticks = Ticks(self._content)
        self._title = title
        self._theme = theme_of(self)
        self._follow = True
        self._live = True
        self._x: Range | None = None
        self._reach: Range | None = None
        self._y: Range | None = None
        self._shown: tuple[Range, Range] | None = None
        self._now: float | None = None
        self._crosshair: float | None = None
        self._tip: Tip | None = None
        set_look(self, "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(f"Chart {title}".strip())
        self._build()

    def _build(self) -> None:
        self._title_label = ElidedLabel(self._title, mode=Qt.TextElideMode.ElideMiddle)
        self._tag = QLabel()
        self._tag.setVisible(False)
        set_look(self._tag, "warn")
        self._value = Figure()
        self._edit = self._button("✎", "Edit chart")
        self._edit.setVisible(False)
        self._full = self._button("⤢", "Full window")
        self._full.clicked.connect(self.full_requested)
        self._legend = Legend()
        self._plot = PlotView(self._ticks.x, self._ticks.y, self._theme)
        self._plot.range_requested.connect(self._zoom)
        self._plot.follow_requested.connect(self._back_to_follow)
        self._plot.hovered.connect(self._hover)
        self._plot.resized.connect(self._resized)
        header = QHBoxLayout()
        header.setContentsMargins(9, 0, 2, 0)
        header.setSpacing(4)
        header.addWidget(self._title_label, 1)
        for widget in (self._tag, self._value, self._edit, self._full):
            header.addWidget(widget)
        legend = QHBoxLayout()
        legend.setContentsMargins(LEFT_PX + 1, 0, 10, 0)
        legend.addWidget(self._legend)
        column = QVBoxLayout(self)
        column.setContentsMargins(3, 5, 5, 3)
        column.setSpacing(0)
        column.addLayout(header)
        column.addLayout(legend)
        column.addWidget(self._plot, 1)

    def _button(self, sign: str, name: str) -> QToolButton:
        button = QToolButton()
        button.setText(sign)
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_look(button, "flat")
        return button

    def sizeHint(self) -> QSize:
        return QSize(320, 196)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 140)

    # What it shows -----------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What the header says."""
        return self._title or (self._content.series[0].name if self._content.series else "")

    def set_title(self, title: str) -> None:
        """Names the chart."""
        self._title = title
        self._title_label.setText(self.title)
        self.setAccessibleName(f"Chart {self.title}".strip())

    def set_tag(self, text: str) -> None:
        """A word beside the title, such as "drafting a change"."""
        self._tag.setText(text)
        self._tag.setVisible(bool(text))

    @property
    def series(self) -> list[Series]:
        """What it draws."""
        return list(self._content.series)

    def set_series(self, series: Sequence[Series]) -> None:
        """Draws these, each a curve for every process."""
        self._content.series = list(series)
        self._y = None
        self.set_title(self._title)
        self.mark_dirty()

    def set_marks(self, marks: Sequence[Mark]) -> None:
        """Marks on the x axis."""
        self._content.marks = list(marks)
        self.mark_dirty()

    def set_planned(
        self, x: Sequence[float] | Numbers, y: Sequence[float] | Numbers, label: str = "planned ahead"
    ) -> None:
        """What is planned for the first series: dashed after now. Empty: no plan."""
        xs, ys = np.asarray(x, np.float64), np.asarray(y, np.float64)
        self._content.plan = Plan(xs, ys, label) if len(xs) else None
        self.mark_dirty()

    def set_now(self, x: float | None) -> None:
        """Where the run stands; without it the last point is taken."""
        if x != self._now:
            self._now = x
            self.mark_dirty()

    def set_live(self, live: bool) -> None:
        """A run that has ended is shown to its last point exactly."""
        if live != self._live:
            self._live = live
            self._x = None if self._follow else self._x
            self.mark_dirty()

    def set_axis(self, axis: str) -> None:
        """The x axis: "step", "relative" or "wall"."""
        if axis != self._content.axis:
            self._content.axis = axis
            self._x, self._follow = None, True
            self.mark_dirty()

    def set_log_y(self, log: bool) -> None:
        """A logarithmic y axis; what it cannot show is counted."""
        if log != self._content.log:
            self._content.log = log
            self._y = None
            self.mark_dirty()

    @property
    def point_count(self) -> int:
        """All points of its streams."""
        return self._content.point_count

    @property
    def drawn_point_count(self) -> int:
        """Points of the polylines inside the window, as drawn last."""
        return self._plot.canvas.drawn_points

    @property
    def follows(self) -> bool:
        """Whether the x range covers the data as it grows."""
        return self._follow

    @property
    def x_range(self) -> Range:
        """The x range, as drawn last."""
        return self._shown[0] if self._shown else (0.0, 1.0)

    @property
    def y_range(self) -> Range:
        """The y range, as drawn last; exponents of ten on a logarithmic axis."""
        return self._shown[1] if self._shown else (0.0, 1.0)

    @property
    def plot(self) -> PlotView:
        """The part inside the card that takes the mouse."""
        return self._plot

    def elided_labels(self) -> list[str]:
        """Whole texts of labels that had to be shortened."""
        return [self._title_label.text()] if self._title_label.property("elided") else []

    def tip_text(self) -> str:
        """What the tooltip says; empty while there is none."""
        return self._tip.text() if self._tip is not None and self._tip.isVisible() else ""

    # Ranges ------------------------------------------------------------------------------------

    def set_x_range(self, x0: float, x1: float) -> None:
        """Stays at this range until it is to follow again. Says nothing: the board tells all charts."""
        span = x1 - x0
        if not (math.isfinite(x0) and math.isfinite(x1)) or span <= max(abs(x0), abs(x1), 1e-12) * 1e-12:
            return
        self._follow, self._x, self._y = False, (x0, x1), None
        self.mark_dirty()

    def set_reach(self, first: float, last: float) -> None:
        """How far the run goes in steps: every chart that follows covers it, so that all stand alike."""
        if (first, last) != self._reach:
            self._reach = first, last
            held = self._x
            if self._follow and (held is None or not self._live or first < held[0] or last > held[1]):
                self.mark_dirty()

    def set_follow(self) -> None:
        """Covers the data from now on."""
        self._follow, self._x, self._y = True, None, None
        self.mark_dirty()

    def _zoom(self, x0: float, x1: float) -> None:
        self.set_x_range(x0, x1)
        if self._x == (x0, x1):
            self.refresh()
            self.zoomed.emit(x0, x1)

    def _back_to_follow(self) -> None:
        self.set_follow()
        self.refresh()
        self.follow_requested.emit()

    def _resized(self) -> None:
        if self._shown is not None:
            self.refresh()

    def _choose_x(self, ends: Range | None) -> Range:
        if not self._follow and self._x is not None:
            return self._x
        content = self._content
        plan = content.plan
        if ends is None and plan is None:
            return (0.0, 1.0)
        first, last = ends or (float(plan.x[0]), float(plan.x[0])) if plan else ends or (0.0, 1.0)
        if self._reach is not None and content.axis == "step":
            first, last = min(first, self._reach[0]), max(last, self._reach[1])
        if plan is not None and content.axis == "step":
            first, last = min(first, float(plan.x[0])), max(last, float(plan.x[-1]))
        fixed = plan is not None and content.axis == "step" and last <= plan.x[-1]
        self._x = ranges.grow_x(first, last, self._x if self._live and not fixed else None)
        return self._x

    def _choose_y(self, view: View) -> Range:
        if self._content.log:
            self._y = ranges.fit_log(view.low, view.high, self._y)
        else:
            most, zero = Ticks.most_y(self._plot.canvas.inner().height()), self._content.from_zero()
            self._y = ranges.fit_y(view.low, view.high, self._y, most=most, zero=zero)
        return self._y

    # Drawing -----------------------------------------------------------------------------------

    def mark_dirty(self) -> None:
        """There is something new; somebody should call `refresh` when the chart can be seen."""
        self.dirty = True
        self.stale.emit()

    def refresh(self) -> None:
        """Draws now."""
        began = time.perf_counter()
        self.dirty = False
        content, plot = self._content, self._plot
        size = plot.canvas.inner()
        ends = content.extent()
        x = self._choose_x(ends)
        view = content.view(*x, max(8, round(size.width() * plot.devicePixelRatioF())), self._theme)
        y = self._choose_y(view)
        if self._shown != (x, y):
            self._shown = (x, y)
            plot.set_range(x, y)
        self.notice = content.notice(view)
        picture = self._picture(view, x, y, ends)
        picture.grid = self._ticks.grid(*y, size.height())
        plot.show_picture(picture)
        self._legend.set_entries(content.legend(self._theme))
        self._place_crosshair()
        self.refreshed_at = time.perf_counter()
        self.refresh_cost = self.refreshed_at - began

    def _picture(self, view: View, x: Range, y: Range, ends: Range | None) -> Picture:
        content = self._content
        marks = [(mark.kind, float(mark.step)) for mark in content.marks] if content.axis == "step" else []
        return Picture(
            *x,
            *y,
            curves=view.curves,
            marks=marks,
            odd=view.odd,
            notice=self.notice,
            now=self._standing(ends) if self._live else None,
            label=view.label,
            empty=EMPTY if content.empty else "",
        )

    def _standing(self, ends: Range | None) -> float | None:
        if self._now is not None:
            return self._now
        if self._reach is not None and self._content.axis == "step":
            return self._reach[1]
        return ends[1] if ends else None

    def _dress(self, theme: Theme) -> None:
        self._theme = theme
        self._plot.dress(theme)
        if self._shown is not None:
            self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.PaletteChange) and hasattr(self, "_plot"):
            theme = theme_of(self)
            if theme != self._theme:
                self._dress(theme)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange and self._shown is not None:
            self.refresh()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.dirty:
            self.exposed.emit()

    # Pointer and keys --------------------------------------------------------------------------

    def set_crosshair(self, x: float | None) -> None:
        """The crosshair of the board, from another chart: a line, and the value there in the header."""
        if x != self._crosshair:
            self._crosshair = x
            self._place_crosshair()

    def _place_crosshair(self) -> None:
        x = self._crosshair
        low, high = self.x_range
        inside = x is not None and low <= x <= high and self._shown is not None
        self._plot.canvas.set_line(self._plot.place_of(x) if inside and x is not None else None)
        if x is None or not inside:
            self._value.set_text(self._content.summary())
        elif len(self._content.series) == 1:
            _, readings = self._content.readings(x, self._theme)
            if len(readings) == 1:
                self._value.set_text(readings[0].text)

    def _hover(self, x: float | None) -> None:
        self.set_crosshair(x)
        if x is None:
            if self._tip is not None:
                self._tip.hide()
        else:
            self._tell(x)
        self.crosshair_moved.emit(x)

    def _tell(self, x: float) -> None:
        window = self.window()
        if self._tip is None or self._tip.parentWidget() is not window:
            self._tip = Tip(window)
            self.destroyed.connect(self._tip.deleteLater)
        at, readings = self._content.readings(x, self._theme)
        low, high = self.x_range
        reach = (high - low) * REACH_PX / max(1.0, self._plot.canvas.inner().width())
        notes = [f"step {mark.step:,}: {mark.text}" for mark in self._content.marks_near(x, reach)]
        if self.notice:
            notes.append(self.notice)
        rect = self._plot.picture_rect()
        place = QPointF(rect.left() + self._plot.place_of(x), rect.center().y())
        self._tip.tell(self._content.heading(at), readings, notes, self._plot.mapTo(window, place.toPoint()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        low, high = self.x_range
        span = high - low
        moves = {
            Qt.Key.Key_Left: (low - span / 10, high - span / 10),
            Qt.Key.Key_Right: (low + span / 10, high + span / 10),
            Qt.Key.Key_Plus: (low + span / 8, high - span / 8),
            Qt.Key.Key_Equal: (low + span / 8, high - span / 8),
            Qt.Key.Key_Minus: (low - span / 6, high + span / 6),
        }
        key = Qt.Key(event.key())
        if key in moves:
            self._zoom(*moves[key])
        elif key == Qt.Key.Key_Home:
            self._back_to_follow()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QEvent) -> None:
        if self._tip is not None:
            self._tip.hide()
        super().hideEvent(event)  # type: ignore[arg-type]

    def grab_point(self, x: float) -> QPoint:
        """Where an x is on this widget: for tests and tools that use the real mouse."""
        rect = self._plot.picture_rect()
        place = QPointF(rect.left() + self._plot.place_of(x), rect.center().y()).toPoint()
        return QPoint(self._plot.mapTo(self, place))
