"""PROTOCOL.md and the structs say the same."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

import helm_sdk.protocol
from helm_sdk.protocol import commands, messages, schema, wire
from helm_sdk.record.writer import ProcessWriter
from helpers.record_files import process_record

PAGE = (Path(helm_sdk.protocol.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
WORDS = set(re.findall(r"\w+", PAGE))
STRUCTS = [
    value
    for value in vars(messages).values()
    if isinstance(value, type) and issubclass(value, messages.Message) and value is not messages.Message
]
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
TABLES = {"published": messages.PUBLISHED, "request": messages.REQUESTS, "reply": messages.REPLIES}


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


def test_that_every_message_has_an_example() -> None:
    named = [name for _, name, _ in EXAMPLES]

    assert sorted(named) == sorted([*messages.PUBLISHED, *messages.REQUESTS, *messages.REPLIES])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example[1]))
def test_that_an_example_is_what_the_code_sends_and_reads(example: list[Any]) -> None:
    topic, name, body = example[0], example[1], _plain(example[2])
    table = next(table for table in TABLES.values() if name in table)
    read = {"published": wire.read_published, "request": wire.read_request, "reply": wire.read_reply}

    message = msgspec.convert(body, table[name], builtin_types=(bytes,))
    frames = wire.frames(topic, message)

    assert frames[:2] == [topic.encode(), name.encode()]
    assert wire.unpack(frames[2]) == body
    kind = next(kind for kind, own in TABLES.items() if own is table)
    assert read[kind](frames) == (topic, message)


def test_that_the_bytes_of_an_example_are_those_that_are_sent() -> None:
    shown = re.search(r"as it is sent:\n\n```\n(.*?)```", PAGE, re.DOTALL)
    attach = next(_plain(body) for _, name, body in EXAMPLES if name == "attach")

    assert shown is not None
    assert bytes.fromhex(shown[1]) == wire.pack(attach)


def test_that_the_tables_on_the_page_are_those_of_a_process_file(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    writer.close()
    with sqlite3.connect(writer.path) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        columns = {
            name: [(row[1], row[2]) for row in file.execute(f"PRAGMA table_info({name})")] for name in names
        }
        indexes = [row[0] for row in file.execute("SELECT name FROM sqlite_schema WHERE type = 'index'")]
        (application,) = file.execute("PRAGMA application_id").fetchone()
        (version,) = file.execute("PRAGMA user_version").fetchone()

    shown = re.findall(r"^Table `(\w+)`.*?\n\n(\| column .*?)\n\n", PAGE, re.DOTALL | re.MULTILINE)
    assert {name: _columns(table) for name, table in shown} == columns
    assert [name for name in indexes if not name.startswith("sqlite_") and f"`{name}`" not in PAGE] == []
    assert f"0x{application:X}" in PAGE
    assert f"is the version of its tables, now {version}." in PAGE


def _plain(value: Any) -> Any:
    """Return the value that an example stands for."""
    if isinstance(value, dict):
        return {_key(key): _plain(own) for key, own in value.items()}
    if isinstance(value, list):
        return [_plain(own) for own in value]
    if isinstance(value, str) and value.startswith("hex:"):
        return bytes.fromhex(value.removeprefix("hex:"))
    return value


def _key(text: str) -> str | int:
    return int(text.removeprefix("int:")) if text.startswith("int:") else text


def _columns(table: str) -> list[tuple[str, str]]:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    return [(row[0], row[1]) for row in rows]
