"""Every other card: forms, buttons, history, decisions."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.views.controls.collection_editors import ListEditor
from helm_desktop.views.controls.fields import (
    ChoiceEditor,
    DurationEditor,
    SwitchEditor,
    TextEditor,
    seconds_in,
)
from helm_desktop.views.controls.form import RecordForm
from helm_desktop.views.controls.raw import RawEditor
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import Capability, ControlState
from helm_sdk.protocol.peer import RunState
from helpers.cards import (
    LEFT,
    Open,
    apply,
    control,
    events,
    form_row,
    mixture,
    number_in,
    opened,
    type_into,
)

__all__ = ["opened"]


def test_that_nothing_is_preset(opened: Open) -> None:
    panel, model, _ = opened()
    assert not panel.cards
    assert not panel.empty.isHidden()
    model.set_catalogue([control("lr", k.field("lr", k.number(0)))], "rank-0")
    assert list(panel.cards) == ["lr"]
    assert panel.empty.isHidden()
    assert panel.where.text() == "1 declared by rank-0"


def test_that_a_field_out_of_bounds_says_so_and_holds_send(opened: Open) -> None:
    clip = control("grad_clip", k.field("max_norm", k.number(0, exclusive=["min"]), default=None))
    panel, _, sent = opened(clip)
    card = panel.cards["grad_clip"]
    QTest.mouseClick(card.header, LEFT)
    assert card.is_open
    field = number_in(card, "max_norm").field
    type_into(field, "-0.5")
    complaint = form_row(card, "max_norm").complaint
    assert complaint.isVisible()
    assert complaint.text() == "max_norm is -0.5, it must be more than 0"
    assert not card.send.isEnabled()
    type_into(field, "0.50")
    assert complaint.isHidden()
    QTest.mouseClick(card.send, LEFT)
    assert sent[0].input == {"max_norm": 0.5}


def test_that_none_can_be_sent_where_the_schema_lets_it(opened: Open) -> None:
    clip = control("grad_clip", k.field("max_norm", k.number(0), default=None), starting={"max_norm": 1.0})
    panel, _, sent = opened(clip)
    card = panel.cards["grad_clip"]
    none = form_row(card, "max_norm").none
    assert none is not None
    QTest.mouseClick(none, LEFT)
    QTest.mouseClick(card.send, LEFT)
    assert sent[0].input == {"max_norm": None}


def test_that_exact_decimals_are_sent_as_typed(opened: Open) -> None:
    panel, _, sent = opened(control("lr", k.field("lr", k.number(0))))
    card = panel.cards["lr"]
    field = number_in(card, "lr").field
    for text, value in (("1.5e-3", 0.0015), ("0.1000000000000000055", "0.1000000000000000055"), ("3", 3)):
        type_into(field, text)
        assert field.text() == text
        QTest.mouseClick(card.send, LEFT)
        assert sent[-1].input == {"lr": value}


def test_that_one_of_two_fields_is_sent(opened: Open) -> None:
    fields = [k.field(name, k.number(0), optional=True) for name in ("lr", "scale")]
    mode = k.field("mode", k.enum_of(["rescale", "hold"]), default="rescale")
    panel, _, sent = opened(control("lr", *fields, mode, one_of=("lr", "scale"), starting={"lr": 3e-3}))
    card = panel.cards["lr"]
    assert number_in(card, "lr").field.text() == "0.003"
    assert isinstance(card.editor, RecordForm)
    assert card.editor.choice is not None
    QTest.mouseClick(card.editor.choice.button("scale"), LEFT)
    assert not card.send.isEnabled()
    QTest.keyClicks(number_in(card, "scale").field, "0.5")
    QTest.keyClicks(card.reason, "plateau")
    QTest.keyClick(card.reason, Qt.Key.Key_Return)
    assert sent[0].input == {"scale": 0.5}
    assert sent[0].reason == "plateau"
    assert card.reason.text() == ""


def test_that_typing_survives_a_live_update(opened: Open) -> None:
    panel, model, _ = opened(control("lr", k.field("lr", k.number(0)), starting={"lr": 0.003}))
    field = number_in(panel.cards["lr"], "lr").field
    type_into(field, "0.00")
    apply(model, model.compose("lr", {"lr": 0.001}))
    assert field.text() == "0.00"
    assert panel.cards["lr"].header.value.text() == "1.00e-3"


def test_that_the_previous_value_can_be_sent(opened: Open) -> None:
    panel, model, sent = opened(control("lr", k.field("lr", k.number(0)), starting={"lr": 0.003}))
    card = panel.cards["lr"]
    card.set_open(True)
    assert card.previous.isHidden()
    apply(model, model.compose("lr", {"lr": 0.001}), old={"lr": 0.003})
    QTest.mouseClick(card.previous, LEFT)
    assert sent[0].input == {"lr": 0.003}


def test_that_history_shows_each_change(opened: Open) -> None:
    panel, model, _ = opened(control("lr", k.field("lr", k.number(0)), starting={"lr": 0.003}))
    card = panel.cards["lr"]
    card.set_open(True)
    apply(model, model.compose("lr", {"lr": 0.001}))
    apply(model, model.compose("lr", {"lr": 0.002}), start=10)
    assert card.history.text() == "History 2"
    QTest.mouseClick(card.history, LEFT)
    again = [b for b in card.changes.findChildren(QPushButton) if b.text() == "Use this value"]
    QTest.mouseClick(again[1], LEFT)
    assert number_in(card, "lr").field.text() == "0.001"


def test_that_a_control_without_input_is_a_button(opened: Open) -> None:
    panel, model, sent = opened(control("checkpoint", button="Save now"))
    card = panel.cards["checkpoint"]
    assert card.header.button is not None
    assert card.header.button.text() == "Save now"
    assert card.line.text() == "Never run"
    QTest.mouseClick(card.header.button, LEFT)
    assert sent[0].capability == "checkpoint"
    assert sent[0].input == {}
    assert not model.problem_of("checkpoint", sent[0].input)


def test_that_a_button_without_a_schema_asks_for_nothing(opened: Open) -> None:
    panel, _, sent = opened(ControlState(capability=Capability(name="eval", button="Run")))
    card = panel.cards["eval"]
    button = card.header.button
    assert button is not None
    assert (button.text(), card.line.text()) == ("Run", "Never run")
    card.set_open(True)
    assert card.editor is None
    QTest.mouseClick(button, LEFT)
    assert sent[0].input == {}


def test_that_a_control_that_needs_nothing_keeps_its_button_beside_its_form(opened: Open) -> None:
    named = k.field("name", k.string(), optional=True)
    panel, _, sent = opened(control("checkpoint", named, button="Save now"))
    card = panel.cards["checkpoint"]
    button = card.header.button
    assert button is not None
    QTest.mouseClick(button, LEFT)
    editor = form_row(card, "name").editor
    assert isinstance(editor, TextEditor)
    QTest.keyClicks(editor.field, "best")
    QTest.mouseClick(button, LEFT)
    assert [command.input for command in sent] == [{}, {"name": "best"}]


def test_that_an_ended_run_keeps_its_words_and_takes_nothing(opened: Open) -> None:
    lr = control("lr", k.field("lr", k.number(0)), starting={"lr": 1}, reads="optim/lr/group0")
    panel, model, _ = opened(lr)
    model.set_stream_value("optim/lr/group0", 599, 2.74e-8)
    model.set_run_state(RunState.FINISHED)
    model.flush()
    card = panel.cards["lr"]
    assert card.line.text() == "Ran at 2.74e-8 at step 599"
    assert panel.where.text() == "1 declared by rank-0, the run has ended"
    card.set_open(True)
    assert not card.send.isEnabled()
    assert card.send.toolTip() == "the run has ended"


def test_that_an_unavailable_control_says_why(opened: Open) -> None:
    panel, _, sent = opened(
        control("pause", button="Pause", unavailable="rank 1 left at step 99"),
        control("lr", k.field("lr", k.number(0)), starting={"lr": 1}, unavailable="the run has ended"),
    )
    button = panel.cards["pause"].header.button
    assert button is not None
    assert not button.isEnabled()
    assert panel.cards["pause"].line.text() == "Unavailable: rank 1 left at step 99"
    card = panel.cards["lr"]
    card.set_open(True)
    assert not card.send.isEnabled()
    assert not sent


def test_that_every_kind_has_an_editor(opened: Open) -> None:
    fields = {
        "enabled": k.boolean(),
        "difficulty": k.number(0, 1),
        "order": k.enum_of(["a", "b", "c", "d", "e"]),
        "warm_up": k.duration(),
        "note": k.string(),
        "domains": k.list_of(k.string()),
        "limits": k.map_of(k.number(0)),
        "plan": k.schedule(0),
        "inner": k.record_of(k.field("depth", k.integer(0, 9))),
        "odd": {"kind": "hologram"},
    }
    value = {
        "enabled": True,
        "difficulty": "0.62",
        "order": "e",
        "warm_up": 900,
        "note": "short first",
        "domains": ["web", "code"],
        "limits": {"web": 3},
        "plan": {"points": [{"at": 10, "value": 0.5}, {"at": 20, "value": 0.25}]},
        "inner": {"depth": 4},
        "odd": {"x": [1]},
    }
    declared = control("all", *(k.field(name, node) for name, node in fields.items()), starting=value)
    panel, _, sent = opened(declared)
    card = panel.cards["all"]
    card.set_open(True)
    assert card.problem() == ""
    kinds = {
        name: type(form_row(card, name).editor) for name in ("enabled", "order", "warm_up", "domains", "odd")
    }
    assert list(kinds.values()) == [SwitchEditor, ChoiceEditor, DurationEditor, ListEditor, RawEditor]
    QTest.mouseClick(card.send, LEFT)
    assert sent[0].input == value


def test_that_rows_are_added_and_taken_out(opened: Open) -> None:
    declared = control(
        "set", k.field("domains", k.list_of(k.string(), min_length=1)), starting={"domains": ["web"]}
    )
    panel, _, _ = opened(declared)
    card = panel.cards["set"]
    editor = form_row(card, "domains").editor
    assert isinstance(editor, ListEditor)
    QTest.mouseClick(editor.add, LEFT)
    added = editor.rows[1].editors[0]
    assert isinstance(added, TextEditor)
    QTest.keyClicks(added.field, "code")
    assert card.value() == {"domains": ["web", "code"]}
    for _ in range(2):
        QTest.mouseClick(editor.rows[0].remove, LEFT)
    assert not card.send.isEnabled()
    assert form_row(card, "domains").complaint.text() == "domains has 0 entries, it must have 1 or more"


def test_that_an_optional_field_is_not_sent_untouched(opened: Open) -> None:
    declared = control(
        "checkpoint", k.field("name", k.string(), optional=True), k.field("pin", k.boolean(), default=False)
    )
    panel, _, sent = opened(declared)
    card = panel.cards["checkpoint"]
    switch = form_row(card, "pin").editor
    assert isinstance(switch, SwitchEditor)
    QTest.mouseClick(card.send, LEFT)
    QTest.mouseClick(switch.switch, LEFT)
    QTest.mouseClick(card.send, LEFT)
    assert [command.input for command in sent] == [{}, {"pin": True}]


def test_that_a_slider_follows_and_leads_its_field(opened: Open) -> None:
    panel, _, _ = opened(control("set", k.field("p", k.number(0, 1)), starting={"p": 0.5}))
    editor = number_in(panel.cards["set"], "p")
    assert editor.slider is not None
    assert editor.slider.value() == 500
    QTest.keyClick(editor.slider, Qt.Key.Key_End)
    assert editor.value() == 1
    type_into(editor.field, "0.25")
    assert editor.slider.value() == 250


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("15 min", 900), ("1 h 30 min", 5400), ("90", 90), ("1.5 h", 5400), ("250 ms", 0.25), ("soon", "soon")],
)
def test_that_durations_are_read_as_written(text: str, seconds: object) -> None:
    assert seconds_in(text) == seconds


def test_that_raw_json_is_checked(opened: Open) -> None:
    panel, _, sent = opened(control("odd", k.field("x", {"kind": "hologram"})))
    card = panel.cards["odd"]
    raw = form_row(card, "x").editor
    assert isinstance(raw, RawEditor)
    QTest.mouseClick(raw.button, LEFT)
    QTest.keyClicks(raw.text, "[1, ")
    assert not card.send.isEnabled()
    assert "no JSON" in form_row(card, "x").complaint.text()
    QTest.keyClicks(raw.text, "2]")
    QTest.mouseClick(card.send, LEFT)
    assert sent[0].input == {"x": [1, 2]}


def test_that_the_shell_command_is_copied(opened: Open) -> None:
    panel, model, _ = opened(control("lr", k.field("lr", k.number(0)), starting={"lr": 0.003}))
    model.run = "quickstart"
    card = panel.cards["lr"]
    card.set_open(True)
    QTest.mouseClick(card.copy, LEFT)
    assert QGuiApplication.clipboard().text() == "helmctl send quickstart lr '{\"lr\": 0.003}'"


def test_that_a_card_opens_by_key_and_has_a_name(opened: Open) -> None:
    panel, _, _ = opened(control("lr", k.field("lr", k.number(0))))
    card = panel.cards["lr"]
    QTest.keyClick(card.header, Qt.Key.Key_Return)
    assert card.is_open
    assert card.accessibleName() == "Control lr"
    assert card.header.accessibleName().startswith("lr")


def test_that_an_open_command_can_be_decided_on(opened: Open) -> None:
    lr = control("lr", k.field("lr", k.number(0)), requires_approval=True)
    panel, model, _ = opened(lr)
    card = panel.cards["lr"]
    assert not card.header.approval.isHidden()
    assert card.decisions.isHidden()
    for event in events("lr", "c1", ("received", {"input": {"lr": 1}}), ("awaiting approval", {})):
        model.apply_event("rank-0", event)
    model.flush()
    said: list[tuple[str, str, bool]] = []
    withdrawn: list[tuple[str, str]] = []
    panel.approval_requested.connect(lambda process, known, yes: said.append((process, known, yes)))
    panel.cancel_requested.connect(lambda process, known: withdrawn.append((process, known)))
    for button in (card.decisions.approve, card.decisions.refuse, card.decisions.cancel):
        QTest.mouseClick(button, LEFT)
    assert said == [("rank-0", "c1", True), ("rank-0", "c1", False)]
    assert withdrawn == [("rank-0", "c1")]
    for event in events("lr", "c1", ("cancelled", {}), start=9):
        model.apply_event("rank-0", event)
    model.flush()
    assert card.decisions.isHidden()
    assert card.track.steps[-1].text == "cancelled"


def test_that_tab_goes_through_the_form_from_top_to_bottom(opened: Open) -> None:
    fields = [k.field("lr", k.number(0)), k.field("note", k.string())]
    panel, _, _ = opened(control("lr", *fields, starting={"lr": 1, "note": ""}))
    card = panel.cards["lr"]
    card.set_open(True)
    panel.activateWindow()
    card.header.setFocus()
    note = form_row(card, "note").editor
    assert isinstance(note, TextEditor)
    wanted = [number_in(card, "lr").field, note.field, card.reason, card.send]
    seen = []
    for _ in wanted:
        card.header.window().focusNextChild()
        seen.append(panel.focusWidget())
    assert seen == wanted


def test_that_another_runs_controls_replace_these(opened: Open) -> None:
    panel, _, _ = opened(mixture(), control("lr", k.field("lr", k.number(0))))
    other = ControlsModel(panel)
    other.set_catalogue([control("eval", button="Run")], "rank-0")
    panel.set_model(other)
    assert list(panel.cards) == ["eval"]
