"""Who may send what, as the window says it before anything is sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.rules.approvers import PolicyModel
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_sdk.policy import Policy
from helm_sdk.policy.file import PolicyFile
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import Capability, ControlState, Event
from helpers.drafting import STREAM, drafting

SCHEMA = k.record_schema(k.field("lr", k.number(0)))
LR = Capability(name="lr", input_schema=SCHEMA)
ROLLBACK = Capability(name="rollback", requires_approval=True)


def write(path: Path, policy: Any) -> None:
    path.write_text(json.dumps(policy))


def controls(path: Path, project: str = "p", **more: Any) -> tuple[ControlsModel, PolicyModel]:
    """A model with lr and rollback, judged by the policy in this file."""
    made = ControlsModel()
    made.set_catalogue([ControlState(capability=LR), ControlState(capability=ROLLBACK)], "rank-0")
    policy = PolicyModel(PolicyFile(path), project, "ada", parent=made, **more)
    made.approvals.set_policy(policy)
    return made, policy


def received(number: int, state: str = "received", **body: Any) -> Event:
    told = {"command_id": str(number // 10), "capability": "lr", "state": state, **body}
    return Event(id=number, kind="command", time=2_000_000_000.0, step=1, body=told)


@pytest.mark.parametrize(
    ("approval", "approver", "words", "needs"),
    [
        ("none", "me", "", False),
        ("sender", "me or another", "Needs approval, which you may give yourself", True),
        ("another key", "another key", "Another key must approve", True),
        ("refused", "nobody", "Not allowed by the policy", False),
    ],
)
def test_that_it_says_who_has_to_approve(
    qapp: object, tmp_path: Path, approval: str, approver: str, words: str, needs: bool
) -> None:
    write(tmp_path / "policy.json", {"controls": [{"control": "l*", "approval": approval}]})
    model, _ = controls(tmp_path / "policy.json")
    ruling = model.approval_need("lr", {"lr": 0.1})
    assert (ruling.approver, ruling.text(), ruling.needs) == (approver, words, needs)
    assert bool(ruling.refused) == (approval == "refused")
    assert model.approval_need("rollback", {}).approver == "another key", "it asks for approval itself"


def test_that_another_policy_file_is_told_of_once(qapp: object, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    model, policy = controls(path, "shared-1")
    model.flush()
    assert model.approval_need("lr", {}).text() == ""
    told: list[str] = []
    model.control_changed.connect(told.append)
    policy.refresh()
    model.flush()
    assert not told
    write(path, {"projects": {"shared-*": {"controls": [{"control": "*", "approval": "another key"}]}}})
    policy.refresh()
    policy.refresh()
    model.flush()
    assert told == ["lr", "rollback"]
    assert model.approval_need("lr", {}).text() == "Another key must approve"
    path.write_text("{")
    policy.refresh()
    said = model.approval_need("lr", {}).text()
    assert said.startswith("Another key must approve · ")
    assert said.endswith("what it said before still applies")


def test_that_a_file_that_never_could_be_read_refuses_as_the_run_does(qapp: object, tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text("{")
    model, _ = controls(tmp_path / "policy.json")
    assert model.approval_need("lr", {}).refused.startswith("policy: nothing may be changed until")
    assert model.approval_need("lr", {}).approver == "nobody"


def test_that_limits_for_programs_are_said_and_hold_a_key_that_is_one(qapp: object, tmp_path: Path) -> None:
    limit = {"control": "lr", "bounds": {"lr": {"max": 0.5}}, "per_hour": 2}
    path = tmp_path / "policy.json"
    write(path, {"programs": {"limits": [limit]}})
    model, policy = controls(path)
    ruling = model.approval_need("lr", {"lr": 1})
    assert ruling.text() == "Programs: lr at 0.5 or less, 2 times an hour"
    assert not ruling.refused
    write(path, {"programs": {"keys": ["ada"], "limits": [limit]}})
    policy.refresh()
    assert (
        model.approval_need("lr", {"lr": 1}).refused
        == "policy: lr is 1 (programs may set lr at 0.5 or less of lr)"
    )
    for number in (10, 20):
        assert not model.approval_need("lr", {"lr": 0.1}).refused
        sent = received(number, sender="ada", via="helm-desktop")
        model.apply_event("rank-0", sent)
        model.apply_event("rank-0", sent)
        model.apply_event("rank-0", received(number + 1, "waiting", sender="ada"))
    assert model.approval_need("lr", {"lr": 0.1}).refused.endswith("2 times an hour, and have")


def test_that_what_was_sent_before_the_policy_was_known_counts(qapp: object, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    write(path, {"programs": {"keys": ["ada"], "limits": [{"control": "lr", "per_hour": 1}]}})
    model = ControlsModel()
    model.set_catalogue([ControlState(capability=LR)], "rank-0")
    model.apply_event("rank-0", received(10, sender="ada"))
    model.approvals.set_policy(PolicyModel(PolicyFile(path), "p", "ada", parent=model))
    assert "1 time an hour" in model.approval_need("lr", {"lr": 0.1}).refused


def test_that_a_request_of_ones_own_cannot_be_approved_where_another_has_to(
    qapp: object, tmp_path: Path
) -> None:
    model, policy = controls(tmp_path / "policy.json", own_key=lambda: "KEY")
    waiting = {"sender": "ada", "sender_key": "KEY"}
    for number, approval in ((10, "another key"), (20, "sender")):
        model.apply_event("rank-0", received(number, **waiting))
        model.apply_event("rank-0", received(number + 1, "awaiting approval", approval=approval))
    strict, lenient = model.commands.awaiting_approval()
    assert model.approvals.cannot_approve(strict) == "Another key must approve it: yours sent it"
    assert model.approvals.cannot_approve(lenient) == ""
    write(tmp_path / "policy.json", {"programs": {"keys": ["ada"]}})
    policy.refresh()
    assert "programs may not approve" in model.approvals.cannot_approve(lenient)


def test_that_a_policy_out_of_reach_is_said_to_be_so(qapp: object) -> None:
    model = ControlsModel()
    model.set_catalogue([ControlState(capability=LR), ControlState(capability=ROLLBACK)], "rank-0")
    model.approvals.set_policy(None, "the policy on train-7")
    assert model.approval_need("lr", {}).approver == "as the policy on train-7 says"
    assert model.approval_need("lr", {}).text() == "Who has to approve is decided by the policy on train-7"
    assert model.approval_need("rollback", {}).text() == "Another key must approve"


def test_that_a_draft_is_judged_by_its_value_and_anew_by_another_policy(
    qapp: object, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "policy.json"
    session = drafting()
    policy = PolicyModel(PolicyFile(path), "quickstart", "ada", parent=session)
    session.controls.approvals.set_policy(policy)
    model = DraftModel()
    model.set_session(session)
    model.start(STREAM)
    model.move(0, 300, 1e-3)
    assert (model.approval_need().approver, model.problem()) == ("me", "")
    write(path, {"controls": [{"control": "lr", "approval": "another key"}]})
    with qtbot.waitSignal(model.changed):
        policy.refresh()
    assert (model.approval_need().approver, model.problem()) == ("another key", "")
    bounds = {"plan.points.at": {}, "plan.points.value": {"max": 2e-3}}
    limit = {"control": "lr", "bounds": bounds}
    write(path, {"programs": {"keys": ["ada"], "limits": [limit]}})
    with qtbot.waitSignal(model.changed):
        policy.refresh()
    assert model.problem() == ""
    model.move(0, 300, 2.5e-3)
    assert model.problem().startswith("policy: plan.points.value is ")
    model.set_session(None)


def test_that_cards_ask_without_looking_at_the_file(qapp: object, tmp_path: Path) -> None:
    class Counted(PolicyFile):
        looks = 0

        def current(self) -> Policy | None:
            self.looks += 1
            return super().current()

    file = Counted(tmp_path / "policy.json")
    policy = PolicyModel(file, "p", "ada")
    for _ in range(50):
        assert policy.need(LR, {"lr": 0.1}).approver == "me"
    assert file.looks == 1
