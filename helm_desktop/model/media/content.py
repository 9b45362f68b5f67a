"""The content of a media file, decoded on a worker thread, so that views only have to paint it."""

from __future__ import annotations

import io
import json
import math
import wave
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_CHARACTERS = 200_000
COLUMNS = 2000  # of the envelope of a sound


@dataclass(frozen=True)
class UnreadableMedia:
    """A file that cannot be shown, and why, in one sentence."""

    sentence: str


@dataclass(frozen=True)
class TextContent:
    """A text, cut at MOST_CHARACTERS."""

    text: str
    markdown: bool
    cut: bool = False


@dataclass(frozen=True)
class ImageContent:
    """An image; `image` is a QImage that was made on a worker thread."""

    image: Any


@dataclass(frozen=True)
class TableContent:
    """A table of texts; `numeric` says for each column whether it has numbers only."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]


@dataclass(frozen=True)
class HistogramContent:
    """Counts between edges, and the number of values that were not finite."""

    counts: tuple[float, ...]
    edges: tuple[float, ...]
    nan: int = 0
    above: int = 0
    below: int = 0


@dataclass(frozen=True)
class AudioContent:
    """The envelope of a sound: least and greatest sample (−1 to 1) in up to COLUMNS equal parts."""

    sample_rate: int
    seconds: float
    low: NDArray[np.float32]  # channels × parts
    high: NDArray[np.float32]


Content = UnreadableMedia | TextContent | ImageContent | TableContent | HistogramContent | AudioContent


def text_of(data: bytes, markdown: bool) -> TextContent:
    """Return the text of a file."""
    text = data.decode("utf-8", "replace")
    return TextContent(text[:MOST_CHARACTERS], markdown, cut=len(text) > MOST_CHARACTERS)


def table_of(data: bytes) -> TableContent:
    """Return the cells of a table file. Raises ValueError or TypeError for another file."""
    plain = json.loads(data)
    columns = tuple(map(str, plain["columns"]))
    rows = tuple(tuple(map(_cell, row)) for row in plain["rows"])
    if any(len(row) != len(columns) for row in rows):
        raise ValueError("its rows differ in length")
    numeric = tuple(
        bool(plain["rows"]) and all(_is_number(row[place]) for row in plain["rows"])
        for place in range(len(columns))
    )
    return TableContent(columns, rows, numeric)


def histogram_of(data: bytes) -> HistogramContent:
    """Return the counts of a histogram file. Raises ValueError or TypeError for another file."""
    plain = json.loads(data)
    counts, edges = (tuple(map(float, plain[part])) for part in ("counts", "edges"))
    if not counts or len(edges) != len(counts) + 1 or not all(map(math.isfinite, counts + edges)):
        raise ValueError("its counts and edges do not fit together")
    non_finite = [int(plain.get(name, 0)) for name in ("nan", "above", "below")]
    return HistogramContent(counts, edges, *non_finite)


def sound_of(data: bytes) -> AudioContent:
    """Return the envelope of a WAV file with integer samples. Raises ValueError for another file."""
    try:
        with wave.open(io.BytesIO(data)) as sound:
            channels, width, rate = sound.getnchannels(), sound.getsampwidth(), sound.getframerate()
            raw = sound.readframes(sound.getnframes())
    except (wave.Error, EOFError) as error:
        raise ValueError(str(error)) from None
    count = len(raw) // (channels * width)
    if width not in (1, 2, 4) or not count or not rate:
        raise ValueError(f"it has {count} samples of {8 * width} bits")
    flat = np.frombuffer(raw[: count * channels * width], dtype=f"<{'u' if width == 1 else 'i'}{width}")
    samples = flat.reshape(count, channels).T
    parts = np.linspace(0, count, min(COLUMNS, count), endpoint=False).astype(np.int64)
    middle, full = (128.0, 128.0) if width == 1 else (0.0, float(1 << (8 * width - 1)))
    low = (np.minimum.reduceat(samples, parts, axis=1) - middle) / full
    high = (np.maximum.reduceat(samples, parts, axis=1) - middle) / full
    return AudioContent(rate, count / rate, low.astype(np.float32), high.astype(np.float32))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:.6g}"
    return json.dumps(value, ensure_ascii=False)


def _is_number(value: Any) -> bool:
    if value is None or value in ("NaN", "Infinity", "-Infinity"):
        return True
    return isinstance(value, int | float) and not isinstance(value, bool)
