"""The state of the connections to the processes of a run, and of the reading of its files."""

from __future__ import annotations

from helm_desktop.model.run.updates import LossUpdate
from helm_sdk.protocol.updates import LinkUpdate


class RunConnection:
    """The state of the connection to each process, the batches that did not come live, and a problem."""

    def __init__(self) -> None:
        self.links: dict[str, LinkUpdate] = {}  # by process
        self.problem = ""  # why the run cannot be followed, in one sentence; empty when it can be
        self.losses = LossUpdate(0, 0)

    def set_link(self, update: LinkUpdate) -> None:
        """Store the state of the connection to a process."""
        self.links[update.process] = update

    def set_problem(self, sentence: str) -> None:
        """Store why the run cannot be followed; empty when it can be."""
        self.problem = sentence

    def set_losses(self, update: LossUpdate) -> None:
        """Store the numbers of batches that did not come live."""
        self.losses = update
