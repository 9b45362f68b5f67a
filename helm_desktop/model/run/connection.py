"""The connection to a run: to each of its processes, to its files, and what was lost on the way."""

from __future__ import annotations

from helm_desktop.model.run.updates import LossUpdate
from helm_sdk.protocol.updates import LinkUpdate


class RunConnection:
    """The last state of the connection to each process, and why the run cannot be followed at all."""

    def __init__(self) -> None:
        self.links: dict[str, LinkUpdate] = {}  # by process
        self.problem = ""  # one sentence; empty while the run can be followed
        self.losses = LossUpdate(0, 0)

    def set_link(self, update: LinkUpdate) -> None:
        """Store the state of the connection to a process."""
        self.links[update.process] = update

    def set_problem(self, sentence: str) -> None:
        """Store why the run cannot be followed; empty: it can."""
        self.problem = sentence

    def set_losses(self, update: LossUpdate) -> None:
        """Store what did not come live."""
        self.losses = update
