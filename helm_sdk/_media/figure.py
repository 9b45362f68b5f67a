"""Drawings: matplotlib as PNG and SVG, plotly as JSON, or ready bytes; and plain text."""

from __future__ import annotations

import io
from contextlib import suppress
from typing import Any

from helm_sdk._media.png import picture_kind, picture_size
from helm_sdk._media.prepared import Encoded, Prepared, Unfit, check_size, file_bytes

_ENDING = {"png": "png", "jpeg": "jpg", "svg": "svg"}


def prepare_figure(figure: Any, *, caption: str = "") -> Prepared:
    """Return the drawing as bytes. Raises Unfit for what cannot be drawn."""
    message: dict[str, Any] = {"caption": str(caption)} if caption else {}
    if hasattr(figure, "savefig"):
        return _saved(figure, message)
    if hasattr(figure, "to_plotly_json") and hasattr(figure, "to_json"):
        data = str(figure.to_json()).encode("utf-8", "backslashreplace")
        check_size(len(data))
        return Prepared(len(data), lambda: Encoded([("json", data)], {**message, "format": "plotly"}))
    found = file_bytes(figure)
    if found is None:
        raise Unfit(f"it is {type(figure).__name__}, neither a matplotlib nor a plotly figure nor bytes")
    kind = picture_kind(found)
    if not kind:
        raise Unfit("its bytes are neither PNG nor JPEG nor SVG")
    return Prepared(len(found), lambda: Encoded([(_ENDING[kind], found)], {**message, "format": kind}))


def _saved(figure: Any, said: dict[str, Any]) -> Prepared:
    stream = io.BytesIO()
    figure.savefig(stream, format="png")
    files = [("png", stream.getvalue())]
    if picture_kind(files[0][1]) != "png":
        raise Unfit("savefig wrote no PNG")
    with suppress(Exception):  # a backend that draws pixels alone
        lines = io.BytesIO()
        figure.savefig(lines, format="svg")
        if picture_kind(lines.getvalue()) == "svg":
            files.append(("svg", lines.getvalue()))
    size = sum(len(data) for _, data in files)
    check_size(size)
    width, height = picture_size(files[0][1]) or (0, 0)
    return Prepared(size, lambda: Encoded(files, {**said, "format": "png", "shape": [height, width]}))


def prepare_text(value: Any, *, format: str = "plain") -> Prepared:
    """Return a text. Raises Unfit when it is none, or its format is not known."""
    if format not in ("plain", "markdown"):
        raise Unfit(f'format is "plain" or "markdown", not {format!r}')
    if not isinstance(value, str):
        raise Unfit(f"it is {type(value).__name__}, no text")
    check_size(len(value))
    ending = "md" if format == "markdown" else "txt"

    def encode() -> Encoded:
        data = value.encode("utf-8", "backslashreplace")
        return Encoded([(ending, data)], {"format": format, "characters": len(value)})

    return Prepared(len(value), encode)
