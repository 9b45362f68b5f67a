"""Three bars and a row a component: what is set, what is drafted, what was drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from helm_desktop.model.controls.mixture import MixtureDraft, shares_of
from helm_desktop.theme import set_look, theme_of
from helm_desktop.views.controls.editor import ValueEditor
from helm_desktop.views.controls.mixture_rows import MixtureRows
from helm_desktop.widgets import Share, SplitBar
from helm_sdk.protocol.kinds import Mixture

POINTS = (1, 5, 10, 20, 50, 100)


class MixtureEditor(ValueEditor):
    """Keeps its draft whatever arrives; only Reset, or nothing drafted, lets it follow Now."""

    tall = True

    points_changed = Signal(int)

    def __init__(self, node: Mixture, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names = node.components
        self.draft = MixtureDraft(self.names)
        self.points = 10
        self._now: list[float] = [0.0] * len(self.names)
        self._ran: list[float | None] = [None] * len(self.names)
        self.now_label, self.draft_label = QLabel("Now"), QLabel("Draft — drag a divider")
        self.now_bar = SplitBar(f"{name}, now")
        self.draft_bar = SplitBar(f"{name}, draft", draggable=True)
        self.sampled_bar = SplitBar(f"{name}, sampled")
        self.points_button = self._points_button()
        self.sampled_label = QLabel("Sampled —")
        self.rows = MixtureRows(self.names)
        self.even, self.reset = QPushButton("Even"), QPushButton("Reset")
        self._samples = bool(node.sampled)
        self._lay_out()
        self.draft_bar.dragged.connect(self._drag)
        self.rows.typed.connect(self._type)
        self.rows.refused.connect(self.edited)
        self.rows.lock_requested.connect(self._lock)
        self.even.clicked.connect(self._make_even)
        self.reset.clicked.connect(self._reset)
        self.even.setToolTip("The same share for every component that is not locked")
        self.reset.setToolTip("Back to what is set now")
        self._draw()

    def read(self) -> Any:
        return {"weights": self.draft.to_weights()}

    def problem(self) -> str:
        """Return what is wrong with a percentage that was typed."""
        return self.rows.problem

    def show_value(self, value: Any) -> None:
        weights = value.get("weights") if isinstance(value, Mapping) else None
        self.draft.fill(weights if isinstance(weights, Mapping) else {})
        self._draw()

    def set_now(self, weights: Mapping[str, object], label: str) -> None:
        """What is set. A draft is kept, and then compared with this."""
        self._now = shares_of(self.names, weights)
        if not self.draft.changed:
            self._forget()
        self.draft.set_base(weights)
        self.now_label.setText(label)
        self.rows.show_was(self._now)
        self._draw()

    def set_sampled(self, shares: Mapping[str, float | None]) -> None:
        """What was drawn; None for a component without points since the last change."""
        self._ran = [shares.get(name) for name in self.names]
        some = any(share is not None for share in self._ran)
        self.sampled_bar.setVisible(self._samples and some)
        self.sampled_label.setText("Sampled —" if some else "Sampled — no points since the change")
        self.points_button.setVisible(self._samples and some)
        self.rows.show_ran(self._ran)
        self.sampled_bar.set_segments(self._segments([share or 0.0 for share in self._ran]))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange) and hasattr(self, "reset"):
            self._draw()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        sampled = QHBoxLayout()
        sampled.setSpacing(0)
        sampled.addWidget(self.sampled_label)
        sampled.addWidget(self.points_button)
        sampled.addStretch(1)
        for label in (self.now_label, self.draft_label, self.sampled_label):
            set_look(label, "small")
        column.addWidget(self.now_label)
        column.addWidget(self.now_bar)
        column.addWidget(self.draft_label)
        column.addWidget(self.draft_bar)
        column.addLayout(sampled)
        column.addWidget(self.sampled_bar)
        column.addSpacing(2)
        column.addWidget(self.rows)
        acts = QHBoxLayout()  # a card that is a mixture and nothing else takes them beside Send
        acts.setSpacing(8)
        acts.addWidget(self.even)
        acts.addWidget(self.reset)
        acts.addStretch(1)
        column.addLayout(acts)
        self.sampled_label.setVisible(self._samples)
        self.set_sampled({})

    def _points_button(self) -> QToolButton:
        button = QToolButton()
        set_look(button, "flat-small")
        button.setFixedHeight(18)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolTip("How many points of each stream the mean is made of")
        menu = QMenu(button)
        for count in POINTS:
            action = QAction(_points_words(count), menu)
            action.setData(count)
            menu.addAction(action)
        menu.triggered.connect(self._choose_points)
        button.setMenu(menu)
        button.setText(_points_words(self.points))
        return button

    def _choose_points(self, action: QAction) -> None:
        self.points = int(action.data())
        self.points_button.setText(_points_words(self.points))
        self.points_changed.emit(self.points)

    def _segments(self, shares: Sequence[float]) -> list[Share]:
        theme = theme_of(self)
        return [
            Share(name, share, theme.curve(index), self.draft.is_locked(index))
            for index, (name, share) in enumerate(zip(self.names, shares, strict=True))
        ]

    def _draw(self) -> None:
        self.now_bar.set_segments(self._segments(self._now))
        self.draft_bar.set_segments(self._segments([float(tenths) for tenths in self.draft.tenths]))
        self.sampled_bar.set_segments(self._segments([share or 0.0 for share in self._ran]))
        self.rows.show_draft(self.draft)
        self.reset.setEnabled(self.draft.changed)

    def _drag(self, divider: int, share: float) -> None:
        self.draft.drag(divider, share)
        self._emit_value()

    def _type(self, index: int, tenths: int) -> None:
        self.draft.set_tenths(index, tenths)
        self._emit_value()

    def _lock(self, index: int, on: bool) -> None:
        self.draft.lock(index, on)
        self._draw()

    def _make_even(self) -> None:
        self.draft.even()
        self._emit_value()

    def _reset(self) -> None:
        self.draft.reset()
        self._emit_value()

    def _emit_value(self) -> None:
        self._draw()
        self.edited.emit()

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(240, 0))


def _points_words(count: int) -> str:
    return "last point" if count == 1 else f"last {count} points"
