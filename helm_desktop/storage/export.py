"""Exports: files that a reader asked for, complete under their name or not there at all."""

from __future__ import annotations

import csv
import io
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage

from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.row_snapshot import RowSnapshot

ExportContent = QImage | bytes | Sequence[RowSnapshot]  # a PNG picture, a file as it is, a CSV file
HEADER: Final = ("series", "process", "attempt", "step", "time", "value")
ROWS: Final = 2_048  # a step of the export: about a millisecond, in which the window may have to wait
_encode = msgspec.json.Encoder().encode


def export_steps(path: Path, content: ExportContent) -> Iterator[float]:
    """Write a file in steps; each yields the share that is written. Raises OSError.

    The file appears under its name when the last step is done. Closed before that, nothing is left of it.
    """
    if isinstance(content, QImage | bytes):
        with _replacing(path) as file:
            file.write(_png(content) if isinstance(content, QImage) else content)
        yield 1.0
    else:
        yield from _csv_steps(path, content)


def _png(picture: QImage) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(data.data())


def _csv_steps(path: Path, series: Sequence[RowSnapshot]) -> Iterator[float]:
    """Yield a row a point."""
    total = max(1, sum(one.count for one in series))
    written = 0
    with _replacing(path) as file:
        file.write(_line(HEADER) + b"\n")
        for one in series:
            head = _line((one.label, one.process, str(one.attempt))) + b","
            for steps, times, values in one.blocks(ROWS):
                file.write(csv_rows(head, steps, times, values))
                written += len(steps)
                yield written / total


def csv_rows(head: bytes, steps: Array, times: Array, values: Array) -> bytes:
    """Lines of a CSV file, each `head` with a step, a time and a value, as `repr` writes them.

    msgspec writes a list of numbers as JSON some ten times as quickly as `repr` writes them one by one, and
    with the same digits where `repr` uses no exponent; the other numbers are given to it as text. An empty
    text stands between two rows and becomes the line break. No object but the lists is made that Python's
    garbage collector tracks: it would else run here every few milliseconds.
    """
    cells: list[object] = [""] * (4 * len(steps))
    cells[0::4] = steps.tolist()
    cells[1::4] = _numbers(times)
    cells[2::4] = _numbers(values)
    rows = _encode(cells)[1:-4]  # without the brackets and the last empty text
    rows = rows.replace(b',"",', b"\n").replace(b'"', b"")
    return head + rows.replace(b"\n", b"\n" + head) + b"\n"


def _numbers(column: Array) -> list[object]:
    """Return the numbers; those that `repr` writes with an exponent or in letters as that text."""
    numbers: list[object] = column.tolist()
    size = np.abs(column)
    plain = ((size >= 1e-4) & (size < 1e16)) | (size == 0)
    if not plain.all():
        for at in np.flatnonzero(~plain).tolist():
            numbers[at] = repr(numbers[at])
    return numbers


def _line(cells: Sequence[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue().encode()


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """A file beside another one, which takes its place at the end, or is taken away."""
    beside = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(3)}")
    try:
        with open(beside, "xb", buffering=0) as file:
            yield file
        os.replace(beside, path)
    finally:
        with suppress(FileNotFoundError):
            beside.unlink()
