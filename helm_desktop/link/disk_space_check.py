"""How much is free on the disk that a run is written to, looked at every few seconds."""

from __future__ import annotations

import shutil
import time

from helm_desktop.model.run.updates import DiskSpaceUpdate

CHECK_SECONDS = 10.0


class DiskSpaceCheck:
    """Looks when it is due."""

    def __init__(self) -> None:
        self._checked_at = 0.0

    def restart(self) -> None:
        """Look at once: another run."""
        self._checked_at = 0.0

    def check(self, folder: str, now: float) -> DiskSpaceUpdate | None:
        """Return what is free at a folder; None while it is not due, or where the disk does not say."""
        if now - self._checked_at < CHECK_SECONDS:
            return None
        self._checked_at = now
        try:
            return DiskSpaceUpdate(time.time(), float(shutil.disk_usage(folder).free))
        except OSError:
            return None
