"""The upper edge of a chart: title, how it is drawn, the latest value, and its buttons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from helm_desktop.theme import set_look
from helm_desktop.views.board.chart.value_figure import ValueFigure
from helm_desktop.widgets.elided_label import ElidedLabel
from helm_desktop.widgets.icon_button import IconButton, IconKind

BUTTON_PX = 22
_SPACING, _MARGINS = 4, 11


class ChartHeader(QWidget):
    """Show what it is told."""

    edit_requested = Signal()
    full_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = ElidedLabel("", mode=Qt.TextElideMode.ElideLeft)
        self.kind = QLabel()
        set_look(self.kind, "quiet")
        self.tag = QLabel()
        set_look(self.tag, "warn")
        self.figure = ValueFigure()
        self.edit = self._button("edit", "Edit chart")
        self.edit.clicked.connect(self.edit_requested)
        self.edit.setVisible(False)
        self.full = self._button("full-window", "Full window")
        self.full.clicked.connect(self.full_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(9, 0, 2, 0)
        row.setSpacing(_SPACING)
        row.addWidget(self.title, 1)
        for widget in (self.kind, self.tag, self.figure, self.edit, self.full):
            row.addWidget(widget)
        for label in (self.kind, self.tag):
            label.setVisible(False)

    def _button(self, kind: IconKind, name: str) -> IconButton:
        button = IconButton(kind, name, "flat")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setFixedWidth(BUTTON_PX)
        return button

    @contextmanager
    def without_buttons(self) -> Iterator[None]:
        """Without its buttons for a while; nothing moves."""
        buttons = [button for button in (self.edit, self.full) if button.isVisibleTo(self)]
        for button in buttons:
            policy = button.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            button.setSizePolicy(policy)
            button.hide()
        try:
            yield
        finally:
            for button in buttons:
                button.show()

    def set_kind(self, text: str) -> None:
        """How the chart is drawn, told where the title has room beside it."""
        self.kind.setText(text)
        self.make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.make_room()

    def make_room(self) -> None:
        """How it is drawn is told where that leaves the title whole beside all else that stands here."""
        taken = _MARGINS
        for widget in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if widget is not self.title and (widget is self.kind or not widget.isHidden()):
                taken += min(widget.sizeHint().width(), widget.maximumWidth()) + _SPACING
        title = QFontMetrics(self.title.font()).horizontalAdvance(self.title.text())
        self.kind.setVisible(bool(self.kind.text()) and title + taken <= self.width())

    def set_tag(self, text: str) -> None:
        """A word beside the title, such as "hidden"; without text it takes no room."""
        if self.tag.text() != text:
            self.tag.setText(text)
            self.tag.setVisible(bool(text))

    def set_editable(self, on: bool = True) -> None:
        """Whether it has the button that edits."""
        self.edit.setVisible(on)

    def elided_labels(self) -> list[str]:
        """Whole texts of labels that had to be shortened."""
        return [self.title.text()] if self.title.property("elided") else []
