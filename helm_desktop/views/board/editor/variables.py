"""The variables of a chart's patterns: they are renamed or removed, and their values switched off, here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.format import plural
from helm_desktop.model.chart.chart_draft import Variable
from helm_desktop.theme import set_look
from helm_desktop.widgets import FlowLayout

FEW = 12  # more values than these are folded


class VariableCard(QFrame):
    """The card of one variable and its values."""

    renamed = Signal(str, str)
    removed = Signal(str)
    switched = Signal(str, str, bool)  # the variable, the value, and whether it is drawn
    all_requested = Signal()

    def __init__(self, variable: Variable, *, unfolded: bool = False) -> None:
        super().__init__()
        self.variable = variable
        self._unfolded = unfolded
        set_look(self, "card")
        self.title = QLabel(f"{{{variable.name}}}")
        set_look(self.title, "figure")
        found = QLabel(f"{plural(len(variable.values), 'value')} found")
        set_look(found, "small")
        self.name = QLineEdit(variable.name)
        self.name.setAccessibleName(f"Name of the variable {variable.name}")
        self.name.editingFinished.connect(self._end_rename)
        self.name.hide()
        rename, remove = self._link("rename", self._begin_rename), self._link("remove", self._remove)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.name)
        head.addWidget(found)
        head.addStretch(1)
        head.addWidget(rename)
        head.addWidget(remove)
        self.chips: dict[str, QPushButton] = {}
        self._flow = FlowLayout(gap=6, line_gap=6)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(self._flow)
        self._fill()

    def _link(self, text: str, on_click: object) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(f"{text.capitalize()} the variable {self.variable.name}")
        set_look(button, "link")
        button.clicked.connect(on_click)
        return button

    def _fill(self) -> None:
        values = self.variable.values
        folded = len(values) > FEW and not self._unfolded
        for value in (*values[: FEW - 2], values[-1]) if folded else values:
            if folded and value is values[-1]:
                more = self._chip("…")
                more.setAccessibleName(f"Show all {len(values)} values")
                more.clicked.connect(self._unfold)
            chip = self.chips[value.text] = self._chip(value.text)
            chip.setCheckable(True)
            chip.setChecked(value.on)
            chip.setAccessibleName(f"{self.variable.name} {value.text}")
            chip.setToolTip("Click to leave it out" if value.on else "Click to draw it again")
            chip.clicked.connect(partial(self._switch, value.text))
        every = self._chip("all values, new ones too")
        every.setCheckable(True)
        every.setChecked(self.variable.all_on)
        every.setAccessibleName(f"All values of {self.variable.name}, new ones too")
        every.setProperty("tone", "accent" if self.variable.all_on else "")
        every.clicked.connect(self.all_requested)

    def _chip(self, text: str) -> QPushButton:
        chip = QPushButton(text)
        set_look(chip, "chip")
        self._flow.addWidget(chip)
        return chip

    def _unfold(self) -> None:
        self._unfolded = True
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.chips.clear()
        self._fill()

    def _switch(self, value: str) -> None:
        self.switched.emit(self.variable.name, value, self.chips[value].isChecked())

    def _begin_rename(self) -> None:
        self.title.hide()
        self.name.show()
        self.name.setFocus()
        self.name.selectAll()

    def _end_rename(self) -> None:
        if self.name.isHidden():
            return
        self.name.hide()
        self.title.show()
        self.renamed.emit(self.variable.name, self.name.text())

    def _remove(self) -> None:
        self.removed.emit(self.variable.name)


class VariableCards(QWidget):
    """A card for each variable."""

    renamed = Signal(str, str)
    removed = Signal(str)
    switched = Signal(str, str, bool)
    all_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[VariableCard] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)

    def show_variables(self, variables: Sequence[Variable], *, rebuild: bool = False) -> None:
        """Show these variables; `rebuild` makes new cards even for the same ones, to reset a clicked chip."""
        if not rebuild and [card.variable for card in self.cards] == list(variables):
            return
        focus = QApplication.focusWidget()
        focused = focus.accessibleName() if focus is not None and self.isAncestorOf(focus) else ""
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
        for variable in variables:
            card = VariableCard(variable)
            card.renamed.connect(self.renamed)
            card.removed.connect(self.removed)
            card.switched.connect(self.switched)
            card.all_requested.connect(self.all_requested)
            self._column.addWidget(card)
            self.cards.append(card)
        self.setVisible(bool(self.cards))
        buttons = [one for card in self.cards for one in card.findChildren(QPushButton)]
        for button in buttons if focused else ():
            if button is buttons[0] or button.accessibleName() == focused:
                button.setFocus()
