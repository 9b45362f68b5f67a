"""The parts that a chart gets when its schedule can be changed: a button, a tag, and the draft over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QPushButton

from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.model.schedule.draft_target import DraftTarget
from helm_desktop.theme import set_look
from helm_desktop.views.board.plan.fields import KeyframeFields
from helm_desktop.views.board.plan.overlay import PlanOverlay
from helm_desktop.widgets import Pill

if TYPE_CHECKING:
    from helm_desktop.views.board.chart.chart import ChartView

DRAFTING, SHORT = "drafting a change", "drafting"
_LONG_TAG_PX = 190  # width beside the title that the longer text needs
_MARGINS_PX = 104  # width of the header's margins, its two buttons, and the padding of the third button
_NO_MAXIMUM = 16_777_215  # QWIDGETSIZE_MAX


class PlanEditor(QObject):
    """The editor of the plan on one chart. It follows the model of the draft."""

    done = Signal()  # go on to the change bar

    def __init__(self, chart: ChartView, model: DraftModel) -> None:
        super().__init__(chart)
        self._chart = chart
        self._model = model
        self.button: QPushButton | None = None
        self.overlay: PlanOverlay | None = None
        self.fields: KeyframeFields | None = None
        self._tag: Pill | None = None
        model.offers_changed.connect(self.refresh)
        model.changed.connect(self.refresh)
        model.advanced.connect(self._redraw)
        chart.renderer.range_changed.connect(self._follow_chart)
        self._seen = self.stream, self.axis
        self.refresh()

    @property
    def stream(self) -> str:
        """The stream of the plan that the chart shows; empty for several streams or an x axis of its own."""
        chart = self._chart
        names = [series.name for series in chart.content.series]
        return names[0] if len(names) == 1 and not chart.renderer.drawing.own_x else ""

    @property
    def axis(self) -> str:
        """The x axis of the chart, such as "step", "tokens" or "wall"."""
        return self._chart.content.spec.x

    @property
    def drafting(self) -> bool:
        """True when the draft is of this chart's stream and can be shown on its x axis."""
        model, target = self._model, self._model.target
        mine = model.draft is not None and target is not None and target.stream == self.stream
        return mine and model.conversion(self.axis) is not None

    def _follow_chart(self) -> None:
        """Refresh when the chart shows another stream, or has another x axis."""
        seen = self.stream, self.axis
        if seen != self._seen:
            self._seen = seen
            self.refresh()

    def refresh(self) -> None:
        """Show the button when a change can be drafted here, and the tag and the overlay while one is."""
        offer = self._model.offers.at(self.stream, self.axis) if self._model.offers else None
        drafting = self.drafting
        if offer is not None and self.button is None:
            self._build()
        if self.button is not None and self._tag is not None:
            self._fit_button(self.button, f"Change {offer.control}" if offer is not None else "")
            self.button.setAccessibleName(f"Change {offer.name} on the chart" if offer is not None else "")
            self.button.setToolTip(_tip(offer) if offer is not None else "")
            self.button.setVisible(offer is not None and not drafting)
            self._tag.setVisible(drafting)
            if drafting:
                self._fit_tag(self._tag)
            else:
                self._chart.header.title.setMaximumWidth(_NO_MAXIMUM)
            self._chart.header.make_room()
        if drafting and self.overlay is None:
            self.overlay = PlanOverlay(self._chart, self._model)
            self.overlay.values_requested.connect(self._show_fields)
            self.overlay.moved.connect(self._hide_fields)
            self.overlay.done.connect(self.done)
        elif not drafting and self.overlay is not None:
            self._drop()
        if self.overlay is not None:
            self.overlay.refresh()

    def _build(self) -> None:
        header = self._chart.header
        header.installEventFilter(self)
        row = header.layout()
        assert isinstance(row, QBoxLayout)
        self.button = QPushButton(header)
        set_look(self.button, "flat")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self._start)
        self._tag = Pill(DRAFTING, "warn", parent=header)
        row.insertWidget(row.indexOf(header.title) + 1, self._tag)
        row.insertStretch(row.indexOf(self._tag) + 1, 0)
        row.insertWidget(row.indexOf(header.edit), self.button)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.refresh()
        return False

    def _fit_button(self, button: QPushButton, text: str) -> None:
        """Show the whole text on the button where the title fits beside it, else only the first word."""
        header = self._chart.header
        used = header.title.sizeHint().width() + header.figure.sizeHint().width() + _MARGINS_PX
        width = button.fontMetrics().horizontalAdvance(text)
        button.setText(text if used + width <= header.width() else text.partition(" ")[0])

    def _fit_tag(self, tag: Pill) -> None:
        """Show the tag beside the title; with a shorter text where the title would not fit."""
        header = self._chart.header
        width = header.title.sizeHint().width()
        header.title.setMaximumWidth(width)
        long = header.width() - width > _LONG_TAG_PX + header.figure.width()
        tag.show_text(DRAFTING if long else SHORT, "warn")

    def _start(self) -> None:
        self._model.start(self.stream, self.axis)
        if self.overlay is not None:
            self.overlay.setFocus(Qt.FocusReason.OtherFocusReason)

    def _redraw(self) -> None:
        if self.overlay is not None:
            self.overlay.update()

    def _show_fields(self, index: int, typed: str) -> None:
        if self.overlay is None:
            return
        if self.fields is None:
            # a child of the window: the chart may be too small for the fields
            self.fields = KeyframeFields(self._model, self._chart.window())
            self._chart.destroyed.connect(self.fields.deleteLater)
        place = self.overlay.mapTo(self._chart.window(), self.overlay.handles.place(index).toPoint())
        self.fields.show_at(index, place, typed)

    def _hide_fields(self) -> None:
        if self.fields is not None and not self.fields.isHidden():
            self.fields.finish()

    def _drop(self) -> None:
        for widget in (self.overlay, self.fields):
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.overlay = self.fields = None
        self._chart.ranges.set_drafted(None)


def _tip(offer: DraftTarget) -> str:
    """Return the tooltip of the button: what it drafts."""
    groups = f" for {offer.group[1]} only" if offer.group[1] else ""
    groups = " for every group, in the same ratio" if offer.groups > 1 else groups
    over = "" if offer.axis == STEP else f" over {offer.axis}"
    return f"Draft a change of the plan{over} on the chart{groups}"
