"""Sounds: samples to 16-bit WAV."""

from __future__ import annotations

import io
import math
import wave
from array import array
from functools import partial
from typing import Any

from helm_sdk._media.dense import Dense, dense, numpy_or_none
from helm_sdk._media.prepared import Encoded, Prepared, Unfit, counted, file_bytes

_MOST_CHANNELS = 8
_FULL = 32767


def prepare_audio(value: Any, *, sample_rate: int | None = None, caption: str = "") -> Prepared:
    """Return a copy of a sound. Raises Unfit when its shape, type or rate is none of those taken."""
    message = {"caption": str(caption)} if caption else {}
    data = file_bytes(value)
    if data is not None:
        body = {**message, **_head(data)}
        return Prepared(len(data), lambda: Encoded([("wav", data)], body))
    if (
        isinstance(sample_rate, bool)
        or not isinstance(sample_rate, int)
        or not 1 <= sample_rate <= 10_000_000
    ):
        raise Unfit(f"sample_rate is a whole number of samples per second, not {sample_rate!r}")
    samples = dense(value)
    if not samples.floating and samples.code != "h":
        raise Unfit("its samples are neither float −1 to 1 nor int16")
    count, channels, planar = _layout(samples.shape)
    return Prepared(samples.size, partial(_encode, samples, count, channels, planar, sample_rate, message))


def _layout(shape: tuple[int, ...]) -> tuple[int, int, bool]:
    """(samples, channels, whether channel comes after channel)."""
    if len(shape) == 1 and shape[0] > 0:
        return shape[0], 1, False
    if len(shape) == 2 and min(shape) > 0:
        if shape[1] <= _MOST_CHANNELS:
            return shape[0], shape[1], False
        if shape[0] <= _MOST_CHANNELS:
            return shape[1], shape[0], True
    words = "×".join(map(str, shape)) or "that of a single number"
    raise Unfit(f"its shape is {words}, a sound has n, n×channels or channels×n, with at most 8 channels")


def _head(data: bytes) -> dict[str, Any]:
    try:
        with wave.open(io.BytesIO(data)) as sound:
            shape = [sound.getnframes(), sound.getnchannels()]
            return {"sample_rate": sound.getframerate(), "shape": shape}
    except (wave.Error, EOFError):
        raise Unfit("its bytes are no WAV file of whole numbers") from None


def _encode(
    samples: Dense, count: int, channels: int, planar: bool, rate: int, said: dict[str, Any]
) -> Encoded:
    values, odd, cut = _whole(samples)
    if planar and channels > 1:
        woven = array("h", bytes(2 * len(values)))
        for channel in range(channels):
            woven[channel::channels] = values[channel * count : (channel + 1) * count]
        values = woven
    stream = io.BytesIO()
    with wave.open(stream, "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(values.tobytes())
    notes = {}
    if odd:
        notes["odd"] = f"{counted(odd, 'sample')} NaN or infinite, and silent"
    if cut:
        notes["cut"] = f"{counted(cut, 'sample')} outside −1 to 1 and cut"
    body = {**said, "sample_rate": rate, "shape": [count, channels], **({"non_finite": odd} if odd else {})}
    return Encoded([("wav", stream.getvalue())], body, notes)


def _whole(samples: Dense) -> tuple[array[int], int, int]:
    """(16-bit samples, how many were not finite, how many were cut)."""
    if samples.code == "h":
        return array("h", samples.data()), 0, 0
    numpy = numpy_or_none()
    values = samples.numbers()
    if numpy is not None:
        finite = numpy.isfinite(values)
        odd = int(values.size - numpy.count_nonzero(finite))
        cut = int(numpy.count_nonzero(numpy.abs(values[finite]) > 1.001))
        kept = numpy.clip(numpy.where(finite, values, 0.0), -1.0, 1.0)
        return array("h", numpy.rint(kept * _FULL).astype("i2").tobytes()), odd, cut
    odd = sum(not math.isfinite(value) for value in values)
    cut = sum(1.001 < abs(value) < math.inf for value in values)
    silent = (value if math.isfinite(value) else 0.0 for value in values)
    return array("h", [round(min(max(value, -1.0), 1.0) * _FULL) for value in silent]), odd, cut
