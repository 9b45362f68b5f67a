"""A card for any schema, worked by keys and mouse: Send is offered for exactly what the run takes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.views.controls.card import ControlCard
from helm_desktop.views.controls.mixture_editor import MixtureEditor
from helm_sdk._controls.applier import problem_of
from helm_sdk._controls.registry import ControlRegistry
from helm_sdk.protocol import wire
from helm_sdk.protocol.errors import WireError
from helm_sdk.protocol.kinds import MISSING, Node, check, fill_defaults, parse
from helm_sdk.protocol.messages import Capability, Command, ControlState, SendCommand
from helpers.hands import anything, click, fill_in
from helpers.schemas import SCHEMAS, Schema, exactly, fitting, same, takes

pytestmark = pytest.mark.usefixtures("theme")
by_hand = settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
    ],
)


class Bench:
    """A card of the app, and the control of the run that it is for."""

    def __init__(self, schema: Schema, starting: Any) -> None:
        capability = Capability(name="value", input_schema=schema, starting=starting)
        self.model, self.controls = ControlsModel(), ControlRegistry()
        self.run = self.controls.declare(capability, lambda value, context: None)
        self.model.set_catalogue([ControlState(capability=capability)], "rank-0")
        self.model.flush()
        self.card = ControlCard(self.model, "value")
        self.sent: list[Command] = []
        self.card.send_requested.connect(self.sent.append)
        self.card.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.card.resize(360, 900)
        self.card.show()
        if self.card.header.button is None:
            self.card.set_open(True)

    @property
    def button(self) -> QPushButton:
        """What sends it."""
        return self.card.header.button or self.card.send

    @property
    def drafts_nothing(self) -> bool:
        """A mixture that is as the run has it is not sent again."""
        editor = self.card.editor
        return isinstance(editor, MixtureEditor) and not editor.draft.changed

    def run_says(self, value: Any) -> str:
        """What the run answers to this input, after its way over the wire."""
        asked = SendCommand(request="r", process="", command=self.model.compose("value", value))
        try:
            command = wire.decode(wire.encode(asked), SendCommand).command
        except WireError as error:
            return str(error)
        assert exactly(command.input) == exactly(value)
        return problem_of(self.run, command, "rank-0")

    def close(self) -> None:
        """Take it away."""
        self.card.close()
        self.card.deleteLater()
        self.model.deleteLater()


@pytest.fixture
def bench(qapp: QApplication) -> Iterator[Callable[..., Bench]]:
    """Makes a bench in place of the one before."""
    made: list[Bench] = []

    def make(schema: Schema, starting: Any = None) -> Bench:
        while made:
            made.pop().close()
        made.append(Bench(schema, starting))
        return made[0]

    yield make
    for one in made:
        one.close()


@by_hand
@given(SCHEMAS, st.integers(0, 2**32), st.integers(0, 12))
def test_that_send_is_offered_for_exactly_what_the_run_takes(
    bench: Callable[..., Bench], schema: Schema, seed: int, deeds: int
) -> None:
    node, draw = parse(schema), random.Random(seed)
    starting = fitting(node, draw, 0.0) if draw.random() < 0.6 else None
    own = bench(schema, starting)
    card = own.card
    if card.editor is not None:
        for _ in range(deeds):
            anything(card.editor, draw)
    written = card.editor.problem() if card.editor is not None else ""
    if card.editor is not None and card.editor.value() is MISSING:
        written = written or "empty"
    value = card.value()
    taken = not written and not own.run_says(value) and not own.drafts_nothing
    assert own.button.isEnabled() == taken, (card.problem(), own.run_says(value), value)
    assert bool(card.problem()) == bool(written or own.run_says(value)), "what is wrong is said"
    click(own.button)
    assert len(own.sent) == int(taken)
    if taken:
        assert exactly(own.sent[0].input) == exactly(value)


def reachable(node: Node, draw: random.Random) -> Any:
    """A value that the run takes, of texts that keys can write."""
    for _ in range(50):
        value = fitting(node, draw, 0.0)
        if takes(node, value) and "\n" not in exactly(value).replace("\\n", "\n"):
            return value
    return None


@by_hand
@given(SCHEMAS, st.integers(0, 2**32))
def test_that_whatever_the_run_takes_a_hand_can_send(
    bench: Callable[..., Bench], schema: Schema, seed: int
) -> None:
    node = parse(schema)
    value = reachable(node, random.Random(seed))
    if value is None:
        return
    own = bench(schema)
    card = own.card
    if card.editor is None:
        click(own.button)
        assert own.sent[0].input == {}
        return
    inner, kind = value, node
    control = own.model.control("value")
    if control is not None and control.mixture is not None and control.mixture[0]:
        filled = fill_defaults(node, value)  # nothing at all stands for the default
        inner, kind = filled[control.mixture[0]], control.mixture[1]
    fill_in(card.editor, kind, inner)
    assert card.problem() == ""
    if own.drafts_nothing:  # it asks for what an empty draft has already
        return
    click(own.button)
    assert len(own.sent) == 1
    check(node, own.sent[0].input)
    sent = own.sent[0].input
    assert same(fill_defaults(node, value), fill_defaults(node, sent)), (value, sent)
