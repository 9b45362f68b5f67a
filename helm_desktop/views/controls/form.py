"""The form of a record: a row a field, each with what is wrong with it beside it."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from helm_desktop.theme import set_look
from helm_desktop.views.controls.editor import MakeEditor, ValueEditor
from helm_desktop.widgets import ElidedLabel, SegmentedControl
from helm_sdk.protocol.kinds import MISSING, Field, InvalidValue, Record, check

_LABEL_WIDTH, _CHOICE_WIDTH = 104, 56
_FEW = 3  # choices that have room beside their label


class FieldRow:
    """Label, editor, and the sentence about it. Knows whether the field is given at all."""

    def __init__(self, part: Field, make: MakeEditor, form: "RecordForm", *, chosen: bool) -> None:
        """`chosen`: it is there because it was chosen among others, and cannot be left out."""
        self.part = part
        self._chosen = chosen
        self.edited = self.filled = False
        self.label = ElidedLabel(part.name, "quiet")
        self.editor = make(part.type, part.name)
        self.holder = QWidget(form)  # the editor, and what stands beside it
        self.editor.setParent(self.holder)
        self.editor.set_default(part.default)
        self._given = self._must
        self.none: QPushButton | None = None
        if part.nullable:
            self.none = _toggle("None", f"{part.name}: none")
        self.left_out: QPushButton | None = None
        if part.optional and part.default is MISSING and not self.editor.blank and not chosen:
            self.left_out = _toggle("Leave out", f"Leave out {part.name}")
        self.help = QLabel(part.help)
        self.help.setWordWrap(True)
        set_look(self.help, "small")
        self.complaint = QLabel()
        self.complaint.setWordWrap(True)
        self.complaint.setTextFormat(Qt.TextFormat.PlainText)
        set_look(self.complaint, "bad")
        self.complaint.hide()

    @property
    def _must(self) -> bool:
        """Whether it counts as given from the start: a chosen one does where it shows a value already."""
        return not self.part.optional or (self._chosen and not self.editor.blank)

    def value(self) -> Any:
        """Return what would be sent, MISSING while it is not given."""
        if self.none is not None and self.none.isChecked():
            return None
        if self.part.optional and not self._given and not self.editor.clears:
            return MISSING
        value = self.editor.value()
        if not self.edited and self._given:
            return value
        may_lack = self.part.optional and not self._chosen
        emptied = may_lack and value == "" and self.part.default in (MISSING, "")
        return MISSING if emptied else value

    def set_value(self, value: Any) -> None:
        """Show a value as given, or MISSING as not given."""
        self.edited, self.filled = False, value is not MISSING
        self._given = value is not MISSING or self._must
        is_none = value is None and self.none is not None
        if self.none is not None:
            self.none.setChecked(is_none)
        self.editor.setEnabled(not is_none)
        self.editor.set_value(MISSING if is_none else value)
        if value is MISSING and not self.editor.clears:
            self.editor.set_default(self.part.default)
        self._show_left_out()

    def on_edited(self) -> None:
        """A hand changed the editor: the field is given from now on."""
        self.edited = self._given = True
        self._show_left_out()

    def leave_out(self, out: bool) -> None:
        """A hand says that the field is not given, or that it is as it stands."""
        self.edited, self._given = True, not out
        self._show_left_out()

    def _show_left_out(self) -> None:
        if self.left_out is not None:
            self.left_out.setChecked(not self._given)
            self.left_out.setText("Leave out" if self._given else "Left out")

    def problem(self) -> str:
        """Return why this field would be refused, by the check that the run makes."""
        value = self.value()
        given = value is not MISSING or self.editor.clears
        if (given or self.edited) and value is not None and (message := self.editor.problem()):
            return message
        if value is MISSING:
            return f"{self.part.name} is missing" if not self.part.optional else ""
        if value is None and self.part.nullable:
            return ""
        try:
            check(self.part.type, value, self.part.name)
        except InvalidValue as error:
            return error.sentence
        return ""

    def show_problem(self, sentence: str) -> None:
        """Say it beside the field, unless the field says it itself beside one of its own."""
        if isinstance(self.editor, RecordForm) and self.editor.complains:
            sentence = ""
        self.complaint.setText(sentence)
        self.complaint.setVisible(bool(sentence) and not self.label.isHidden())
        self.editor.set_complaint(sentence)

    def set_visible(self, on: bool) -> None:
        """Show or hide the whole row."""
        for part in (self.label, self.editor, self.none, self.left_out, self.holder):
            if part is not None:
                part.setVisible(on)
        self.help.setVisible(on and bool(self.part.help))
        self.complaint.setVisible(on and bool(self.complaint.text()))


class RecordForm(ValueEditor):
    """Made from a record's fields alone. Of the fields in `one_of` the chosen one is shown and sent."""

    tall = True

    def __init__(self, node: Record, name: str, make: MakeEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._node = node
        self.rows = {
            part.name: FieldRow(part, make, self, chosen=part.name in node.one_of) for part in node.fields
        }
        wide = self._label_width(node)
        for row in self.rows.values():
            row.label.setFixedWidth(wide)
            row.label.setMinimumHeight(28 if row.editor.tall else 0)
        self.choice: SegmentedControl | None = None
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        at = self._add_choice(grid)
        for row in self.rows.values():
            at = self._add_row(grid, row, at)
        self._show_chosen()

    @property
    def choices(self) -> tuple[str, ...]:
        """The fields of which one is sent."""
        return self._node.one_of

    @property
    def complains(self) -> bool:
        """Whether something is said beside a field of it, however deep."""
        return any(
            not row.complaint.isHidden() or (isinstance(row.editor, RecordForm) and row.editor.complains)
            for row in self.rows.values()
        )

    def read(self) -> dict[str, Any]:
        """Return the fields that are given."""
        values = {name: row.value() for name, row in self.rows.items() if self._counts(name)}
        return {name: value for name, value in values.items() if value is not MISSING}

    def show_value(self, value: Any) -> None:
        given = value if isinstance(value, Mapping) else {}
        if self.choice is not None:
            chosen = next(
                (name for name in self._node.one_of if given.get(name) is not None), self._node.one_of[0]
            )
            self.choice.set_value(chosen)
        for name, row in self.rows.items():
            row.set_value(given.get(name, MISSING))
        self._show_chosen()
        self.validate()

    def problem(self) -> str:
        message = (row.problem() for name, row in self.rows.items() if self._counts(name))
        return next((sentence for sentence in message if sentence), "")

    def validate(self) -> str:
        """Say what is wrong beside each field that was touched; the first sentence, or nothing."""
        first = ""
        for name, row in self.rows.items():
            message = row.problem() if self._counts(name) else ""
            row.show_problem(message if row.edited or row.filled else "")
            first = first or message
        if first:
            return first
        try:
            check(self._node, self.value())
        except InvalidValue as error:
            return error.sentence
        return ""

    def _label_width(self, node: Record) -> int:
        """Room for every label; those that name a choice may be cut: the choice above says the same."""
        widths = {name: row.label.sizeHint().width() for name, row in self.rows.items()}
        usual = [width for name, width in widths.items() if name not in node.one_of]
        chosen = min(max(widths.values(), default=0), _CHOICE_WIDTH)
        return min(max([*usual, chosen]), _LABEL_WIDTH)

    def _counts(self, name: str) -> bool:
        return self.choice is None or name not in self._node.one_of or self.choice.value == name

    def _add_choice(self, grid: QGridLayout) -> int:
        if len(self._node.one_of) < 2:
            return 0
        self.choice = SegmentedControl([(name, name) for name in self._node.one_of], name="Set")
        self.choice.set_value(self._node.one_of[0])
        self.choice.chosen.connect(self._choose)
        if len(self._node.one_of) > _FEW:  # beside a label they would be wider than the dock
            grid.addWidget(self.choice, 0, 0, 1, 2, Qt.AlignmentFlag.AlignLeft)
            return 1
        label = QLabel("Set")
        set_look(label, "quiet")
        grid.addWidget(label, 0, 0)
        grid.addWidget(self.choice, 0, 1, Qt.AlignmentFlag.AlignLeft)
        return 1

    def _add_row(self, grid: QGridLayout, row: FieldRow, at: int) -> int:
        row.editor.edited.connect(self._edited)
        line = QHBoxLayout(row.holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(row.editor, 1)
        for button, pressed in ((row.none, self._none_pressed), (row.left_out, self._left_out_pressed)):
            if button is not None:
                button.clicked.connect(pressed)
                line.addWidget(
                    button, 0, Qt.AlignmentFlag.AlignTop if row.editor.tall else Qt.AlignmentFlag(0)
                )
        row.label.setParent(self)
        top = Qt.AlignmentFlag.AlignTop if row.editor.tall else Qt.AlignmentFlag.AlignVCenter
        grid.addWidget(row.label, at, 0, top)
        grid.addWidget(row.holder, at, 1)
        grid.addWidget(row.help, at + 1, 1)
        grid.addWidget(row.complaint, at + 2, 1)
        return at + 3

    def _show_chosen(self) -> None:
        for name, row in self.rows.items():
            row.set_visible(self._counts(name))

    def _choose(self) -> None:
        self._show_chosen()
        self.validate()
        self.edited.emit()

    def _edited(self) -> None:
        editor = self.sender()
        for row in self.rows.values():
            if row.editor is editor:
                row.on_edited()
        self.validate()
        self.edited.emit()

    def _none_pressed(self) -> None:
        button = self.sender()
        for row in self.rows.values():
            if row.none is button and row.none is not None:
                row.editor.setEnabled(not row.none.isChecked())
                row.on_edited()
        self.validate()
        self.edited.emit()

    def _left_out_pressed(self) -> None:
        button = self.sender()
        for row in self.rows.values():
            if row.left_out is button and row.left_out is not None:
                row.leave_out(row.left_out.isChecked())
        self.validate()
        self.edited.emit()


def _toggle(text: str, name: str) -> QPushButton:
    button = QPushButton(text)
    button.setCheckable(True)
    button.setAccessibleName(name)
    set_look(button, "segment")
    return button
