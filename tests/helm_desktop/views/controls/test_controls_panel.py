from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.model.controls import ControlsModel
from helm_desktop.theme import ThemeManager
from helm_desktop.views.controls import ControlsPanel
from helm_desktop.views.controls.card import ControlCard
from helm_desktop.views.controls.fields import (
    ChoiceEditor,
    DurationEditor,
    NumberEditor,
    SwitchEditor,
    TextEditor,
    seconds_in,
)
from helm_desktop.views.controls.form import FieldRow, RecordForm
from helm_desktop.views.controls.mixture_editor import MixtureEditor
from helm_desktop.views.controls.raw import RawEditor
from helm_desktop.views.controls.rows import ListEditor
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import Capability, Command, ControlState, Event
from helm_sdk.protocol.peer import RunState

SOURCES = ("web", "code", "math", "books")
WEIGHTS = {"web": "0.4", "code": "0.3", "math": "0.2", "books": "0.1"}
LEFT = Qt.MouseButton.LeftButton

Open = Callable[..., tuple[ControlsPanel, ControlsModel, list[Command]]]


def control(name: str, *fields: dict[str, Any], one_of: tuple[str, ...] = (), **more: Any) -> ControlState:
    unavailable = more.pop("unavailable", "")
    schema = k.record_schema(*fields, one_of=one_of)
    return ControlState(
        capability=Capability(name=name, input_schema=schema, **more), unavailable=unavailable
    )


def mixture(names: tuple[str, ...] = SOURCES, **more: Any) -> ControlState:
    weights = WEIGHTS if names == SOURCES else dict.fromkeys(names, "1")
    return control(
        "set_mixture",
        k.field("weights", k.mixture(names, "data/mix/{component}")),
        starting={"weights": {"weights": weights}},
        safe_points=("after_step",),
        **more,
    )


@pytest.fixture
def opened(qtbot: QtBot, theme: ThemeManager) -> Open:
    def make(*states: ControlState, model: ControlsModel | None = None) -> Any:
        model = model or ControlsModel()
        model.set_catalogue(states, "rank-0")
        panel = ControlsPanel(model)
        model.setParent(panel)
        qtbot.addWidget(panel)
        panel.resize(334, 900)
        panel.show()
        sent: list[Command] = []
        panel.send_requested.connect(sent.append)
        model.flush()
        return panel, model, sent

    return make


def form_row(card: ControlCard, name: str) -> FieldRow:
    card.set_open(True)
    assert isinstance(card.editor, RecordForm)
    return card.editor.rows[name]


def number_in(card: ControlCard, name: str) -> NumberEditor:
    editor = form_row(card, name).editor
    assert isinstance(editor, NumberEditor)
    return editor


def type_into(widget: QWidget, text: str) -> None:
    QTest.keyClick(widget, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(widget, Qt.Key.Key_Delete)
    QTest.keyClicks(widget, text)


def editor_of(panel: ControlsPanel) -> MixtureEditor:
    editor = panel.cards["set_mixture"].editor
    assert isinstance(editor, MixtureEditor)
    return editor


def drag(editor: MixtureEditor, divider: int, share: float) -> None:
    """Takes a divider with the mouse and moves it until its left part has this share."""
    bar = editor.draft_bar
    start = sum(bar.shares[:divider])
    QTest.mousePress(bar, LEFT, pos=QPoint(round(bar.divider_x(divider)), 10))
    QTest.mouseMove(bar, QPoint(round((start + share) * bar.width()), 10))
    QTest.mouseRelease(bar, LEFT, pos=QPoint(round((start + share) * bar.width()), 10))


def events(name: str, command_id: str, *states: tuple[str, dict[str, Any]], start: int = 1) -> list[Event]:
    return [
        Event(
            id=start + number,
            kind="command",
            time=1000.0 + start + number,
            step=140,
            body={"command_id": command_id, "capability": name, "state": state, **body},
        )
        for number, (state, body) in enumerate(states)
    ]


def apply(model: ControlsModel, command: Command, old: Any = None, start: int = 1) -> None:
    told = events(
        command.capability,
        command.id,
        ("received", {"input": command.input}),
        ("applied", {"new": command.input, "old": old, "safe_point": "after_step", "revision": 1}),
        start=start,
    )
    for event in told:
        model.take_event("rank-0", event)
    model.flush()


def test_that_nothing_is_preset(opened: Open) -> None:
    panel, model, _ = opened()
    assert not panel.cards
    assert not panel.empty.isHidden()
    model.set_catalogue([control("lr", k.field("lr", k.number(0)))], "rank-0")
    assert list(panel.cards) == ["lr"]
    assert panel.empty.isHidden()
    assert panel.where.text() == "1 declared by rank-0"


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
    again = [b for b in card.changes.findChildren(QPushButton) if b.text() == "Again"]
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
    assert not model.complaint("checkpoint", sent[0].input)


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
        model.take_event("rank-0", event)
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
        model.take_event("rank-0", event)
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
