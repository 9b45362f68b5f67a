"""Who has to approve a change before it is sent, by the same policy file and checks as the run uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from helm_sdk.policy import Policy, PolicyError
from helm_sdk.policy.judge import PolicyJudge, PolicySource, approval_of
from helm_sdk.policy.spec import Approval
from helm_sdk.protocol.history import CommandRecord
from helm_sdk.protocol.messages import Capability

VIA = "helm-desktop"
_APPROVER: dict[Approval, str] = {
    "none": "me",
    "sender": "me or another",
    "another key": "another key",
    "refused": "nobody",
}
_TEXTS: dict[Approval, str] = {
    "none": "",
    "sender": "Needs approval, which you may give yourself",
    "another key": "Another key must approve",
    "refused": "Not allowed by the policy",
}


@dataclass(frozen=True)
class ApprovalNeed:
    """Who has to approve one change, by a policy. `refused` and `reason` are the sentences of the run."""

    approval: Approval = "none"
    refused: str = ""
    reason: str = ""
    programs: str = ""  # the limits of programs for this control
    problem: str = ""  # why the policy file cannot be read as it is now
    elsewhere: str = ""  # whose policy decides, where it cannot be read here

    @property
    def needs(self) -> bool:
        """Whether somebody has to approve it."""
        return self.approval in ("sender", "another key")

    @property
    def approver(self) -> str:
        """Who has to approve, such as "me" or "another key"."""
        if self.elsewhere and not self.needs:
            return f"as {self.elsewhere} says"
        return _APPROVER[self.approval]

    def text(self) -> str:
        """Return a line such as "Another key must approve · programs: lr from 1e-5 to 1e-3"."""
        sentence = _TEXTS[self.approval]
        if self.elsewhere and not self.needs:
            sentence = f"Who has to approve is decided by {self.elsewhere}"
        programs = f"programs: {self.programs}" if self.programs else ""
        problem = (
            f"{self.problem}; what it said before still applies" if self.problem and not self.refused else ""
        )
        text = " · ".join(part for part in (sentence, programs, problem) if part)
        return text[:1].upper() + text[1:]


def need_without_policy(capability: Capability, elsewhere: str = "") -> ApprovalNeed:
    """Return who has to approve where the policy cannot be read: as the control itself requires."""
    return ApprovalNeed("another key" if capability.requires_approval else "none", elsewhere=elsewhere)


class _PolicySnapshot:
    """The content of the policy file as it was read last, since cards need it with every new point."""

    def __init__(self) -> None:
        self.policy: Policy | None = None
        self.problem = self.broken = ""

    def current(self) -> Policy | None:
        if self.broken:
            raise PolicyError(self.broken)
        return self.policy


class PolicyModel(QObject):
    """The policy of one project as its runs read it. The file is read in `refresh` only."""

    changed = Signal()

    def __init__(
        self,
        file: PolicySource,
        project: str,
        sender: str,
        *,
        own_key: Callable[[], str] = str,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._file = file
        self._snapshot = _PolicySnapshot()
        self._judge = PolicyJudge(self._snapshot, project)
        self._sender = sender  # the name of this app's key in the allow-list
        self._own_key, self._key = own_key, ""
        self._read()

    def refresh(self) -> None:
        """Read the file again if it was written; emit `changed` when its content differs."""
        if self._read():
            self.changed.emit()

    def count(self, record: CommandRecord, ago: float) -> None:
        """Count a command that the run received `ago` seconds ago, for the limits per hour."""
        self._judge.took(record.capability, record.sender, record.began.body.via, ago)

    def need(self, capability: Capability, value: Any) -> ApprovalNeed:
        """Return who has to approve a value, as the run will decide when it is sent by this app now."""
        verdict = self._judge.judge(capability.name, value, self._sender, VIA)
        approval = approval_of(capability.requires_approval, self._judge.rule(capability.name))
        limits, problem = self._judge.limits(capability.name), self._judge.problem
        return ApprovalNeed(approval, verdict.refused, verdict.reason, limits, problem)

    def cannot_approve(self, record: CommandRecord) -> str:
        """Return why a command cannot be approved by this app, in one sentence; empty when it can."""
        if message := self._judge.may_approve(self._sender, VIA):
            return message
        self._key = self._key or self._own_key()
        sent_by_me = record.began.body.sender_key == self._key != ""
        if sent_by_me and record.latest.approval not in ("", "sender"):
            return "Another key must approve it: yours sent it"
        return ""

    def _read(self) -> bool:
        """Read the file; return True when its content differs from before."""
        snapshot = self._snapshot
        before = snapshot.policy, snapshot.problem, snapshot.broken
        snapshot.broken = ""
        try:
            snapshot.policy = self._file.current()
        except PolicyError as error:
            snapshot.policy, snapshot.broken = None, str(error)
        snapshot.problem = self._file.problem
        return (snapshot.policy, snapshot.problem, snapshot.broken) != before
