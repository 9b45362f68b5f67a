"""Values in the words of a card."""

from typing import Any

import pytest

from helm_desktop.model.controls.labels import ended_text, value_text
from helm_sdk.protocol.kinds import number as number_of
from helm_sdk.protocol.kinds import parse, record_schema


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"lr": 1.5e-3}, "1.50e-3"),
        ({"scale": 0.5}, "scale 0.5"),
        ({"lr": 0.01, "mode": "hold"}, "0.01, hold"),
        ({"scale": 0.5, "mode": "hold"}, "scale 0.5, hold"),
    ],
)
def test_that_a_choice_is_named_unless_it_is_what_the_control_is_named_after(
    value: dict[str, Any], words: str
) -> None:
    schema = record_schema()
    schema["root"]["fields"] = [
        {"name": "lr", "type": number_of(0), "optional": True},
        {"name": "scale", "type": number_of(0), "optional": True},
        {"name": "mode", "type": {"kind": "enum", "values": ["rescale", "hold"]}, "optional": True},
    ]
    schema["root"]["one_of"] = ["lr", "scale"]
    assert value_text(parse(schema), value) == words


@pytest.mark.parametrize(
    ("state", "message", "words"),
    [
        ("cancelled", "cancelled by ada: too soon", "cancelled by ada: too soon"),
        ("rejected", "lr is -1, it must be more than 0", "rejected: lr is -1, it must be more than 0"),
        ("failed", "", "failed"),
    ],
)
def test_that_an_end_is_said_once(state: str, message: str, words: str) -> None:
    assert ended_text(state, message) == words
