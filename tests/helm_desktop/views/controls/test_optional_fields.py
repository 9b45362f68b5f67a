"""What a form shows of fields that need not be sent is what is sent of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from helm_desktop.views.controls.collection_editors import CollectionEditor
from helm_desktop.views.controls.factory import make_editor
from helm_desktop.views.controls.fields import ChoiceEditor, SwitchEditor
from helm_desktop.views.controls.form import RecordForm
from helm_sdk.protocol import kinds as k
from helpers.hands import choose, click, fill_in

pytestmark = pytest.mark.usefixtures("theme")
Make = Callable[..., RecordForm]


@pytest.fixture
def form(qapp: QApplication) -> Iterator[Make]:
    made: list[RecordForm] = []

    def make(*fields: dict[str, Any], one_of: tuple[str, ...] = ()) -> RecordForm:
        node = k.parse(k.record_schema(*fields, one_of=one_of))
        editor = make_editor(node, "value")
        assert isinstance(editor, RecordForm)
        editor.set_value(k.MISSING)
        editor.resize(360, 400)
        editor.show()
        made.append(editor)
        return editor

    yield make
    for editor in made:
        editor.close()
        editor.deleteLater()


def test_that_a_switch_without_a_default_says_that_it_is_left_out(form: Make) -> None:
    own = form(k.field("fast", k.boolean(), optional=True))
    row = own.rows["fast"]
    assert isinstance(row.editor, SwitchEditor)
    assert row.left_out is not None
    assert row.left_out.isChecked()
    assert own.value() == {}
    click(row.editor.switch)
    assert not row.left_out.isChecked()
    assert own.value() == {"fast": True}
    click(row.left_out)
    assert own.value() == {}
    click(row.left_out)
    assert own.value() == {"fast": True}


def test_that_a_choice_and_rows_can_be_left_out_again(form: Make) -> None:
    own = form(
        k.field("order", k.enum_of(["a", "b"]), optional=True),
        k.field("domains", k.list_of(k.string()), optional=True),
    )
    order, domains = own.rows["order"], own.rows["domains"]
    assert isinstance(order.editor, ChoiceEditor)
    assert isinstance(domains.editor, CollectionEditor)
    choose(order.editor, 1)
    fill_in(domains.editor, domains.part.type, ["web"])
    assert own.value() == {"order": "b", "domains": ["web"]}
    for row in (order, domains):
        assert row.left_out is not None
        click(row.left_out)
    assert own.value() == {}
    assert own.validate() == ""


def test_that_only_what_cannot_stand_empty_has_the_button(form: Make) -> None:
    own = form(
        k.field("lr", k.number(), optional=True),
        k.field("note", k.string(), optional=True),
        k.field("for", k.duration(), optional=True),
        k.field("pin", k.boolean(), default=False),
        k.field("must", k.boolean()),
        k.field("odd", {"kind": "hologram"}, optional=True),
    )
    assert [row.left_out for row in own.rows.values()] == [None] * 6


def test_that_the_chosen_one_of_several_is_sent_though_it_is_empty_text(form: Make) -> None:
    parts = [k.field(name, k.string(), optional=True) for name in ("tag", "branch")]
    own = form(*parts, one_of=("tag", "branch"))
    assert "one of tag, branch is needed" in own.validate()
    fill_in(own.rows["tag"].editor, own.rows["tag"].part.type, "")
    assert own.value() == {"tag": ""}
    assert own.validate() == ""
