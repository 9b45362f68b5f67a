"""Drafts on disk: one versioned file a run, from the first edit until the draft is sent or discarded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer

from helm_desktop.model.schedule.draft_model import DraftModel
from helm_sdk.record.errors import RecordError
from helm_sdk.record.json_file import read_plain, write_plain
from helm_sdk.record.layout import safe_name

VERSION: Final = 1
WAIT_MS: Final = 300


class DraftFiles(QObject):
    """Keeps the draft of the open run. Without a folder nothing is read or kept."""

    def __init__(self, model: DraftModel, folder: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._folder = folder / "drafts" if folder is not None else None
        self._kept = ""  # what stands in the file of the open run
        self._run = ""
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(WAIT_MS)
        self._clock.timeout.connect(self.flush)
        model.changed.connect(self._changed)

    def path(self, run_id: str) -> Path | None:
        """Where the draft of a run is kept."""
        return self._folder / f"{safe_name(run_id)}.json" if self._folder is not None and run_id else None

    def open(self) -> None:
        """The open run is known now: what was kept for it is taken up again."""
        run, path = self._model.run_id, self.path(self._model.run_id)
        if path is None or run == self._run:
            return
        self._run, self._kept = run, ""
        try:
            plain = read_plain(path)
        except RecordError:
            return
        draft = plain.get("draft") if plain is not None and plain.get("helm_draft") == VERSION else None
        if isinstance(draft, dict):
            self._kept = json.dumps(draft)
            self._model.restore(draft)

    def close(self) -> None:
        """Another run comes: its file is another one."""
        self.flush()
        self._run = ""

    def flush(self) -> None:
        """Writes what is not written yet, or takes the file away when nothing is drafted any more."""
        self._clock.stop()
        path, draft = self.path(self._run), self._model.to_plain()
        if path is None or self._text(draft) == self._kept:
            return
        try:
            if draft is None:
                path.unlink(missing_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_plain(path, {"helm_draft": VERSION, "draft": draft})
        except (OSError, RecordError):
            return  # it is a convenience: the draft itself is on the screen
        self._kept = self._text(draft)

    def _changed(self) -> None:
        if self._folder is not None and self._run:
            self._clock.start()

    @staticmethod
    def _text(draft: dict[str, Any] | None) -> str:
        return json.dumps(draft) if draft is not None else ""
