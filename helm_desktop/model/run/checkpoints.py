"""The checkpoints that a run has written."""

from __future__ import annotations

from helm_sdk.protocol.messages import Event


class RunCheckpoints:
    """The newest checkpoint by its time; events may come in any order."""

    def __init__(self) -> None:
        self.newest: Event | None = None

    def add(self, event: Event) -> bool:
        """Store a checkpoint; return True when it is the newest now. Other events change nothing."""
        if event.kind != "checkpoint" or (self.newest is not None and event.time < self.newest.time):
            return False
        self.newest = event
        return True
