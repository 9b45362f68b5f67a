"""The editor of the policy: a section at a time, what it says in words, and Save."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.model.policy_draft import EVERY, SectionDraft, draft_of, section_of, with_section
from helm_desktop.theme import set_look
from helm_desktop.views.policy.rows import ControlLine, LimitLine, Lines
from helm_sdk.policy import Policy, PolicyError, in_words

_SIZE = (560, 640)


class PolicyDialog(QDialog):
    """Nothing changes before Save; what another section says stays as it is."""

    save_requested = Signal(object)  # Policy

    def __init__(
        self, policy: Policy | None, projects: Sequence[str], where: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Who may change what")
        self.resize(*_SIZE)
        self._policy = policy
        known = dict.fromkeys([*(policy.projects if policy is not None else ()), *projects])
        self.project = QComboBox()
        self.project.setAccessibleName("For which project")
        self.project.addItem("Every project without rules of its own", EVERY)
        for project in known:
            self.project.addItem(f"In {project}", project)
        self.controls, self.limits = (
            Lines(ControlLine, "+ Control"),
            Lines(LimitLine, "+ Control for programs"),
        )
        self.limited = QCheckBox("Limit what programs may send")
        self.may_approve = QCheckBox("Programs may approve")
        self.keys, self.via, self.per_hour = QLineEdit(), QLineEdit(), QLineEdit()
        self.words, self.problem = _small(""), _small("")
        set_look(self.problem, "bad")
        self.save, self.cancel = QPushButton("Save"), QPushButton("Cancel")
        self._lay_out(where)
        self._connect()
        self._show_section()

    def draft(self) -> SectionDraft:
        """What stands in the fields."""
        controls = [line.value() for line in self.controls.lines if isinstance(line, ControlLine)]
        limits = [line.value() for line in self.limits.lines if isinstance(line, LimitLine)]
        return SectionDraft(
            controls,
            self.limited.isChecked(),
            self.keys.text(),
            self.via.text(),
            self.may_approve.isChecked(),
            self.per_hour.text(),
            limits,
        )

    # Building ----------------------------------------------------------------------------------

    def _lay_out(self, where: str) -> None:
        body = QWidget()
        inside = QVBoxLayout(body)
        inside.setContentsMargins(0, 0, 8, 0)
        inside.setSpacing(8)
        note = _small(f"Your runs read {where} whenever a command comes in; the first line that fits holds.")
        for widget in (note, self.project, _title("Controls"), self.controls):
            inside.addWidget(widget)
        inside.addWidget(_title("Programs"))
        inside.addWidget(self.limited)
        self._programs = QWidget()
        column = QVBoxLayout(self._programs)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for label, field, hint in (
            ("Keys", self.keys, "names of the allow-list that are programs"),
            ("Named", self.via, "what is neither the app nor helmctl by hand, or patterns"),
            ("An hour", self.per_hour, "any number of changes in all"),
        ):
            column.addWidget(_row(label, field, hint))
        column.addWidget(_small("A control that no line here names is refused to programs."))
        column.addWidget(self.limits)
        column.addWidget(self.may_approve)
        inside.addWidget(self._programs)
        inside.addWidget(_title("What that says"))
        inside.addWidget(self.words)
        inside.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(body)
        buttons = QHBoxLayout()
        set_look(self.save, "primary")
        self.save.setDefault(True)
        buttons.addWidget(self.problem, 1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 14, 16, 14)
        whole.setSpacing(10)
        whole.addWidget(area, 1)
        whole.addLayout(buttons)

    def _connect(self) -> None:
        self.project.activated.connect(self._show_section)
        for lines in (self.controls, self.limits):
            lines.changed.connect(self._edited)
        for box in (self.limited, self.may_approve):
            box.clicked.connect(self._edited)
        for field in (self.keys, self.via, self.per_hour):
            field.textEdited.connect(self._edited)
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self.reject)

    # Keeping up --------------------------------------------------------------------------------

    def _show_section(self) -> None:
        draft = draft_of(section_of(self._policy, self._project()))
        self.controls.set_rows(draft.controls)
        self.limits.set_rows(draft.limits)
        self.limited.setChecked(draft.limited)
        self.may_approve.setChecked(draft.may_approve)
        self.keys.setText(draft.keys)
        self.via.setText(draft.via)
        self.per_hour.setText(draft.per_hour)
        self._edited()

    def _edited(self) -> None:
        self._programs.setVisible(self.limited.isChecked())
        said = ""
        try:
            policy = self._made()
        except PolicyError as error:
            said = str(error)
        else:
            self.words.setText("\n".join(in_words(policy)))
        self.problem.setText(said)
        self.save.setEnabled(not said)

    def _project(self) -> str:
        return str(self.project.currentData())

    def _made(self) -> Policy:
        return with_section(self._policy, self._project(), self.draft().section())

    def _save(self) -> None:
        self.save_requested.emit(self._made())
        self.accept()


def _title(text: str) -> QLabel:
    label = QLabel(text)
    set_look(label, "title")
    return label


def _small(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    set_look(label, "small")
    return label


def _row(label: str, field: QLineEdit, hint: str) -> QWidget:
    row = QWidget()
    words = QLabel(label)
    words.setFixedWidth(62)
    words.setBuddy(field)
    set_look(words, "quiet")
    set_look(field, "figure")
    field.setPlaceholderText(hint)
    field.setAccessibleName(f"{label}: {hint}")
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(8)
    line.addWidget(words)
    line.addWidget(field, 1)
    return row
