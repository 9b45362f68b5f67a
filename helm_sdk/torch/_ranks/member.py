"""One rank's part in a change: it promises to stop, waits for the word, applies, and keeps or restores."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from helm_sdk._controls.applier import frames_of
from helm_sdk._controls.safe_points import Applied, Pending
from helm_sdk._run.run import Run
from helm_sdk._shared.notice import Notices
from helm_sdk._shared.plain import to_json
from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Command
from helm_sdk.torch._ranks.membership import NOWHERE, Place
from helm_sdk.torch._ranks.registry import SharedControls
from helm_sdk.torch._ranks.store import Message, StoreConnection

HUB = "to/centre"


def mailbox_of(rank: int) -> str:
    """Return a rank's mailbox."""
    return f"to/{rank}"


@dataclass(eq=False)
class CommandRound:
    """A command on its way through the ranks, as one of them sees it."""

    number: int
    command: Command
    sender: str
    approver: str
    pending: Pending | None  # on rank 0, where it was received
    go: Message | None = None
    verdict: Message | None = None
    begun: bool = False

    def at(self, place: Place) -> bool:
        """Return True when this is where it is applied."""
        go = self.go
        return go is not None and "off" not in go and (bool(go.get("now")) or place >= tuple(go["at"]))


class Member:
    """The training thread calls `pass_safe_point`; a listener hands it what the mailbox brings."""

    def __init__(self, run: Run, rank: int, registry: SharedControls, timeout: float) -> None:
        self._run = run
        self._rank = rank
        self._registry = registry
        self._timeout = timeout
        self._changed = threading.Condition()
        self._round: CommandRound | None = None
        self._last = NOWHERE
        self.passed = NOWHERE  # the last safe point that was reached
        self.pendings: dict[int, Pending] = {}  # by round; the coordinator puts them here
        self.over = False  # this rank takes part in no further change
        self.reachable = True  # False once the store failed
        self._notices = Notices()

    def attach(self, line: StoreConnection) -> None:
        """From now on the others can be reached."""
        self._line = line

    # The training thread -----------------------------------------------------------------------

    def pass_safe_point(self, step: int) -> None:
        """Pass a safe point; where a change is under way, wait for the word and take part."""
        epoch, last = self._last
        place = self._last = (epoch + 1 if step < last else epoch, step)
        with self._changed:
            self.passed = place
            current = self._round
            if current is None or self.over:
                return
        try:
            self._meet(current, place)
        except Exception as error:  # the store is gone, and with it the job or its agreement
            self.over, self.reachable = True, False
            self._notices.once("over", f"the ranks cannot agree any more: {type(error).__name__}: {error}")

    def wait(self, timeout: float) -> None:
        """While paused: wait until there is something to serve."""
        with self._changed:
            self._changed.wait_for(lambda: self._round is not None and self._round.go is not None, timeout)

    def _meet(self, current: CommandRound, place: Place) -> None:
        deadline = time.monotonic() + self._timeout
        if self._await(lambda: current.go is not None or self._round is not current, deadline):
            if current.go is None:
                return
        else:
            off = {"off": f"rank {self._rank} waited {self._timeout:g} s for the others"}
            current.go = self._line.decide(f"go/{current.number}", off)
        if "off" in current.go:
            self._end(current)
        elif current.at(place):
            with self._changed:
                if self._round is not current:  # called off meanwhile
                    return
                current.begun = True
            try:
                self._participate(current, place, deadline)
            finally:
                self._end(current)

    def _participate(self, current: CommandRound, place: Place, deadline: float) -> None:
        command, registry, step = current.command, self._registry, place[1]
        context = registry.context(command, current.sender, current.approver, step)
        undo = registry.undo_of(command)
        act = not registry.reversible(command.capability)
        report: Message = {"re": "done", "n": current.number, "from": self._rank, "at": place}
        applied = Applied()
        try:
            if current.pending is not None and not self._run.trainer_port.applier.claim(
                current.pending, TRAINER_SAFE_POINT, step
            ):
                report["gone"] = True
            elif act:
                registry.check(command, context)
            else:
                applied = registry.run(command, context)
                report.update(old=to_json(applied.old), new=to_json(applied.new))
        except Exception as error:
            report.update(_error_text(error))
        except BaseException as error:
            report.update(_error_text(error))
            undo()
            if current.pending is not None:
                self._run.trainer_port.resolve(current.pending, error, step)
            self._line.post(HUB, report)
            raise
        self._line.post(HUB, report)
        word = self._verdict(current, deadline)
        mine = None if report.get("gone") else current.pending
        if not word["ok"]:
            undo()
            if mine is not None:
                abandon(self._run, mine, word, step)
        elif act:
            self._act(current, context)
        else:
            registry.commit(command, applied)
            if mine is not None:
                ranks = word.get("ranks", {})
                reported = Applied(applied.old, applied.new, applied.result, applied.step, ranks)
                self._run.trainer_port.resolve(mine, reported, step)

    def _act(self, current: CommandRound, context: Any) -> None:
        report: Message = {"re": "result", "n": current.number, "from": self._rank}
        try:
            applied = self._registry.run(current.command, context)
            report["result"] = to_json(applied.result)
            self._registry.commit(current.command, applied)
        except Exception as error:
            report.update(_error_text(error))
        except BaseException as error:
            report.update(_error_text(error))
            self._line.post(HUB, report)
            raise
        self._line.post(HUB, report)

    def _verdict(self, current: CommandRound, deadline: float) -> Message:
        if not self._await(lambda: current.verdict is not None, deadline):
            off = {"ok": False, "why": f"rank {self._rank} waited {self._timeout:g} s for the others"}
            current.verdict = self._line.decide(f"verdict/{current.number}", off)
        assert current.verdict is not None
        return current.verdict

    def _await(self, condition: Callable[[], bool], deadline: float) -> bool:
        with self._changed:
            return self._changed.wait_for(condition, max(0.0, deadline - time.monotonic()))

    def _end(self, current: CommandRound) -> None:
        with self._changed:
            if self._round is current:
                self._round = None
            self.pendings.pop(current.number, None)

    # The listener ------------------------------------------------------------------------------

    def listen(self, line: StoreConnection, number: int) -> None:
        """Take what the mailbox brings from this number on, until told to stop."""
        while not self.over:
            message = line.pop(mailbox_of(self._rank), number)
            number += 1
            kind = message["do"]
            if kind == "stop":
                return
            if kind == "end":
                self.stop()
            elif kind == "announce":
                self._announced(message)
            else:
                self._on_message(kind, message)

    def stop(self) -> None:
        """Agree no more, and let nobody wait."""
        with self._changed:
            self.over = True
            if self._round is not None and self._round.go is None:
                self._round.go = {"off": "the run has ended"}
            self._changed.notify_all()

    def _await_declared(self, name: str) -> None:
        """Before its first safe point this rank may still be on its way through `watch`."""
        deadline = time.monotonic() + self._timeout / 2
        with self._changed:
            while name not in self._registry and self.passed == NOWHERE and not self.over:
                if time.monotonic() >= deadline:
                    return
                self._changed.wait(0.02)

    def _announced(self, message: Message) -> None:
        number, command = message["n"], msgspec.convert(message["command"], Command)
        self._await_declared(command.capability)
        problem = self._registry.problem(command)
        made = CommandRound(
            number, command, message["sender"], message["approver"], self.pendings.get(number)
        )
        with self._changed:
            if not problem:
                self._round = made
            place, held = self.passed, self._registry.paused
        self._line.post(
            HUB,
            {"re": "ack", "n": number, "from": self._rank, "at": place, "held": held, "problem": problem},
        )

    def _on_message(self, kind: str, message: Message) -> None:
        with self._changed:
            current = self._round
            if current is None or current.number != message["n"]:
                return
            if kind == "go":
                current.go = message["word"]
            else:
                current.verdict = message["word"]
            if self._rank in (current.go or {}).get("skip", ()):  # it is not paused, there is nothing to do
                skipped = {"re": "done", "n": current.number, "from": self._rank, "skip": True}
                self._line.post(HUB, {**skipped, "at": self.passed})
            dead = (
                self._rank in (current.go or {}).get("skip", ())
                or "off" in (current.go or {})
                or (current.verdict is not None and not current.begun)
            )
            if dead:
                self._round = None
            self._changed.notify_all()


def abandon(run: Run, pending: Pending, word: Message, step: int | None) -> None:
    """Tell that a claimed command came to nothing, in the ranks' words."""
    why = str(word.get("why", ""))
    if word.get("refused"):
        run.trainer_port.resolve(pending, InvalidValue("", why), step)
    else:
        run.trainer_port.applier.fail(pending, why, step, tuple(word.get("frames", ())))


def _error_text(error: BaseException) -> Message:
    """Return an exception as the other ranks can read it."""
    if isinstance(error, InvalidValue):
        return {"refused": error.sentence}
    text = str(error)
    name = type(error).__name__
    return {"error": f"{name}: {text}" if text else name, "frames": list(frames_of(error))}
