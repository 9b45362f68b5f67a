"""Who has to approve what somebody is about to send: judged as the run will, by the same policy file."""

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
_WORDS: dict[Approval, str] = {
    "none": "",
    "sender": "Needs approval, which you may give yourself",
    "another key": "Another key must approve",
    "refused": "Not allowed by the policy",
}


@dataclass(frozen=True)
class ApprovalNeed:
    """What a policy says of one change. `refused` and `reason` are sentences of the run's own."""

    approval: Approval = "none"
    refused: str = ""
    reason: str = ""
    programs: str = ""  # what programs may send to this control
    problem: str = ""  # what is wrong with the policy file as it is now
    elsewhere: str = ""  # whose policy decides, where that cannot be read from here

    @property
    def needs(self) -> bool:
        """Whether somebody has to approve it."""
        return self.approval in ("sender", "another key")

    @property
    def approver(self) -> str:
        """Who has to, in two words: "me", "another key"."""
        if self.elsewhere and not self.needs:
            return f"as {self.elsewhere} says"
        return _APPROVER[self.approval]

    def text(self) -> str:
        """Return the same in a line: "Another key must approve · programs: lr from 1e-5 to 1e-3"."""
        words = _WORDS[self.approval]
        if self.elsewhere and not self.needs:
            words = f"Who has to approve is for {self.elsewhere} to say"
        programs = f"programs: {self.programs}" if self.programs else ""
        problem = f"{self.problem}; what it said before holds" if self.problem and not self.refused else ""
        text = " · ".join(part for part in (words, programs, problem) if part)
        return text[:1].upper() + text[1:]


def unread(capability: Capability, elsewhere: str = "") -> ApprovalNeed:
    """Return what can be said where the run's policy is out of reach: what the control asks for itself."""
    return ApprovalNeed("another key" if capability.requires_approval else "none", elsewhere=elsewhere)


class _Read:
    """What the file said when it was looked at last: cards ask for it with every point that comes."""

    def __init__(self) -> None:
        self.policy: Policy | None = None
        self.problem = self.broken = ""

    def current(self) -> Policy | None:
        if self.broken:
            raise PolicyError(self.broken)
        return self.policy


class PolicyModel(QObject):
    """The policy of one project as its runs read it. Looks at the file when told to."""

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
        self._held = _Read()
        self._judge = PolicyJudge(self._held, project)
        self._sender = sender  # what the allow-list calls the key of here
        self._own_key, self._key = own_key, ""
        self._read()

    def refresh(self) -> None:
        """Read the file again where it was written since; tell when it says something else."""
        if self._read():
            self.changed.emit()

    def took(self, record: CommandRecord, ago: float) -> None:
        """The run took a command in: the limits an hour count it."""
        self._judge.took(record.capability, record.sender, record.began.body.via, ago)

    def rule(self, capability: Capability, value: Any) -> ApprovalNeed:
        """Return what the run would say if this were sent now, from here."""
        verdict = self._judge.judge(capability.name, value, self._sender, VIA)
        approval = approval_of(capability.requires_approval, self._judge.rule(capability.name))
        limits, problem = self._judge.limits(capability.name), self._judge.problem
        return ApprovalNeed(approval, verdict.refused, verdict.reason, limits, problem)

    def cannot_approve(self, record: CommandRecord) -> str:
        """Why a request that waits cannot be approved from here, in one sentence; empty when it can."""
        if message := self._judge.may_approve(self._sender, VIA):
            return message
        self._key = self._key or self._own_key()
        own = record.began.body.sender_key == self._key != ""
        if own and record.latest.approval not in ("", "sender"):
            return "another key must approve it: yours sent it"
        return ""

    def _read(self) -> bool:
        """Return True when the file says something else than before."""
        held = self._held
        before = held.policy, held.problem, held.broken
        held.broken = ""
        try:
            held.policy = self._file.current()
        except PolicyError as error:
            held.policy, held.broken = None, str(error)
        held.problem = self._file.problem
        return (held.policy, held.problem, held.broken) != before
