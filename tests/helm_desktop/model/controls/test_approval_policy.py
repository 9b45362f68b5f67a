"""Whose policy is asked, and what it is told."""

from __future__ import annotations

import time
from pathlib import Path

from pytestqt.qtbot import QtBot

from helm_desktop.model.controls.approval_policy import ApprovalPolicy
from helm_desktop.model.controls.command_log import CommandLog
from helm_desktop.model.rules.approvers import PolicyModel
from helm_sdk.policy.file import PolicyFile
from helm_sdk.protocol.messages import Capability, Event

LR = Capability(name="lr")
STRICT = Capability(name="wd", requires_approval=True)


def test_that_without_a_policy_the_control_itself_is_asked(qtbot: QtBot) -> None:
    approvals = ApprovalPolicy(CommandLog())
    assert not approvals.need(LR, 1.0).needs
    assert approvals.need(STRICT, 1.0).approval == "another key"
    with qtbot.waitSignal(approvals.changed):
        approvals.set_policy(None, "the policy on train-7")
    assert approvals.need(LR, 1.0).approver == "as the policy on train-7 says"


def test_that_a_policy_is_told_of_what_was_received_before_it_was_known(qtbot: QtBot) -> None:
    commands = CommandLog()
    body = {"command_id": "a", "capability": "lr", "state": "received", "sender": "ada"}
    commands.add(Event(id=1, kind="command", time=time.time(), body=body), "rank-0", 1)
    approvals = ApprovalPolicy(commands)
    counted: list[str] = []

    class Counting(PolicyModel):
        def count(self, record: object, ago: float) -> None:
            counted.append(f"{getattr(record, 'id', '')} {ago < 60}")

    policy = Counting(PolicyFile(Path("nowhere")), "p", "ada")
    with qtbot.waitSignal(approvals.changed):
        approvals.set_policy(policy)
    assert counted == ["a True"]
    with qtbot.waitSignal(approvals.changed):
        policy.changed.emit()
    approvals.set_policy(None)
    with qtbot.assertNotEmitted(approvals.changed):
        policy.changed.emit()
