"""The processes of a run: what their files say, their heartbeats, and the points that they lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from helm_desktop.model.run.updates import ProcessFacts
from helm_sdk.protocol.messages import Event, Heartbeat


class RunProcesses:
    """Every process that was heard of, by its file or by its heartbeats. Iterates over those with a file."""

    def __init__(self) -> None:
        self.all: tuple[ProcessFacts, ...] = ()  # the main process first
        self.heartbeats: dict[str, Heartbeat] = {}  # the last one of each process
        self._warned: Counter[str] = Counter()  # lost points by process, as the run's warnings say

    def __iter__(self) -> Iterator[ProcessFacts]:
        return iter(self.all)

    def set_all(self, processes: tuple[ProcessFacts, ...]) -> None:
        """Set what the files say."""
        self.all = processes

    def add_heartbeat(self, heartbeat: Heartbeat) -> None:
        """Store the last heartbeat of a process."""
        self.heartbeats[heartbeat.process] = heartbeat

    def add_warning(self, process: str, event: Event) -> None:
        """Count the points that a process says it lost; other warnings change nothing."""
        if event.kind == "warning" and event.body.get("what") == "lost points":
            count = event.body.get("count")
            self._warned[process] += count if isinstance(count, int) else 0

    def is_main(self, process: str) -> bool:
        """Return whether the steps of this process are the steps of the run."""
        return not self.all or process == self.all[0].process

    @property
    def names(self) -> set[str]:
        """The names of all processes, by file or by heartbeat."""
        return {facts.process for facts in self.all} | self.heartbeats.keys()

    @property
    def paused(self) -> bool:
        """Whether a process says that it is paused."""
        return any(beat.paused for beat in self.heartbeats.values())

    @property
    def doing(self) -> str:
        """A long task that a process is at, such as "eval"; empty while none is."""
        return next((beat.doing for beat in self.heartbeats.values() if beat.doing), "")

    @property
    def lost_points(self) -> int:
        """The points that the run says it lost, in its warnings or in its heartbeats."""
        return max(self._warned.total(), sum(beat.lost_points for beat in self.heartbeats.values()))

    @property
    def lost_by_process(self) -> dict[str, int]:
        """Lost points by process, for those that spoke of any."""
        lost = dict(self._warned)
        for process, beat in self.heartbeats.items():
            if beat.lost_points:
                lost[process] = max(lost.get(process, 0), beat.lost_points)
        return lost
