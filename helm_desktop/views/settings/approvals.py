"""Who may change what: the policy, a section at a time, what it says in words, and Save."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.model.rules.policy_draft import EVERY, SectionDraft, draft_of, section_of, with_section
from helm_desktop.theme import set_look
from helm_desktop.views.settings.policy_rows import ApproverRow, LimitRowView, PolicyRows
from helm_desktop.views.settings.setting_rows import SettingsSection, small, subtitle
from helm_sdk.policy import Policy, PolicyError, in_words


class ApprovalsSection(SettingsSection):
    """Nothing changes before Save; what another section of the policy says stays as it is."""

    save_requested = Signal(object)  # Policy

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Approvals", parent=parent)
        self._policy: Policy | None = None
        self._dirty = False
        self.project = QComboBox()
        self.project.setAccessibleName("For which project")
        self.controls, self.limits = (
            PolicyRows(ApproverRow, "+ Control"),
            PolicyRows(LimitRowView, "+ Control for programs"),
        )
        self.limited = QCheckBox("Limit what programs may send")
        self.may_approve = QCheckBox("Programs may approve")
        self.keys, self.via, self.per_hour = QLineEdit(), QLineEdit(), QLineEdit()
        self.words, self.problem = small(), small()
        set_look(self.problem, "bad")
        self.save, self.discard = QPushButton("Save"), QPushButton("Discard")
        self.editor = QWidget()
        self._lay_out()
        self._connect()

    def show_policy(self, policy: Policy | None, projects: Sequence[str], where: str) -> None:
        """The policy as it is kept. What somebody has begun to change is not taken from under their hands."""
        self.about.setText(
            f"Who has to approve a change, and what programs may send. Your runs read {where} whenever a "
            "command comes in; the first line that fits holds."
        )
        self.about.show()
        self.editor.show()
        if self._dirty:
            return
        self._policy = policy
        chosen = self.project.currentData()
        self.project.clear()
        self.project.addItem("Every project without rules of its own", EVERY)
        for project in dict.fromkeys([*(policy.projects if policy is not None else ()), *projects]):
            self.project.addItem(f"In {project}", project)
        self.project.setCurrentIndex(max(0, self.project.findData(chosen)))
        self._show_section()

    def show_problem(self, sentence: str) -> None:
        """A file that cannot be used is not written over."""
        self.about.setText(sentence)
        self.about.show()
        self.editor.hide()

    def saved(self, policy: Policy) -> None:
        """What was typed is in the file."""
        self._policy, self._dirty = policy, False
        self._refresh()

    def draft(self) -> SectionDraft:
        """Return the values of the fields."""
        controls = [line.value() for line in self.controls.lines if isinstance(line, ApproverRow)]
        limits = [line.value() for line in self.limits.lines if isinstance(line, LimitRowView)]
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

    def _lay_out(self) -> None:
        inside = QVBoxLayout(self.editor)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(8)
        for widget in (self.project, subtitle("Controls"), self.controls, subtitle("Programs"), self.limited):
            inside.addWidget(widget)
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
        column.addWidget(small("A control that no line here names is refused to programs."))
        column.addWidget(self.limits)
        column.addWidget(self.may_approve)
        inside.addWidget(self._programs)
        inside.addWidget(subtitle("What that says"))
        inside.addWidget(self.words)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 8, 0, 0)
        set_look(self.save, "primary")
        self.save.setAccessibleName("Save the policy")
        self.discard.setAccessibleName("Discard what was changed in the policy")
        buttons.addWidget(self.problem, 1)
        buttons.addWidget(self.discard)
        buttons.addWidget(self.save)
        inside.addLayout(buttons)
        self.fill(self.editor)

    def _connect(self) -> None:
        self.project.activated.connect(self._show_section)
        for lines in (self.controls, self.limits):
            lines.changed.connect(self._edited)
        for box in (self.limited, self.may_approve):
            box.clicked.connect(self._edited)
        for field in (self.keys, self.via, self.per_hour):
            field.textEdited.connect(self._edited)
        self.save.clicked.connect(self._save)
        self.discard.clicked.connect(self._discard)

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
        self._refresh()

    def _edited(self) -> None:
        self._dirty = True
        self._refresh()

    def _refresh(self) -> None:
        self._programs.setVisible(self.limited.isChecked())
        message = ""
        try:
            policy = self._made()
        except PolicyError as error:
            message = str(error)
        else:
            self.words.setText("\n".join(in_words(policy)))
        self.problem.setText(f"{message[:1].upper()}{message[1:]}")
        self.save.setEnabled(self._dirty and not message)
        self.discard.setEnabled(self._dirty)
        self.project.setEnabled(not self._dirty)
        self.project.setToolTip("Save or discard what was changed first" if self._dirty else "")

    def _project(self) -> str:
        return str(self.project.currentData() or EVERY)

    def _made(self) -> Policy:
        return with_section(self._policy, self._project(), self.draft().section())

    def _save(self) -> None:
        self.save_requested.emit(self._made())

    def _discard(self) -> None:
        self._dirty = False
        self._show_section()


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
