"""What is wrong is said once, beside the field, in words that help; an untouched form is not scolded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.views.controls.card import ControlCard
from helm_desktop.views.controls.fields import DurationEditor, NumberEditor
from helm_desktop.views.controls.form import RecordForm
from helm_desktop.views.controls.mixture_editor import MixtureEditor
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import Capability, ControlState
from helpers.hands import click, write

pytestmark = pytest.mark.usefixtures("theme")
Make = Callable[..., ControlCard]


@pytest.fixture
def card(qapp: QApplication) -> Iterator[Make]:
    made: list[ControlCard] = []

    def make(*fields: dict[str, Any], starting: Any = None, width: int = 306) -> ControlCard:
        model = ControlsModel()
        capability = Capability(name="set", input_schema=k.record_schema(*fields), starting=starting)
        model.set_catalogue([ControlState(capability=capability)], "rank-0")
        model.flush()
        own = ControlCard(model, "set")
        model.setParent(own)
        own.set_open(True)
        own.resize(width, 700)
        own.show()
        QApplication.processEvents()
        made.append(own)
        return own

    yield make
    for own in made:
        own.close()
        own.deleteLater()


def said(card: ControlCard) -> list[str]:
    """Every complaint in sight."""
    looks = [label for label in card.findChildren(QLabel) if label.property("look") == "bad"]
    return [label.text() for label in looks if label.isVisible() and label.text()]


def form_of(card: ControlCard) -> RecordForm:
    assert isinstance(card.editor, RecordForm)
    return card.editor


def test_that_what_is_missing_is_said_quietly_until_a_hand_was_there(card: Make) -> None:
    own = card(k.field("lr", k.number(0)), k.field("domains", k.list_of(k.string(), min_length=1)))
    assert said(own) == []
    assert own.complaint.isVisible()
    assert own.complaint.text() == "lr is missing"
    editor = form_of(own).rows["lr"].editor
    assert isinstance(editor, NumberEditor)
    write(editor.field, "-1")
    assert said(own) == ["lr is -1, it must be 0 or more"]


def test_that_a_nested_field_complains_once(card: Make) -> None:
    inner = k.record_of(k.field("depth", k.record_of(k.field("rate", k.number(0, 1)))))
    own = card(k.field("stage", inner))
    stage = form_of(own).rows["stage"].editor
    assert isinstance(stage, RecordForm)
    depth = stage.rows["depth"].editor
    assert isinstance(depth, RecordForm)
    rate = depth.rows["rate"].editor
    assert isinstance(rate, NumberEditor)
    write(rate.field, "3")
    assert said(own) == ["rate is 3, it must be 1 or less"]
    write(rate.field, "0.5")
    assert said(own) == []
    assert own.send.isEnabled()


def test_that_a_time_span_that_is_none_is_told_how_one_is_written(card: Make) -> None:
    own = card(k.field("warm_up", k.duration(60)))
    editor = form_of(own).rows["warm_up"].editor
    assert isinstance(editor, DurationEditor)
    write(editor.field, "soon")
    assert said(own) == ['warm_up is "soon", it must be a time such as 90 s or 1 h 30 min']
    write(editor.field, "5 s")
    assert said(own) == ["warm_up is 5, it must be 60 or more"]


def mixture(card: Make, *names: str, width: int = 306) -> tuple[ControlCard, MixtureEditor]:
    weights = {"weights": {"weights": dict.fromkeys(names, 1)}}
    own = card(k.field("weights", k.mixture(names)), starting=weights, width=width)
    assert isinstance(own.editor, MixtureEditor)
    return own, own.editor


def test_that_a_percentage_over_a_hundred_is_said_and_holds_send(card: Make) -> None:
    own, editor = mixture(card, "web", "code")
    click(editor.even)
    field = editor.rows.rows[0].draft
    for text, words in (("120", "120"), ("x", "x")):
        write(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert said(own) == [f"web is {words}, it must be a percentage from 0 to 100"]
        assert not own.send.isEnabled()
    write(field, "75")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert said(own) == []
    assert own.send.isEnabled()
    assert editor.draft.tenths == (750, 250)


def test_that_names_are_readable_in_a_narrow_dock(card: Make) -> None:
    names = [f"source-data-{place:02}" for place in range(14)]
    own, editor = mixture(card, *names)
    assert not any(row.name.elided for row in editor.rows.rows)
    assert [head.isVisible() for head in editor.rows.heads] == [True] * 3
    assert editor.rows.rows[0].was.text() == "7.1%"
    own.resize(520, 700)
    QApplication.processEvents()
    assert not any(head.isVisible() for head in editor.rows.heads)
    assert editor.rows.rows[0].was.text() == "was 7.1%"
