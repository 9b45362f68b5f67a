"""Rules and the policy through the storage thread: read when they change, written rule by rule."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from helm_desktop.model.rules.approvers import PolicyModel
from helm_desktop.storage.policy_file import CachedPolicyFile, write_policy
from helm_desktop.storage.rule_files import RuleFiles
from helm_desktop.storage.storage_thread import Storage
from helm_sdk.policy import Policy, PolicyError
from helm_sdk.policy.file import read_policy
from helm_sdk.policy.spec import ControlRule
from helm_sdk.protocol.messages import Capability
from helm_sdk.record.layout import lock_file
from helm_sdk.record.lock import FileLock
from helm_sdk.rules import Rule
from helm_sdk.rules.store import read_rules, rules_path, write_rules

STRICT = Policy(controls=(ControlRule(control="*", approval="another key"),))


def rule(name: str, value: float = 1.0) -> Rule:
    return Rule(id=name, metric="loss", when="above", value=value)


def test_that_rules_are_read_when_another_program_writes_them(storage: Storage) -> None:
    files = RuleFiles(storage)
    read: list[tuple[Rule, ...]] = []
    files.read.connect(read.append)
    files.open("p")
    assert storage.finish()
    assert read == [()]
    rules_path("p").parent.mkdir(parents=True)
    write_rules(rules_path("p"), (rule("a"),))
    files.check()
    assert storage.finish()
    files.check()
    assert storage.finish()
    assert read == [(), (rule("a"),)], "told once"


def test_that_an_edit_keeps_the_rules_of_others_and_later_edits(storage: Storage) -> None:
    files = RuleFiles(storage)
    files.open("p")
    assert storage.finish()
    rules_path("p").parent.mkdir(parents=True)
    write_rules(rules_path("p"), (rule("theirs"),))
    read: list[tuple[Rule, ...]] = []
    files.read.connect(read.append)
    files.store("a", [rule("a")])
    files.store("b", [rule("a"), rule("b")])
    files.check()
    files.store("a", [rule("b")])
    assert storage.finish()
    assert read == [(rule("theirs"), rule("b"))], "what was written before the last edit is not shown again"
    assert read_rules(rules_path("p")) == (rule("theirs"), rule("b"))


def test_that_a_rule_waits_for_another_windows_lock_and_is_written_with_the_next(storage: Storage) -> None:
    files = RuleFiles(storage)
    files.open("p")
    said: list[str] = []
    files.notified.connect(said.append)
    rules_path("p").parent.mkdir(parents=True)
    with FileLock(lock_file(rules_path("p"))):
        files.store("a", [rule("a")])
        assert storage.finish()
    assert "it could not be kept" in said[0]
    files.store("b", [rule("a"), rule("b")])
    assert storage.finish()
    assert read_rules(rules_path("p")) == (rule("a"), rule("b"))


def test_that_rules_of_another_project_are_not_taken_for_those_of_this_one(storage: Storage) -> None:
    files = RuleFiles(storage)
    read: list[tuple[Rule, ...]] = []
    files.read.connect(read.append)
    rules_path("one").parent.mkdir(parents=True)
    write_rules(rules_path("one"), (rule("a"),))
    files.open("one")
    files.store("b", [rule("b")])
    files.open("two")
    assert storage.finish()
    assert read == [()]
    assert read_rules(rules_path("one")) == (rule("a"), rule("b")), "what was asked for is written"


def test_that_a_policy_is_judged_as_it_was_read_last(storage: Storage, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    file = CachedPolicyFile(path, storage)
    with qtbot.waitSignal(file.changed):
        file.check()
    model = PolicyModel(file, "p", "ada")
    lr = Capability(name="lr")
    assert model.need(lr, {}).approver == "me"
    write_policy(path, STRICT)
    assert model.need(lr, {}).approver == "me", "no file is looked at"
    file.changed.connect(model.refresh)
    with qtbot.waitSignal(model.changed):
        file.check()
    assert model.need(lr, {}).approver == "another key"
    path.write_text("{")
    with qtbot.waitSignal(model.changed):
        file.check()
    assert "is not JSON" in file.problem
    assert model.need(lr, {}).approver == "another key", "the last good one holds"


def test_that_a_policy_that_never_was_one_refuses(storage: Storage, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text("{")
    file = CachedPolicyFile(path, storage)
    file.check()
    file.check()  # one is under way
    assert storage.finish()
    with pytest.raises(PolicyError, match="not JSON"):
        file.current()
    assert write_policy(path, STRICT) is STRICT
    assert read_policy(path) == STRICT
