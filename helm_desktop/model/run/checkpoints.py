"""The checkpoints that a run has written."""

from __future__ import annotations

from helm_sdk.protocol.messages import Event


class RunCheckpoints:
    """The newest checkpoint by its time, whatever the order in which they are heard of."""

    def __init__(self) -> None:
        self.newest: Event | None = None

    def add(self, event: Event) -> bool:
        """Store a checkpoint; whether it is the newest now. Other events change nothing."""
        if event.kind != "checkpoint" or (self.newest is not None and event.time < self.newest.time):
            return False
        self.newest = event
        return True
