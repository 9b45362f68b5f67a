"""Any schema, any value, any hand: the form takes what the run takes, and sends what it shows."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from helm_desktop.views.controls.editor import ValueEditor, problem_of
from helm_desktop.views.controls.factory import make_editor
from helm_desktop.views.controls.fields import NumberEditor, TextEditor
from helm_desktop.views.controls.form import RecordForm
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.kinds import MISSING, Node, parse
from helpers.hands import anything
from helpers.schemas import ANY, SCHEMAS, Schema, exactly, fitting, same, takes

pytestmark = pytest.mark.usefixtures("theme")
quick = settings(
    max_examples=250,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
    ],
)


@pytest.fixture
def made(qapp: QApplication) -> Any:
    """Makes an editor, and takes it away after the test."""
    editors: list[ValueEditor] = []

    def make(node: Node) -> ValueEditor:
        while editors:
            editors.pop().deleteLater()
        editors.append(make_editor(node, "value"))
        editors[0].setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        editors[0].resize(360, 400)
        editors[0].show()
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


@quick
@given(SCHEMAS, st.integers(0, 2**32), st.integers(1, 12))
def test_that_whatever_a_hand_does_the_form_and_the_run_agree(
    made: Any, schema: Schema, seed: int, deeds: int
) -> None:
    node, draw = parse(schema), random.Random(seed)
    editor = made(node)
    editor.set_value(MISSING if draw.random() < 0.3 else fitting(node, draw, 0.0))
    for _ in range(deeds):
        anything(editor, draw)
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
        for part in again.findChildren(ValueEditor):
            part._forget()
        assert same(value, again.read()), "what is shown is what is sent"


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
