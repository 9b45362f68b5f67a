"""Who has to approve a change before it is sent, by the policy of the run where it can be read here."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QObject, Signal

from helm_desktop.model.controls.command_log import CommandLog
from helm_desktop.model.rules.approvers import ApprovalNeed, PolicyModel, need_without_policy
from helm_sdk.protocol.commands import RECEIVED
from helm_sdk.protocol.history import CommandRecord
from helm_sdk.protocol.messages import Capability


class ApprovalPolicy(QObject):
    """The policy of the open run."""

    changed = Signal()  # another policy, or its content has changed

    def __init__(self, commands: CommandLog, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._commands = commands
        self._policy: PolicyModel | None = None
        self._elsewhere = ""

    def set_policy(self, policy: PolicyModel | None, elsewhere: str = "") -> None:
        """Set the policy. None: it cannot be read here; `elsewhere` then says whose policy decides."""
        if self._policy is not None:
            self._policy.changed.disconnect(self.changed)
        self._policy, self._elsewhere = policy, elsewhere
        if policy is not None:
            policy.changed.connect(self.changed)
            for record in self._commands.history.all():
                self.count(record)
        self.changed.emit()

    def count(self, record: CommandRecord) -> None:
        """Count a command that the run received: the policy limits how many a program may send an hour."""
        stage = record.stage(RECEIVED)
        if self._policy is not None and stage is not None:
            self._policy.count(record, time.time() - stage.time)

    def need(self, capability: Capability, value: Any) -> ApprovalNeed:
        """Return who has to approve a value of a control, or why the policy refuses it."""
        if self._policy is None:
            return need_without_policy(capability, self._elsewhere)
        return self._policy.need(capability, value)

    def cannot_approve(self, record: CommandRecord) -> str:
        """Return why a command cannot be approved by this app; empty when it can or that is not known."""
        return self._policy.cannot_approve(record) if self._policy is not None else ""
