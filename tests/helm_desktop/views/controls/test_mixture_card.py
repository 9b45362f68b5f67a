"""The card of a mixture, by mouse, keys and typing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from helm_desktop.model.controls.controls_model import ControlsModel
from helpers.cards import (
    LEFT,
    WEIGHTS,
    Open,
    apply,
    drag,
    editor_of,
    mixture,
    opened,
    type_into,
)

__all__ = ["opened"]


def test_that_dragging_a_divider_and_send_asks_for_the_new_weights(opened: Open) -> None:
    panel, model, sent = opened(mixture())
    editor, card = editor_of(panel), panel.cards["set_mixture"]
    assert not card.send.isEnabled()
    drag(editor, 0, 0.6)
    assert editor.draft.tenths[2:] == (200, 100)
    assert editor.rows.rows[0].draft.text() == f"{editor.draft.percent(0).removesuffix('.0')}%"
    QTest.mouseClick(card.send, LEFT)
    (command,) = sent
    weights = command.input["weights"]["weights"]
    assert weights == editor.draft.to_weights()
    assert abs(float(weights["web"]) - 0.6) < 0.01
    assert len(command.id) == 36
    assert [station.text for station in model.track("set_mixture")] == ["requested", "applied"]
    assert [step.text for step in card.track.steps] == ["requested", "applied"]


def test_that_keys_move_a_divider_by_one_and_five_percent(opened: Open) -> None:
    panel, _, _ = opened(mixture())
    editor = editor_of(panel)
    QTest.keyClick(editor.draft_bar, Qt.Key.Key_Right)
    assert editor.draft.tenths == (410, 290, 200, 100)
    QTest.keyClick(editor.draft_bar, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert editor.draft.tenths == (360, 340, 200, 100)


def test_that_a_draft_survives_what_arrives(opened: Open) -> None:
    panel, model, _ = opened(mixture())
    editor = editor_of(panel)
    drag(editor, 0, 0.6)
    drafted = editor.draft.tenths
    other = model.compose("set_mixture", {"weights": {"weights": {**WEIGHTS, "web": "0.2", "code": "0.5"}}})
    apply(model, other)
    assert editor.draft.tenths == drafted
    assert editor.now_bar.shares[0] == pytest.approx(0.2)
    assert editor.now_label.text() == "Now — set at step 140"
    QTest.mouseClick(editor.reset, LEFT)
    assert editor.draft.tenths == (200, 500, 200, 100)


def test_that_a_percentage_can_be_typed_and_a_component_locked(opened: Open) -> None:
    panel, _, _ = opened(mixture())
    rows, editor = editor_of(panel).rows.rows, editor_of(panel)
    QTest.mouseClick(rows[3].lock, LEFT)
    type_into(rows[0].draft, "60")
    QTest.keyClick(rows[0].draft, Qt.Key.Key_Return)
    assert editor.draft.tenths == (600, 180, 120, 100)
    QTest.mouseClick(editor.even, LEFT)
    assert editor.draft.tenths == (300, 300, 300, 100)
    type_into(rows[0].draft, "lots")
    QTest.keyClick(rows[0].draft, Qt.Key.Key_Return)
    assert rows[0].draft.property("invalid") is True
    assert sum(editor.draft.tenths) == 1000


def test_that_the_rows_say_draft_was_and_ran(opened: Open) -> None:
    drawn = {"web": 0.68, "code": 0.12, "math": 0.12, "books": 0.08}
    model = ControlsModel(tail=lambda name, rows, since: ([1], [drawn[name.rsplit("/", 1)[-1]]]))
    panel, model, _ = opened(mixture(), model=model)
    changed = {"web": "0.7", "code": "0.1", "math": "0.1", "books": "0.1"}
    start = {"weights": {"weights": WEIGHTS}}
    apply(model, model.compose("set_mixture", {"weights": {"weights": changed}}), old=start)
    row = editor_of(panel).rows.rows[0]
    assert (row.draft.text(), row.was.text(), row.ran.text()) == ("70%", "was 70%", "ran 68%")
    card = panel.cards["set_mixture"]
    card.set_open(False)
    assert card.lines is not None
    assert card.lines.lines[0].text() == "70% · was 40% · ran 68%"


def test_that_many_components_can_be_searched(opened: Open) -> None:
    names = tuple(f"source{number}" for number in range(64))
    panel, _, sent = opened(mixture(names))
    rows = editor_of(panel).rows
    assert not rows.search.isHidden()
    QTest.keyClicks(rows.search, "source6")
    shown = [row.name.text() for row in rows.rows if not row.name.isHidden()]
    assert shown == ["source6", *(f"source6{digit}" for digit in range(4))]
    drag(editor_of(panel), 0, 0.03)
    QTest.mouseClick(panel.cards["set_mixture"].send, LEFT)
    assert len(sent[0].input["weights"]["weights"]) == 64
