"""The processes of a run: the facts in their files, their heartbeats, and the points that they lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from helm_desktop.model.run.updates import ProcessFacts
from helm_sdk.protocol.messages import Event, Heartbeat


class RunProcesses:
    """All processes that have a file or sent a heartbeat. Iteration yields those with a file."""

    def __init__(self) -> None:
        self.all: tuple[ProcessFacts, ...] = ()  # the main process first
        self.heartbeats: dict[str, Heartbeat] = {}  # the last one of each process
        self._warned: Counter[str] = Counter()  # lost points by process, from the warnings of the run

    def __iter__(self) -> Iterator[ProcessFacts]:
        return iter(self.all)

    def set_all(self, processes: tuple[ProcessFacts, ...]) -> None:
        """Set the processes that have a file."""
        self.all = processes

    def add_heartbeat(self, heartbeat: Heartbeat) -> None:
        """Store the last heartbeat of a process."""
        known = self.heartbeats.get(heartbeat.process)
        if known is None or heartbeat.time >= known.time:
            self.heartbeats[heartbeat.process] = heartbeat

    def add_warning(self, process: str, event: Event) -> None:
        """Count the lost points that a warning reports; other events change nothing."""
        if event.kind == "warning" and event.body.get("what") == "lost points":
            count = event.body.get("count")
            self._warned[process] += count if isinstance(count, int) else 0

    def is_main(self, process: str) -> bool:
        """Return True when the steps of this process are the steps of the run."""
        return not self.all or process == self.all[0].process

    @property
    def names(self) -> set[str]:
        """The names of all processes, with a file or only with heartbeats."""
        return {facts.process for facts in self.all} | self.heartbeats.keys()

    @property
    def paused(self) -> bool:
        """Whether a process is paused, by its last heartbeat."""
        return any(beat.paused for beat in self.heartbeats.values())

    @property
    def doing(self) -> str:
        """The long task of a process, such as "eval"; empty while there is none."""
        return next((beat.doing for beat in self.heartbeats.values() if beat.doing), "")

    @property
    def lost_points(self) -> int:
        """The number of points that were lost, by the warnings or the heartbeats."""
        return max(self._warned.total(), sum(beat.lost_points for beat in self.heartbeats.values()))

    @property
    def lost_by_process(self) -> dict[str, int]:
        """The number of lost points by process, for processes that reported any."""
        lost = dict(self._warned)
        for process, beat in self.heartbeats.items():
            if beat.lost_points:
                lost[process] = max(lost.get(process, 0), beat.lost_points)
        return lost
