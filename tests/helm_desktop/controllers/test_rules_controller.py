"""The rules of a project on disk: two windows, a file that holds none, a folder that takes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import helm_sdk
from helm_desktop.app import Desktop
from helm_sdk.record.errors import DiskFull
from helm_sdk.rules import Rule, store
from helm_sdk.rules.store import read_rules, rules_path
from helpers.desktop import desktop, session_of

PATIENCE_MS = 20_000


def rule(name: str, value: float = 1.0) -> Rule:
    """A rule of this name."""
    return Rule(id=name, metric="train/loss", when="above", value=value)


def names(window: Desktop) -> list[str]:
    """The rules that a window goes by."""
    return sorted(own.id for own in session_of(window).rules.rules)


def opened(window: Desktop, qtbot: QtBot) -> None:
    """The project is known."""
    qtbot.waitUntil(
        lambda: window.current.session is not None and window.current.session.project == "p",
        timeout=PATIENCE_MS,
    )


def test_that_two_windows_lose_no_rule_of_each_other(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    with (
        helm_sdk.init("p", name="r", home=tmp_path),
        desktop(qapp, tmp_path) as one,
        desktop(qapp, tmp_path) as other,
    ):
        for window in (one, other):
            opened(window, qtbot)
        session_of(one).rules.put(rule("a"))
        session_of(other).rules.put(rule("b"))  # before it has looked at the file again
        assert one.storage.finish()
        assert other.storage.finish()
        assert [own.id for own in read_rules(rules_path("p"))] == ["a", "b"]
        assert names(other) == ["a", "b"]
        qtbot.waitUntil(lambda: names(one) == ["a", "b"], timeout=PATIENCE_MS)
        session_of(one).rules.put(rule("b", 7.0))
        session_of(other).rules.remove("a")
        qtbot.waitUntil(lambda: names(one) == names(other) == ["b"], timeout=PATIENCE_MS)
        assert read_rules(rules_path("p")) == (rule("b", 7.0),)


def test_that_a_file_that_holds_no_rules_is_kept_aside(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    path = rules_path("p")
    path.parent.mkdir(parents=True)
    path.write_text('{"format": 1, "rules": [{"id": "x"}]}')
    with helm_sdk.init("p", name="r", home=tmp_path), desktop(qapp, tmp_path) as window:
        opened(window, qtbot)
        assert names(window) == []
        with qtbot.waitSignal(window.rules.said) as said:
            session_of(window).rules.put(rule("a"))
        assert "holds no rules" in said.args[0]
        assert "moved to p.unread.json" in said.args[0]
    assert json.loads(path.with_suffix(".unread.json").read_text())["rules"] == [{"id": "x"}]
    assert read_rules(path) == (rule("a"),)


def test_that_a_rule_that_cannot_be_kept_holds_and_is_kept_later(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, rules: tuple[Rule, ...]) -> None:
        raise DiskFull("the disk is full")

    with helm_sdk.init("p", name="r", home=tmp_path), desktop(qapp, tmp_path) as window:
        opened(window, qtbot)
        with monkeypatch.context() as patched, qtbot.waitSignal(window.rules.said) as said:
            patched.setattr(store, "write_rules", full)
            session_of(window).rules.put(rule("a"))
        assert "holds until this window closes" in said.args[0]
        session_of(window).rules.put(rule("b"))
        assert window.storage.finish()
        assert sorted(own.id for own in read_rules(rules_path("p"))) == names(window) == ["a", "b"]
