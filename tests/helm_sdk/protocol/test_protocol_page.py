"""PROTOCOL.md and the structs say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import helm_sdk.protocol
from helm_sdk.protocol import commands, messages, schema, wire

PAGE = (Path(helm_sdk.protocol.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
WORDS = set(re.findall(r"\w+", PAGE))
STRUCTS = [
    value
    for value in vars(messages).values()
    if isinstance(value, type) and issubclass(value, messages.Message) and value is not messages.Message
]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_that_every_field_of_every_message_is_on_the_page(struct: type[messages.Message]) -> None:
    assert [name for name in struct.__struct_fields__ if name not in WORDS] == []
    assert struct.__name__ in WORDS or f"`{messages.TYPE_NAMES[struct]}`" in PAGE


def test_that_every_type_state_and_kind_of_input_is_on_the_page() -> None:
    names = [*messages.PUBLISHED, *messages.REQUESTS, *messages.REPLIES, *schema._PARSERS]

    assert [name for name in names if name not in WORDS] == []
    assert [state for state in commands.STATES if state not in PAGE] == []


def test_that_the_limits_on_the_page_are_those_of_the_code() -> None:
    assert f"nesting ≤ {wire.MAX_DEPTH} levels" in PAGE
    assert f"any body ≤ {wire.MAX_BODY_BYTES >> 20} MB" in PAGE
    assert f"a published batch ≤ {wire.MAX_BATCH_BYTES >> 10} KB" in PAGE
    assert f"≤ {wire.MAX_ITEMS:,} entries" in PAGE
    assert f"a text ≤ {wire.MAX_TEXT_BYTES >> 20} MB" in PAGE
    assert PAGE.startswith(f"# Helm protocol, version {messages.PROTOCOL_VERSION}\n")
