"""The agreement of several ranks: one run, found through the job's store, and changes made together."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from helm_sdk._controls.registry import Handler
from helm_sdk._run.run import Run
from helm_sdk._shared.notice import Notices, print_notice
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Capability
from helm_sdk.torch._controls.base import WatchedControls
from helm_sdk.torch._ranks import entry, rank
from helm_sdk.torch._ranks.coordinator import Coordinator
from helm_sdk.torch._ranks.entry import RankArguments
from helm_sdk.torch._ranks.member import HUB, Member, mailbox_of
from helm_sdk.torch._ranks.rank import RankIdentity
from helm_sdk.torch._ranks.reduce import RankValues, Reducer, Row
from helm_sdk.torch._ranks.registry import SharedControls
from helm_sdk.torch._ranks.store import StoreConnection, of_agent, of_job

TIMEOUT_S = 10.0
_LOOK_S = 0.02
_LOOK_LATER_S = 0.1
_SEND_S = 0.25  # between the messages with values to reduce
_END_S = 2.0  # exit is never held up longer
NOT_YET = "the ranks have not found each other yet"


def timeout_s() -> float:
    """Return how long a rank waits for the others: HELM_RANK_TIMEOUT, in seconds."""
    with contextlib.suppress(ValueError):
        return max(0.2, float(os.environ.get("HELM_RANK_TIMEOUT", "")))
    return TIMEOUT_S


class DistributedProcess:
    """One rank's view. Made by `init`; what it needs of the others is found by a thread of its own."""

    def __init__(self, run: Run, place: RankIdentity | None, asked: RankArguments) -> None:
        self.run = run
        self._asked = asked
        self._timeout = timeout_s()
        self._identity: RankIdentity | None = None
        self._deciding = threading.Lock()
        self._early: list[tuple[Capability, Handler, str]] = []
        self._registry: SharedControls | None = None
        self._member: Member | None = None
        self._coordinator: Coordinator | None = None
        self._line: StoreConnection | None = None
        self._job: Any = None  # keeps the store's server alive, where this process has it
        self._gathered = RankValues()
        self._joined = threading.Event()
        self._searched = threading.Event()  # joined, or never will
        self._closed = threading.Event()
        self._notices = Notices()
        self._threads: list[threading.Thread] = []
        self._beats = 0
        self._point = run.trainer_port.first_visit(TRAINER_SAFE_POINT)
        run.trainer_port.share_declarations(self.declare)
        run.trainer_port.coordination = self
        run.trainer_port.on_close(self.close)
        if place is not None:
            self._decide(place)
        self._start("helm-ranks", self._main)

    # What the trainer asks ---------------------------------------------------------------------

    @property
    def rank(self) -> int:
        """Which of the ranks this is; 0 as long as nobody knows."""
        return self._identity.rank if self._identity is not None else 0

    @property
    def world(self) -> int:
        """How many ranks the job has."""
        return self._identity.world if self._identity is not None else 1

    def begin(self) -> RankIdentity:
        """Return which rank this is. A process without a group by now is alone."""
        return self._decide(rank.of_group() or RankIdentity(0, 1))

    def know(self) -> None:
        """Wait, within the timeout, until the store has said which run it is."""
        if not self.run.run_id and not self.run.disabled:
            self._searched.wait(self._timeout)

    def watch(self, watched: WatchedControls) -> None:
        """Take note of what the controls change."""
        if self._registry is not None:
            self._registry.watch(watched)

    def declare(self, capability: Capability, handler: Handler, unavailable: str = "") -> None:
        """Declare a control that changes every rank."""
        with self._deciding:
            if self._registry is None:
                self._early.append((capability, handler, unavailable))
                return
        self._registry.declare(capability, handler, unavailable)

    def set_unavailable(self, name: str, reason: str) -> None:
        """Say why such a control cannot be used."""
        if self._registry is not None:
            self._registry.set_unavailable(name, reason)

    def apply_next(self, step: int) -> None:
        """Take part in what the ranks have agreed on for this step; else apply what is this process's own."""
        if self._identity is None:
            self.begin()
        point = self._point
        point.calls += 1
        point.step = step
        self.run.trainer_port.set_step(step)
        if self._member is not None:
            self._member.pass_safe_point(step)
        if point.queue:
            self._apply_own(step)

    def wait(self, timeout: float) -> None:
        """While paused: wait until the ranks, or this process alone, have something to serve."""
        if self._member is not None and self._joined.is_set():
            self._member.wait(min(timeout, 0.1) if self._point.queue else timeout)
        else:
            self.run.trainer_port.wait(TRAINER_SAFE_POINT, timeout)

    def reduce(self, values: Mapping[str, Any], op: str, step: int | None) -> None:
        """Keep this rank's values; they are sent and reduced off the loop."""
        self._gathered.add(values, op, step)

    def close(self) -> None:
        """Leave: what is under way comes to its end.

        That takes two seconds at most, or the timeout where values to reduce would be lost otherwise.
        """
        if self._closed.is_set():
            return
        if self.world > 1 and rank.initialized():  # a job may be shorter than the finding of each other
            self._searched.wait(max(_END_S, self._timeout) if self._gathered.given else _END_S)
        self._closed.set()
        with contextlib.suppress(Exception):
            self._leave()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(0.5)
        if self.run.trainer_port.has_unrecorded:
            print_notice(f"rank {self.rank} never learned which run it belongs to: what it logged is lost")

    # Inside ------------------------------------------------------------------------------------

    def _apply_own(self, step: int) -> None:
        """A command that this process declared for itself runs here alone."""
        pending = next(iter(self._point.queue), None)
        applier = self.run.trainer_port.applier
        if pending is None or (self._registry is not None and pending.command.capability in self._registry):
            return
        if applier.claim(pending, TRAINER_SAFE_POINT, step):
            applier.run(pending, step)

    def _decide(self, place: RankIdentity) -> RankIdentity:
        """Take the rank, unless one is taken; rank 0 of a process that waited opens its run."""
        with self._deciding:
            if self._identity is not None:
                return self._identity
            self._identity = place
            if place.rank == 0 and not self.run.run_id and not self.run.disabled:
                entry.begin(self.run, self._asked)
            if place.world == 1:
                for early in self._early:
                    self.run.trainer_port.declare(early[0], early[1], unavailable=early[2])
                self.run.trainer_port.share_declarations(None)
                return place
            registry = self._registry = SharedControls(self.run, place.rank)
            if place.rank == 0:
                registry.overlay(NOT_YET)
            for early in self._early:
                registry.declare(*early)
            self._member = Member(self.run, place.rank, registry, self._timeout)
            return place

    def _start(self, name: str, main: Callable[[], None]) -> None:
        thread = threading.Thread(target=main, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _main(self) -> None:
        try:
            line = self._connect()
            if line is not None:
                self._join(line)
        except Exception as error:
            self._lost(error)
        finally:
            self._searched.set()

    def _connect(self) -> StoreConnection | None:
        """Return the job's store, as soon as there is one; None when there never will be."""
        began = time.monotonic()
        while not self._closed.is_set() and not self.run.disabled:
            place = self._identity
            if place is None and rank.initialized():
                place = self._decide(rank.of_group() or RankIdentity(0, 1))
            if place is not None and place.world == 1:
                return None
            store = of_agent() if place is not None else None
            if store is None and place is not None and rank.initialized():
                store, self._job = of_job()
            if store is not None:
                assert place is not None
                return StoreConnection(store, f"helm/{place.restart}", self._timeout)
            self._closed.wait(_LOOK_S if time.monotonic() - began < 10 else _LOOK_LATER_S)
        return None

    def _join(self, line: StoreConnection) -> None:
        place, member, registry = self._identity, self._member, self._registry
        assert place is not None
        assert member is not None
        assert registry is not None
        if place.rank == 0:
            number = entry.publish(line, self.run, place)
        else:
            found = entry.find(line, self.run, self._asked, place, self._closed.wait)
            if found is None:
                return
            number = found
        line = self._line = line.inside(str(number))
        member.attach(line)
        if place.rank == 0:
            reducer = Reducer(place.world, self._log_reduced)
            self._coordinator = centre = Coordinator(
                self.run, place.world, registry, member, line, reducer, self._timeout
            )
            ear = line.again()
            self._start("helm-ranks-post", lambda: self._guarded(lambda: centre.listen(ear)))
            self._start("helm-ranks-centre", lambda: self._guarded(centre.work))
        self._beat()
        first = line.count(mailbox_of(place.rank)) + 1
        line.post(HUB, {"re": "here", "from": place.rank, "pid": os.getpid()})
        self._start("helm-ranks-pulse", lambda: self._guarded(self._pulse))
        self._joined.set()
        self._searched.set()
        member.listen(line.again(), first)

    def _guarded(self, main: Callable[[], None]) -> None:
        try:
            main()
        except Exception as error:
            self._lost(error)

    def _lost(self, error: Exception) -> None:
        """The store is gone: at the end of a job that is expected."""
        if self._member is not None:
            self._member.reachable = False
            self._member.stop()
        if not self._closed.is_set():
            why = f"the ranks cannot agree: {type(error).__name__}: {error}"
            self._notices.once("lost", why)
            if self._registry is not None:
                self._registry.overlay(why)

    def _pulse(self) -> None:
        """Say where this rank is, each second, and send what is to be reduced."""
        every = min(1.0, self._timeout / 8)
        due = time.monotonic() + every
        while not self._closed.wait(min(_SEND_S, every)):
            self._send_rows()
            if time.monotonic() >= due:
                due = time.monotonic() + every
                self._beat()

    def _beat(self) -> None:
        if self._line is not None and self._member is not None:
            self._beats += 1
            # The process's own number tells a rank that came again from the one before it.
            beat = {"i": self._beats, "pid": os.getpid(), "at": self._member.passed}
            self._line.put(f"beat/{self.rank}", beat)

    def _send_rows(self, *, all_: bool = False) -> None:
        if self._line is not None:
            self._gathered.send(self._post_rows, all_=all_)

    def _post_rows(self, rows: list[Row]) -> None:
        assert self._line is not None
        self._line.post(HUB, {"re": "reduce", "from": self.rank, "rows": rows})

    def _log_reduced(self, values: Mapping[str, float], step: int | None) -> None:
        if not self.run.disabled:
            self.run.trainer_port.log_later(values, step)

    def _leave(self) -> None:
        """Send the last values, say that this rank ends, and post nothing after that.

        Also when rank 0 has ended the agreement already: it still waits for values.
        """
        line, member = self._line, self._member
        if line is None or member is None or not member.reachable:
            return
        self._send_rows(all_=True)
        line.post(HUB, {"re": "left", "from": self.rank, "at": member.passed})
        if self._coordinator is not None:
            self._coordinator.end(_END_S, self._gathered.given)
            line.post(HUB, {"re": "stop"})
        line.post(mailbox_of(self.rank), {"do": "stop"})
        line.close()
