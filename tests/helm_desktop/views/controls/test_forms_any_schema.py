"""Any schema, any value, any hand: the form takes what the run takes, and sends what it shows."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from helm_desktop.views.controls.editor import Editor, problem_of
from helm_desktop.views.controls.factory import make_editor
from helm_desktop.views.controls.fields import (
    ChoiceEditor,
    DurationEditor,
    NumberEditor,
    SwitchEditor,
    TextEditor,
)
from helm_desktop.views.controls.form import RecordForm
from helm_desktop.views.controls.mixture_editor import MixtureEditor
from helm_desktop.views.controls.raw import RawEditor
from helm_desktop.views.controls.rows import RowsEditor
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.kinds import MISSING, InvalidValue, Node, check, parse

pytestmark = pytest.mark.usefixtures("theme")
quick = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
    ],
)
Schema = dict[str, Any]

BOUNDS = st.sampled_from([(None, None), (0, None), (None, 10), (0, 1), ("0.1", "0.9")])
NAMES = st.sampled_from(["web", "code", "lr", "max_len", "note", "a b"])
NUMBERS = (
    st.integers(-3, 12)
    | st.floats(-2, 12, allow_nan=False)
    | st.decimals(-1, 11, places=4).map(str)
    | st.sampled_from(
        ["0.10", "1e-3", "1.5E+1", "0.1000000000000000000000000001", "007", "+3", ".5", "nan", ""]
    )
)
TEXTS = st.sampled_from(["", "short documents first", "0.5", "ü – ∞", "None", " blank "]) | st.text(
    max_size=6
)
ANY = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)


def _number(bounds: tuple[Any, Any], type: str, scale: str) -> Schema:
    return k.number(*bounds, type=type, scale=scale if bounds[0] not in (None, 0) else "")


CHOICES: list[list[Any]] = [
    ["a", "b"],
    [1, 2, 3],
    [True, False],
    [0.1, "0.1"],
    list("abcdefg"),
    ["x" * 30, "y"],
]
LEAVES = st.one_of(
    st.builds(_number, BOUNDS, st.sampled_from(["number", "integer"]), st.sampled_from(["", "log"])),
    st.just(k.string()),
    st.just(k.boolean()),
    st.sampled_from(CHOICES).map(lambda values: k.enum_of(values)),
    st.just(k.duration(0, 86_400)),
    st.sampled_from([k.schedule(0, axis="step"), k.schedule(None, 1, axis="tokens")]),
    st.just(k.mixture(["web", "code", "math"])),
    st.just(k.tensors(["after_step"], ["mean", "norm"])),
    st.sampled_from([{"kind": "opaque"}, {"kind": "hologram"}]),
)


def _record(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    def part(name: str, type: Schema, optional: bool, none: bool) -> Schema:
        if none:
            return k.field(name, type, optional=optional, default=None)
        return k.field(name, type, optional=optional)

    field = st.builds(part, NAMES, inner, st.booleans(), st.integers(0, 4).map(lambda number: number == 0))
    fields = st.lists(field, max_size=4, unique_by=lambda part: str(part["name"]))

    def made(parts: list[Schema], choose: bool) -> Schema:
        free = [part["name"] for part in parts if part.get("optional")]
        return k.record_of(*parts, one_of=free if choose and len(free) > 1 else ())

    return st.builds(made, fields, st.booleans())


SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        _record(inner),
        st.builds(k.list_of, inner, st.integers(0, 1), st.sampled_from([None, 3])),
        st.builds(k.map_of, inner, st.sampled_from(["", "[a-z]+"])),
    ),
    max_leaves=5,
).map(k.schema)


def fitting(node: Node, draw: random.Random, wrong: float) -> Any:
    """A value of a kind; each part of it is wrong once in a while."""
    if draw.random() < wrong:
        return draw.choice([None, True, "x", -5, 1e9, [], {}, "nan", [1], {"web": 1}])
    match node:
        case k.Scalar(type="boolean"):
            return draw.random() < 0.5
        case k.Scalar(type="string"):
            return draw.choice(["", "note", "0.50", "two\nlines"])
        case k.Scalar(type="integer"):
            return draw.choice([0, 1, "1", "1.0", 1.0, 5])
        case k.Scalar():
            return draw.choice([0.5, "0.50", "0.3000000000000000000001", "5e-1", 0.25, 1])
        case k.Enum():
            return draw.choice(node.values)
        case k.Duration():
            return draw.choice([0, 90, "90", 5400, "0.25", 1.5, "1e3", 86_400])
        case k.Schedule():
            at = sorted(draw.sample(range(50), draw.randint(1, 3)))
            values = ["0.10", 0.5, 1, "1e-5"]
            return {"points": [{"at": step, "value": draw.choice(values)} for step in at]}
        case k.Mixture():
            return {"weights": {name: draw.choice(["0.3333", 0.2, 1, "7e-2"]) for name in node.components}}
        case k.Tensors():
            return {"tensors": ["*.weight"], "stage": "after_step", "take": [draw.choice(["mean", "norm"])]}
        case k.ListOf():
            return [fitting(node.item, draw, wrong) for _ in range(draw.randint(0, 3))]
        case k.MapOf():
            names = draw.sample(["web", "code", "B"], draw.randint(0, 2))
            return {name: fitting(node.value, draw, wrong) for name in names}
        case k.Record():
            chosen = draw.choice(node.one_of) if node.one_of else ""
            kept = [
                part
                for part in node.fields
                if part.name == chosen
                or (part.name not in node.one_of and (not part.optional or draw.random() < 0.6))
            ]
            return {
                part.name: None if part.nullable and draw.random() < 0.3 else fitting(part.type, draw, wrong)
                for part in kept
            }
        case _:
            return draw.choice([None, 3, "0.10", {"a": [1, "x"]}])


def takes(node: Node, value: Any) -> bool:
    """Whether the run would take it."""
    try:
        check(node, value)
    except InvalidValue:
        return False
    return True


def exactly(value: Any) -> str:
    """The value as it goes over the wire, decimal strings and all."""
    return json.dumps(value, sort_keys=True)


@pytest.fixture
def made(qapp: QApplication) -> Any:
    """Makes an editor, and takes it away after the test."""
    editors: list[Editor] = []

    def make(node: Node) -> Editor:
        while editors:
            editors.pop().deleteLater()
        editors.append(make_editor(node, "value"))
        return editors[0]

    yield make
    for editor in editors:
        editor.deleteLater()


@quick
@given(SCHEMAS, st.integers(0, 2**32), st.sampled_from([0.0, 0.0, 0.15]))
def test_that_a_value_comes_out_of_a_form_as_it_went_in(
    made: Any, schema: Schema, seed: int, wrong: float
) -> None:
    node = parse(schema)
    value = fitting(node, random.Random(seed), wrong)
    editor = made(node)
    editor.set_value(value)
    if takes(node, value):
        assert problem_of(editor, node) == ""
        assert exactly(editor.value()) == exactly(value)
    else:
        assert problem_of(editor, node), "what the run refuses cannot be sent"


@quick
@given(SCHEMAS, ANY)
def test_that_a_form_survives_any_json(made: Any, schema: Schema, value: Any) -> None:
    node = parse(schema)
    editor = made(node)
    editor.set_value(value)
    assert (problem_of(editor, node) == "") == takes(node, editor.value())


def hands(editor: Editor, draw: random.Random) -> None:
    """One thing that a hand can do to an editor or a part of it."""
    match editor:
        case NumberEditor() | DurationEditor():
            text = draw.choice(
                ["0.50", "3", "-1", "x", "", "1e-400", "1 h 30 min", "0.1000000000000000000001"]
            )
            editor.field.setText(text)
            editor.field.typed.emit(text)
        case TextEditor():
            editor.field.setText(draw.choice(["", "note", " two "]))
            editor.field.textEdited.emit(editor.field.text())
        case SwitchEditor():
            editor.switch.click()
        case ChoiceEditor(segments=segments) if segments is not None:
            draw.choice(segments.findChildren(type(segments.button(segments._values[0])))).click()
        case ChoiceEditor(combo=combo) if combo is not None:
            combo.setCurrentIndex(draw.randrange(combo.count()))
            combo.activated.emit(combo.currentIndex())
        case MixtureEditor():
            editor.draft_bar.dragged.emit(0, draw.random())
        case RawEditor():
            editor.text.setPlainText(draw.choice(["", "{", '{"a": 1}', "NaN", "[" * 3000]))
        case RecordForm():
            _form(editor, draw)
        case RowsEditor():
            if not editor.rows or draw.random() < 0.4:
                editor.add.click()
            elif draw.random() < 0.2:
                draw.choice(editor.rows).remove.click()
            else:
                hands(draw.choice(draw.choice(editor.rows).editors), draw)


def _form(form: RecordForm, draw: random.Random) -> None:
    if form.choice is not None and draw.random() < 0.3:
        form.choice.button(draw.choice(form.choice._values)).click()
    elif form.rows:
        row = draw.choice(list(form.rows.values()))
        if row.none is not None and draw.random() < 0.4:
            row.none.click()
        elif row.none is None or not row.none.isChecked():
            hands(row.editor, draw)


@quick
@given(SCHEMAS, st.integers(0, 2**32), st.integers(1, 12))
def test_that_whatever_a_hand_does_the_form_and_the_run_agree(
    made: Any, schema: Schema, seed: int, deeds: int
) -> None:
    node, draw = parse(schema), random.Random(seed)
    editor = made(node)
    editor.set_value(MISSING if draw.random() < 0.3 else fitting(node, draw, 0.0))
    for _ in range(deeds):
        hands(editor, draw)
    said = editor.problem()
    value = editor.value()
    sendable = problem_of(editor, node) == ""
    assert sendable == (not said and value is not MISSING and takes(node, value))
    if isinstance(editor, RecordForm):
        assert (editor.validate() == "") == sendable
    if sendable:
        assert exactly(value) == exactly(json.loads(json.dumps(value)))
        again = made(node)
        again.set_value(value)
        again._forget()
        for part in again.findChildren(Editor):
            part._forget()
        assert _same(value, again.read()), "what is shown is what is sent"


def _same(one: Any, other: Any) -> bool:
    """Equal as the run reads it: "0.50" and 0.5 are one number, no field and an empty text are one."""
    if isinstance(one, dict) and isinstance(other, dict):
        if set(one) == set(other) == {"weights"}:
            return bool(_shares(one["weights"]) == pytest.approx(_shares(other["weights"]), abs=1.1e-3))
        return all(_same(one.get(name, ""), other.get(name, "")) for name in one.keys() | other.keys())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    try:
        return k.decimal_of(one, "") == k.decimal_of(other, "")
    except InvalidValue:
        return bool(one == other)


def _shares(weights: Any) -> Any:
    """A mixture is shown in tenths of a percent, until a hand changes it."""
    if not isinstance(weights, dict):
        return weights
    total = sum(float(weight) for weight in weights.values())
    return {name: float(weight) / total for name, weight in weights.items()}


def test_that_decimal_strings_are_sent_as_they_were_given(made: Any) -> None:
    node = parse(k.record_schema(k.field("lr", k.number(0)), k.field("note", k.string(), optional=True)))
    editor = made(node)
    assert isinstance(editor, RecordForm)
    editor.set_value({"lr": "0.10", "note": "x"})
    field = editor.rows["note"].editor
    assert isinstance(field, TextEditor)
    field.field.setText("y")
    field.field.textEdited.emit("y")
    assert editor.value() == {"lr": "0.10", "note": "y"}
    number = editor.rows["lr"].editor
    assert isinstance(number, NumberEditor)
    number.field.setText("0.1000000000000000000001")
    number.field.typed.emit("")
    assert editor.value()["lr"] == "0.1000000000000000000001"
