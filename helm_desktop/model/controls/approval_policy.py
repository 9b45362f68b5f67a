"""Who has to approve what is about to be sent: by the run's policy, where that can be read from here."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QObject, Signal

from helm_desktop.model.controls.command_log import CommandLog
from helm_desktop.model.rules.approvers import ApprovalNeed, PolicyModel, unread
from helm_sdk.protocol.commands import RECEIVED
from helm_sdk.protocol.history import CommandRecord
from helm_sdk.protocol.messages import Capability


class ApprovalPolicy(QObject):
    """Asks the policy of the open run."""

    changed = Signal()  # it says something else

    def __init__(self, commands: CommandLog, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._commands = commands
        self._policy: PolicyModel | None = None
        self._elsewhere = ""

    def set_policy(self, policy: PolicyModel | None, elsewhere: str = "") -> None:
        """Set the policy; else whose policy decides, which cannot be read from here."""
        if self._policy is not None:
            self._policy.changed.disconnect(self.changed)
        self._policy, self._elsewhere = policy, elsewhere
        if policy is not None:
            policy.changed.connect(self.changed)
            for record in self._commands.history.all():
                self.count(record)
        self.changed.emit()

    def count(self, record: CommandRecord) -> None:
        """Count a command that the run received: a program may send so many an hour."""
        stage = record.stage(RECEIVED)
        if self._policy is not None and stage is not None:
            self._policy.took(record, time.time() - stage.time)

    def need(self, capability: Capability, value: Any) -> ApprovalNeed:
        """Return who would have to approve a value, or why the policy refuses it."""
        if self._policy is None:
            return unread(capability, self._elsewhere)
        return self._policy.rule(capability, value)

    def cannot_approve(self, record: CommandRecord) -> str:
        """Return why a command that waits cannot be approved from here; empty when it can, for all that is
        known."""
        return self._policy.cannot_approve(record) if self._policy is not None else ""
