"""What a run kept besides numbers, as any program would read it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtGui import QImage

from helm_sdk import Run
from helm_sdk.protocol.messages import Event
from helm_sdk.record import layout
from helm_sdk.record.reader import ProcessReader


def kept(run: Run, name: str | None = None) -> list[Event]:
    """The run's media events, of one name or all."""
    assert run.flush()
    assert run.folder is not None
    with ProcessReader(layout.process_file(run.folder, run.attempt, run.process)) as reader:
        events = reader.events("media")
    return [event for event in events if name in (None, event.body["name"])]


def one(run: Run, name: str) -> tuple[dict[str, Any], Path]:
    """(body, file) of the only value of a name."""
    (event,) = kept(run, name)
    assert run.folder is not None
    return event.body, run.folder / event.body["file"]


def content(run: Run, name: str) -> Any:
    """The JSON of the only value of a name."""
    return json.loads(one(run, name)[1].read_text())


def pixels(path: Path) -> list[list[tuple[int, int, int, int]]]:
    """Rows of (red, green, blue, alpha), decoded by Qt."""
    image = QImage(str(path))
    assert not image.isNull(), path
    return [
        [image.pixelColor(x, y).getRgb() for x in range(image.width())]  # type: ignore[misc]
        for y in range(image.height())
    ]
