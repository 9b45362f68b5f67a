"""Cards in a panel: declared as a run does, opened as a window does, worked as a hand does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.theme import ThemeManager
from helm_desktop.views.controls import ControlsPanel
from helm_desktop.views.controls.card import ControlCard
from helm_desktop.views.controls.fields import (
    NumberEditor,
)
from helm_desktop.views.controls.form import FieldRow, RecordForm
from helm_desktop.views.controls.mixture_editor import MixtureEditor
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import Capability, Command, ControlState, Event

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
        panel.send_requested.connect(model.on_sent)  # as the sender of commands does
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
        model.apply_event("rank-0", event)
    model.flush()
