"""The status of the whole run: live, quiet or lost, or how it ended."""

from __future__ import annotations

from helm_desktop.model.run.updates import StatusUpdate
from helm_sdk.protocol.peer import RunState


class RunStatus:
    """The last status, derived from the files and heartbeats of the run; live at first."""

    def __init__(self) -> None:
        self._update = StatusUpdate(RunState.LIVE)

    @property
    def state(self) -> RunState:
        """The state of the run."""
        return self._update.state

    @property
    def exit_status(self) -> int | None:
        """The exit status of the process; None where it is not known."""
        return self._update.exit_status

    @property
    def ended(self) -> float | None:
        """When the run ended (unix seconds); None where that is not recorded."""
        return self._update.ended

    def apply(self, update: StatusUpdate) -> bool:
        """Store a status; return True when it differs from the one before."""
        before, self._update = self._update, update
        return update != before
