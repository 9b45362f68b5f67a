"""What a chart gets when its stream's schedule can be changed: a button, a word, and the draft over it."""

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
_ROOM = 190  # beside the title, for the longer word
_BESIDE = 104  # the header's margins, its two buttons, and what is around the words of the third
_NO_END = 16_777_215  # Qt's widest


class PlanEditor(QObject):
    """Belongs to one chart; looks at the model whenever that says so."""

    done = Signal()  # on to the change bar

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
        """The stream whose plan the chart shows; empty where there are several, or an axis of its own."""
        chart = self._chart
        names = [series.name for series in chart.content.series]
        return names[0] if len(names) == 1 and not chart.renderer.drawing.own_x else ""

    @property
    def axis(self) -> str:
        """What the chart's x counts: "step", "tokens", "wall"…"""
        return self._chart.content.spec.x

    @property
    def drafting(self) -> bool:
        """Whether the draft is of this chart's stream, and has a place on its axis."""
        model, target = self._model, self._model.target
        mine = model.draft is not None and target is not None and target.stream == self.stream
        return mine and model.conversion(self.axis) is not None

    def _follow_chart(self) -> None:
        """The chart shows another stretch of the run, or something else over something else."""
        seen = self.stream, self.axis
        if seen != self._seen:
            self._seen = seen
            self.refresh()

    def refresh(self) -> None:
        """Show what is offered and what is drafted now."""
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
                self._fit(self._tag)
            else:
                self._chart.header.title.setMaximumWidth(_NO_END)
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

    def _fit_button(self, button: QPushButton, words: str) -> None:
        """All of its words where that leaves the title whole, else the first."""
        header = self._chart.header
        taken = header.title.sizeHint().width() + header.figure.sizeHint().width() + _BESIDE
        wide = button.fontMetrics().horizontalAdvance(words)
        button.setText(words if taken + wide <= header.width() else words.partition(" ")[0])

    def _fit(self, tag: Pill) -> None:
        """The word stands beside the title, and is shorter where it would leave that no room."""
        header = self._chart.header
        wide = header.title.sizeHint().width()
        header.title.setMaximumWidth(wide)
        tag.show_text(DRAFTING if header.width() - wide > _ROOM + header.figure.width() else SHORT, "warn")

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
            self.fields = KeyframeFields(self._model, self._chart.window())  # a chart has no room for it
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
    """Return what the button drafts."""
    alone = f", of {offer.group[1]} alone" if offer.group[1] else ""
    alone = ", of every group in its ratio" if offer.groups > 1 else alone
    over = "" if offer.axis == STEP else f" over {offer.axis}"
    return f"Draft a change of what is planned{over}, on the chart{alone}"
