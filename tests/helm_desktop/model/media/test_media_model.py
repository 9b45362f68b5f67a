"""Media values by name and step, and what their files say."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from helm_desktop.model.media.content import histogram_of, sound_of, table_of, text_of
from helm_desktop.model.media.media_model import MediaModel
from helm_sdk.protocol.messages import Event


def event(number: int, name: Any, step: int | None, time: float = 0.0, **body: Any) -> Event:
    """An event of kind "media"."""
    said = {"name": name, "type": "text", "file": f"media/{number}.txt", **body}
    return Event(id=number, kind="media", time=time or float(number), step=step, body=said)


def test_that_values_stand_by_step_whatever_their_order(qapp: object) -> None:
    model = MediaModel()
    for number, (name, step) in enumerate([("b", 5), ("a", 1), ("b", 2), ("b", 5), ("b", None)]):
        model.add("rank-0", 1, event(number, name, step))
    assert model.names == ["b", "a"]
    assert [(item.step, item.file) for item in model.items("b")] == [
        (0, "media/4.txt"),
        (2, "media/2.txt"),
        (5, "media/0.txt"),
        (5, "media/3.txt"),
    ]
    assert [model.last_at("b", step) for step in (-1, 1, 2, 4, 5, 99)] == [0, 0, 1, 1, 3, 3]
    assert model.items("nothing") == []
    assert [model.index_of(item) for item in model.items("b")] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "body", [{"name": 3}, {"type": "hologram"}, {"file": ""}, {"file": None}, {"file": 3}, {"name": None}]
)
def test_that_an_event_that_says_too_little_is_left_out(qapp: object, body: dict[str, Any]) -> None:
    model = MediaModel()
    model.add("rank-0", 1, event(1, "a", 1, **body) if "name" not in body else event(1, body["name"], 1))
    assert model.names == []


def test_that_cells_are_text_and_columns_of_numbers_are_known() -> None:
    rows = [["x", 1, "NaN", None, [1]], ["y", 2.5, 3, True, {"a": 1}]]
    table = table_of(json.dumps({"columns": list("abcde"), "rows": rows}).encode())
    assert table.rows == (("x", "1", "NaN", "", "[1]"), ("y", "2.5", "3", "true", '{"a": 1}'))
    assert table.numeric == (False, True, True, False, False)


@pytest.mark.parametrize(
    "plain",
    [
        [],
        {"columns": 3, "rows": []},
        {"columns": ["a"], "rows": [[1, 2]]},
        {"columns": ["a"]},
        {"columns": ["a"], "rows": [3]},
    ],
)
def test_that_what_is_no_table_raises(plain: Any) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        table_of(json.dumps(plain).encode())


@pytest.mark.parametrize(
    "plain",
    [
        {"counts": [], "edges": [0]},
        {"counts": [1], "edges": [0]},
        {"counts": [1], "edges": [0, float("inf")]},
    ],
)
def test_that_what_is_no_histogram_raises(plain: Any) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        histogram_of(json.dumps(plain).encode())


def wav(samples: bytes, *, channels: int = 1, width: int = 2, rate: int = 8000) -> bytes:
    """A WAV file by hand."""
    form = struct.pack("<HHIIHH", 1, channels, rate, rate * channels * width, channels * width, 8 * width)
    body = (
        b"WAVEfmt "
        + struct.pack("<I", len(form))
        + form
        + b"data"
        + struct.pack("<I", len(samples))
        + samples
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


def test_that_the_envelope_of_a_sound_has_its_extremes() -> None:
    samples = np.zeros((100_000, 2), "<i2")
    samples[77_777, 0], samples[3, 1] = 32767, -32768
    sound = sound_of(wav(samples.tobytes(), channels=2))
    assert (sound.sample_rate, sound.seconds, sound.high.shape) == (8000, 12.5, (2, 2000))
    assert (sound.high[0].max(), sound.low[1].min()) == (pytest.approx(1, abs=1e-4), -1)
    assert sound.low[0].min() == sound.high[1].max() == 0
    assert sound_of(wav(bytes([0, 255]), width=1)).low.tolist() == [[-1.0, pytest.approx(127 / 128)]]


@pytest.mark.parametrize("data", [b"", b"RIFF", wav(b""), wav(b"\0" * 6, width=3)])
def test_that_what_is_no_sound_raises(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        sound_of(data)


def test_that_a_long_text_is_cut() -> None:
    assert text_of(b"a" * 300_000, False).cut
    assert len(text_of("ä".encode() * 300_000, False).text) == 200_000
    assert text_of(b"\xff ok", True).text == "� ok"
