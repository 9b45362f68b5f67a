"""Drafts on disk: one versioned file a run, from the first edit until the draft is sent or discarded."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer

from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.storage.storage_thread import Storage
from helm_sdk.record.errors import RecordError
from helm_sdk.record.json_file import read_plain, write_plain
from helm_sdk.record.layout import safe_name

VERSION: Final = 1
WAIT_MS: Final = 300


class DraftFiles(QObject):
    """Keeps the draft of the open run. Without a folder nothing is read or kept."""

    def __init__(
        self, model: DraftModel, folder: Path | None, storage: Storage, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._model, self._storage = model, storage
        self._folder = folder / "drafts" if folder is not None else None
        self._kept = ""  # what is in the file of the open run, or was given to the storage thread for it
        self._run = ""
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(WAIT_MS)
        self._clock.timeout.connect(self.flush)
        model.changed.connect(self._changed)

    def path(self, run_id: str) -> Path | None:
        """Return where the draft of a run is kept."""
        return self._folder / f"{safe_name(run_id)}.json" if self._folder is not None and run_id else None

    def open(self) -> None:
        """Restore what was kept for the open run, which is known now."""
        run, path = self._model.run_id, self.path(self._model.run_id)
        if path is None or run == self._run:
            return
        self._run, self._kept = run, ""
        self._storage.run(partial(_read, path), partial(self._restore, run))

    def _restore(self, run: str, draft: dict[str, Any] | None) -> None:
        """What was kept, unless another run was opened or something was drafted meanwhile."""
        if draft is None or run != self._run or self._kept:
            return
        self._kept = json.dumps(draft)
        if self._model.to_plain() is None:
            self._model.restore(draft)

    def close(self) -> None:
        """Write the draft: another run comes, whose file is another one."""
        self.flush()
        self._run = ""

    def flush(self) -> None:
        """Have written what is not written yet."""
        self._clock.stop()
        path, draft = self.path(self._run), self._model.to_plain()
        if path is None or self._text(draft) == self._kept:
            return
        before, self._kept = self._kept, self._text(draft)
        failed = partial(self._not_written, self._run, before)
        self._storage.run(partial(_write, path, draft), failed=failed)

    def _not_written(self, run: str, before: str, error: Exception) -> None:
        """Tried again with the next edit. It is a convenience: the draft itself is on the screen."""
        if run == self._run:
            self._kept = before

    def _changed(self) -> None:
        if self._folder is not None and self._run:
            self._clock.start()

    @staticmethod
    def _text(draft: dict[str, Any] | None) -> str:
        return json.dumps(draft) if draft is not None else ""


def _read(path: Path) -> dict[str, Any] | None:
    """Return the draft in a file; None where there is none that fits."""
    try:
        plain = read_plain(path)
    except RecordError:
        return None
    draft = plain.get("draft") if plain is not None and plain.get("helm_draft") == VERSION else None
    return draft if isinstance(draft, dict) else None


def _write(path: Path, draft: dict[str, Any] | None) -> None:
    """Replace the file, or take it away when nothing is drafted any more."""
    if draft is None:
        path.unlink(missing_ok=True)
    else:
        write_plain(path, {"helm_draft": VERSION, "draft": draft})
