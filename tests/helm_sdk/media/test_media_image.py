"""Pictures come back pixel by pixel from a decoder that is not ours."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import helm_sdk
from helm_sdk._media import dense, image
from helpers.media import kept, one, pixels

Start = Callable[..., helm_sdk.Run]
RNG = np.random.default_rng(7)


def rgba(array: Any) -> list[list[tuple[int, int, int, int]]]:
    """What an H×W×C array of bytes looks like."""
    whole = np.asarray(array)
    whole = whole[..., None] if whole.ndim == 2 else whole
    if whole.shape[2] == 1:
        whole = np.repeat(whole, 3, axis=2)
    if whole.shape[2] == 3:
        whole = np.concatenate([whole, np.full((*whole.shape[:2], 1), 255, "u1")], axis=2)
    return [[tuple(map(int, pixel)) for pixel in row] for row in whole]  # type: ignore[misc]


@pytest.mark.parametrize("shape", [(5, 7), (5, 7, 1), (5, 7, 3), (5, 7, 4), (1, 1, 3)])
def test_that_bytes_come_back_as_they_were(start: Start, shape: tuple[int, ...]) -> None:
    array = RNG.integers(0, 256, shape, dtype=np.uint8)
    run = start()
    run.image("numpy", array, step=3)
    run.image("torch", torch.from_numpy(array), step=3)
    run.image("list", array.tolist(), step=3)
    run.image("strided", np.repeat(array, 2, axis=0)[::2], step=3)

    for name in ("numpy", "torch", "list", "strided"):
        body, path = one(run, name)
        assert pixels(path) == rgba(array), name
        assert body["shape"] == [*shape, *([1] if len(shape) == 2 else [])]
        assert path.suffix == ".png"
        assert body["bytes"] == path.stat().st_size


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f4"])
def test_that_floats_of_0_to_1_become_bytes(start: Start, dtype: str) -> None:
    array = RNG.random((4, 6, 3)).astype(dtype)
    run = start()
    run.image("floats", array)
    assert pixels(one(run, "floats")[1]) == rgba(
        np.rint(np.clip(array.astype("f8"), 0, 1) * 255).astype("u1")
    )


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float32])
def test_that_tensors_of_any_float_and_with_a_gradient_are_taken(start: Start, kind: torch.dtype) -> None:
    tensor = torch.rand(3, 4, 6, requires_grad=True).to(kind)
    run = start()
    run.image("chw", tensor, layout="chw")
    expected = (tensor.detach().float() * 255).round().to(torch.uint8).permute(1, 2, 0).numpy()
    assert pixels(one(run, "chw")[1]) == rgba(expected)


def test_that_booleans_are_black_and_white_and_whole_numbers_are_bytes(start: Start) -> None:
    run = start()
    run.image("mask", np.array([[True, False]]))
    run.image("int64", torch.tensor([[0, 200], [255, 3]]))
    assert pixels(one(run, "mask")[1]) == rgba([[255, 0]])
    assert pixels(one(run, "int64")[1]) == rgba([[0, 200], [255, 3]])


def test_that_what_lies_outside_is_cut_and_what_is_not_finite_is_counted(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = np.array([[np.nan, np.inf, -np.inf], [-3.0, 1e300, 0.5]])
    run = start()
    for step in range(3):
        run.image("odd", odd, step=step)
    events = kept(run, "odd")
    assert [(event.body["non_finite"], event.body["cut"]) for event in events] == [(3, 2)] * 3
    assert run.folder is not None
    assert pixels(run.folder / events[0].body["file"]) == rgba(np.array([[0, 255, 0], [0, 255, 128]], "u1"))
    assert capsys.readouterr().err.count("'odd'") == 2  # once for each of the two causes


@pytest.mark.parametrize("floating", [True, False])
def test_that_the_same_bytes_are_written_without_numpy(
    floating: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = RNG.normal(0.5, 0.7, 500) if floating else RNG.integers(-50, 300, 500)
    values = np.concatenate([values, [np.nan, np.inf, -np.inf]]) if floating else values
    held = dense.dense(values)
    with_numpy = image.eight_bits(held)
    monkeypatch.setattr(image, "numpy_or_none", lambda: None)
    monkeypatch.setattr(dense, "numpy_or_none", lambda: None)
    assert image.eight_bits(held) == with_numpy


def test_that_pil_images_png_and_jpeg_are_taken(start: Start, tmp_path: Path) -> None:
    pil = pytest.importorskip("PIL.Image")
    array = RNG.integers(0, 256, (5, 7, 3), dtype=np.uint8)
    picture = pil.fromarray(array)
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    (tmp_path / "x.jpg").write_bytes(b"")
    picture.save(tmp_path / "x.jpg", "JPEG", quality=95)
    run = start()
    run.image("pil", picture)
    picture.putpixel((0, 0), (1, 2, 3))  # what was handed in has been copied
    run.image("cmyk", picture.convert("CMYK"))
    run.image("palette", picture.convert("P"))
    run.image("bytes", stream.getvalue(), caption="as it was")
    run.image("path", tmp_path / "x.jpg")
    run.image("text path", str(tmp_path / "x.jpg"))

    assert pixels(one(run, "pil")[1]) == rgba(array)
    body, path = one(run, "bytes")
    assert path.read_bytes() == stream.getvalue()
    assert (body["caption"], body["shape"]) == ("as it was", [5, 7])
    for name in ("path", "text path"):
        body, path = one(run, name)
        assert path.read_bytes() == (tmp_path / "x.jpg").read_bytes()
        assert (path.suffix, body["shape"]) == (".jpg", [5, 7])
    assert len(kept(run)) == 6


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.zeros((3, 20, 30)), 'or hand in layout="chw"'),
        (np.zeros((5, 7, 2)), "5×7×2"),
        (np.zeros(5), "shape is 5,"),
        (np.float64(1.0), "a single number"),
        (np.zeros((0, 7, 3)), "0×7×3"),
        (np.zeros((2, 2), complex), "complex128"),
        (np.array([["a"]]), "<U1"),
        (np.array([[None]]), "object"),
        (torch.zeros(2, 2, dtype=torch.complex64), "complex64"),
        (torch.zeros(2, 2, device="meta"), "without data"),
        (torch.zeros(1).expand(1 << 14, 1 << 14), "MB, a value may hold 128"),
        ([[1, 2], [3]], "differ in length"),
        ([["x"]], "no number"),
        (b"GIF89a", "neither PNG nor JPEG"),
        (b"", "neither PNG nor JPEG"),
        ("nowhere.png", "cannot be read"),
        ("a\0b", "cannot be read"),
        (None, "NoneType"),
        (object(), "object"),
        ({}, "dict"),
    ],
)
def test_that_what_does_not_fit_is_told_once_and_left_out(
    start: Start, capsys: pytest.CaptureFixture[str], value: Any, words: str
) -> None:
    run = start()
    for _ in range(3):
        run.image("odd", value)
    run.image("good", [[0]])
    assert [event.body["name"] for event in kept(run)] == ["good"]
    told = capsys.readouterr().err
    assert told.count("image 'odd' is left out") == 1
    assert words in told


def test_that_an_unknown_layout_is_told(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    run = start()
    run.image("odd", [[0]], layout="nchw")
    assert kept(run) == []
    assert '"hwc" or "chw"' in capsys.readouterr().err
