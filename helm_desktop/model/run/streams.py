"""The streams of a run, and the range of steps that they cover."""

from __future__ import annotations

from helm_desktop.model.board.default_layout import charted
from helm_desktop.model.run.group_ends import group_ends
from helm_sdk.protocol.messages import Batch


class RunStreams:
    """The streams of a run, in the order in which they came."""

    def __init__(self) -> None:
        self.step_range: tuple[int, int] | None = None  # the first and the last step of all points
        self._kinds: dict[str, str] = {}  # the kind of each stream by name

    def add(self, batch: Batch) -> bool:
        """Add the streams and the steps of a batch; return True when a stream is new."""
        before = len(self._kinds)
        for stream in batch.streams:
            self._kinds.setdefault(stream.name, stream.kind)
        for group in batch.groups:
            steps = [step for step, _ in group_ends(group)]
            self.step_range = (min(*steps, *(self.step_range or ())), max(*steps, *(self.step_range or ())))
        return len(self._kinds) > before

    @property
    def names(self) -> list[str]:
        """The names of the streams that have a chart."""
        return charted(name for name, kind in self._kinds.items() if kind != "axis")
