"""Sounds come back sample by sample through the standard library's WAV reader."""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import helm_sdk
from helm_sdk._media import audio, dense
from helpers.media import kept, one

Start = Callable[..., helm_sdk.Run]
RNG = np.random.default_rng(7)


def samples(path: Path) -> tuple[int, NDArray[np.int16]]:
    """(rate, samples × channels) of a WAV file."""
    with wave.open(str(path)) as sound:
        assert sound.getsampwidth() == 2
        flat = np.frombuffer(sound.readframes(sound.getnframes()), "<i2")
        return sound.getframerate(), flat.reshape(-1, sound.getnchannels())


@pytest.mark.parametrize("shape", [(500,), (500, 1), (500, 2), (2, 500)])
def test_that_floats_are_kept_to_16_bits(start: Start, shape: tuple[int, ...]) -> None:
    sound = RNG.uniform(-1, 1, shape)
    run = start()
    run.audio("numpy", sound, sample_rate=16_000, caption="noise")
    run.audio("torch", torch.from_numpy(sound).to(torch.float32), sample_rate=16_000)
    run.audio("list", sound.tolist(), sample_rate=16_000)
    frames = sound.T if shape[0] == 2 else sound.reshape(500, -1)
    for name in ("numpy", "torch", "list"):
        body, path = one(run, name)
        rate, got = samples(path)
        assert rate == body["sample_rate"] == 16_000
        assert body["shape"] == list(frames.shape)
        assert np.abs(got / 32767 - frames).max() <= 0.51 / 32767
    assert one(run, "numpy")[0]["caption"] == "noise"


def test_that_int16_is_kept_exactly(start: Start) -> None:
    sound = RNG.integers(-32768, 32768, (300, 2), dtype=np.int16)
    run = start()
    run.audio("whole", sound, sample_rate=8000)
    rate, got = samples(one(run, "whole")[1])
    assert rate == 8000
    assert (got == sound).all()


def test_that_a_wav_file_is_kept_as_it_is(start: Start, tmp_path: Path) -> None:
    with wave.open(str(tmp_path / "x.wav"), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(4000)
        sound.writeframes(bytes(range(100)))
    run = start()
    run.audio("path", tmp_path / "x.wav")
    body, path = one(run, "path")
    assert path.read_bytes() == (tmp_path / "x.wav").read_bytes()
    assert (body["sample_rate"], body["shape"]) == (4000, [100, 1])


def test_that_odd_samples_are_silent_or_cut_and_counted(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start()
    run.audio("odd", [float("nan"), float("inf"), 3.0, -1e300, 0.5], sample_rate=8000)
    body, path = one(run, "odd")
    assert samples(path)[1][:, 0].tolist() == [0, 0, 32767, -32767, 16384]
    assert body["non_finite"] == 2
    assert "2 samples are outside" in capsys.readouterr().err


def test_that_the_same_samples_are_written_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = dense.dense(np.concatenate([RNG.uniform(-1.5, 1.5, 400), [np.nan, np.inf, -np.inf]]))
    with_numpy = audio._whole(sound)
    monkeypatch.setattr(audio, "numpy_or_none", lambda: None)
    monkeypatch.setattr(dense, "numpy_or_none", lambda: None)
    assert audio._whole(sound) == with_numpy


@pytest.mark.parametrize(
    ("value", "rate", "words"),
    [
        ([0.0, 0.1], None, "sample_rate is a whole number"),
        ([0.0, 0.1], 0, "sample_rate is a whole number"),
        ([0.0, 0.1], 44.1, "sample_rate is a whole number"),
        ([0, 1, 2], 8000, "neither float −1 to 1 nor int16"),
        (np.zeros((9, 9)), 8000, "9×9"),
        (np.zeros((2, 2, 2)), 8000, "2×2×2"),
        (np.zeros(0), 8000, "shape is 0,"),
        (b"RIFF", None, "no WAV file"),
        ("nowhere.wav", None, "cannot be read"),
        (3, 8000, "int"),
    ],
)
def test_that_what_does_not_fit_is_told_once_and_left_out(
    start: Start, capsys: pytest.CaptureFixture[str], value: Any, rate: Any, words: str
) -> None:
    run = start()
    for _ in range(3):
        run.audio("odd", value, sample_rate=rate)
    assert kept(run) == []
    told = capsys.readouterr().err
    assert told.count("audio 'odd' is left out") == 1
    assert words in told
