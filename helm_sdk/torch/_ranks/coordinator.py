"""Rank 0's side of the agreement: asks every rank, says where a change is applied, and what came of it."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable

import msgspec

from helm_sdk._controls.safe_points import Applied, Pending
from helm_sdk._run.run import Run
from helm_sdk._shared.notice import Notices
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT
from helm_sdk.torch._ranks.member import HUB, Member, abandon, mailbox_of
from helm_sdk.torch._ranks.membership import NOWHERE, Membership
from helm_sdk.torch._ranks.reduce import Reducer
from helm_sdk.torch._ranks.registry import SharedControls
from helm_sdk.torch._ranks.store import Message, StoreConnection

_LOOK_S = 0.1
_AGAIN_S = 0.05
_SLICE_S = 0.25
_YOUNG_S = 10.0

Answers = dict[int, Message]


class Coordinator:
    """Carries one command at a time through the ranks. `work` and `listen` each have a thread."""

    def __init__(
        self,
        run: Run,
        world: int,
        registry: SharedControls,
        member: Member,
        line: StoreConnection,
        reducer: Reducer,
        timeout: float,
    ) -> None:
        self._run = run
        self._world = world
        self._registry = registry
        self._member = member
        self._line = line
        self._reducer = reducer
        self._timeout = timeout
        self.membership = Membership(world, timeout)
        self._news = threading.Condition()
        self._answers: dict[tuple[str, int], Answers] = defaultdict(dict)
        self._number = 0
        self._tended = 0.0
        self._began = time.monotonic()
        self._asked = list(range(world))  # the ranks that the command under way needs
        self._ending = False
        self.idle = threading.Event()
        self.idle.set()
        self._notices = Notices()

    def work(self) -> None:
        """Look for commands that concern every rank, until told to end."""
        point = self._run.trainer_port.safe_points.visit(TRAINER_SAFE_POINT)
        while not self._ending:
            try:
                self._tend()
                if not self._run.trainer_port.wait(TRAINER_SAFE_POINT, _LOOK_S):
                    continue
                pending = next(iter(point.queue), None)
                if pending is None or pending.command.capability not in self._registry:
                    time.sleep(_LOOK_S / 10)  # the loop's own to apply
                    continue
                self.idle.clear()
                self._carry(pending)
            except Exception as error:
                if self._ending:
                    return
                self._broken(error)
            finally:
                self.idle.set()

    def listen(self, line: StoreConnection) -> None:
        """Take what the ranks send, until told to stop."""
        number = 0
        while True:
            number += 1
            message = line.pop(HUB, number)
            kind = message["re"]
            if kind == "stop":
                return
            if kind == "reduce":
                self._reducer.add(message["from"], message["rows"])
            with self._news:
                now = time.monotonic()
                if kind == "here":
                    self.membership.here(message["from"], now)
                elif kind == "left":
                    self.membership.left(message["from"], tuple(message["at"]))
                elif kind != "reduce":
                    if "at" in message:
                        self.membership.reached(message["from"], tuple(message["at"]))
                    self._answers[kind, message["n"]][message["from"]] = message
                self._news.notify_all()

    def end(self, patience: float, values_given: bool) -> None:
        """Let what is under way come to its end, then tell the ranks and wait until all of them have left.

        The wait lasts `patience` seconds at most, or the timeout as long as a value that this rank gave to a
        reduction (`values_given`) may still come from the others.
        """
        began = time.monotonic()
        self.idle.wait(patience)
        self._ending = True
        self._send({"do": "end"})
        with self._news:
            while not self._all_left():
                # Before rank 0's own last message is read, the reducer does not know all of its values.
                unread = values_given and 0 not in self.membership.gone()
                longest = max(patience, self._timeout) if unread or self._reducer.waiting else patience
                if (left := began + longest - time.monotonic()) <= 0:
                    return
                self._news.wait(left)

    # One command -------------------------------------------------------------------------------

    def _carry(self, pending: Pending) -> None:
        began = time.monotonic()
        while True:
            if not self._can(pending):
                self._tend(now=True)
                if self._claim(pending):  # its control became usable again meanwhile
                    abandon(self._run, pending, {"why": "a rank was away", "refused": True}, self._run.step)
                return
            self._number += 1
            number = self._number
            self._line.drop(*(f"{word}/{number - 2}" for word in ("go", "verdict")))
            word = self._collect_answers(pending, number, last=time.monotonic() - began > self._timeout)
            if word is None:
                time.sleep(_AGAIN_S)
                continue
            if "off" in word:
                self._abandon(pending, {"why": word["off"], "refused": word.get("refused", False)})
            else:
                self._complete(pending, number, word)
            for key in [key for key in self._answers if key[1] <= number]:
                del self._answers[key]
            return

    def _collect_answers(self, pending: Pending, number: int, last: bool) -> Message | None:
        """Announce and collect: where it is applied, or why not; None to ask again in a moment."""
        command = msgspec.structs.replace(pending.command, expires_step=None, expires_in=None)
        shown = msgspec.to_builtins(command)
        requested = {"sender": pending.state.sender, "approver": pending.state.approver}
        self._member.pendings[number] = pending
        self._asked = self._needed(pending)
        for rank in self._asked:
            if rank:  # revisions and expiry are counted on rank 0
                shown = {key: value for key, value in shown.items() if key != "expect_revision"}
            message = {"do": "announce", "n": number, "command": shown, **requested}
            self._line.post(mailbox_of(rank), message)
        answers = self._gather("ack", number, lambda began: time.monotonic() - began)
        word = self._decision(answers, pending, last)
        word = self._line.decide(f"go/{number}", word)
        self._send({"do": "go", "n": number, "word": word})
        return None if word.get("off") == "again" else word

    def _decision(self, answers: Answers, pending: Pending, last: bool) -> Message:
        problems = [
            f"rank {rank}: {answer['problem']}" for rank, answer in answers.items() if answer["problem"]
        ]
        if 0 in answers and answers[0]["problem"]:
            return {"off": answers[0]["problem"], "refused": True}
        if problems:
            return {"off": "; ".join(problems), "refused": True}
        if missing := self._missing(answers):
            return {"off": f"{_ranks(missing)} did not answer within {self._timeout:g} s"}
        held = [rank for rank, answer in answers.items() if answer["held"]]
        if len(held) == len(self._asked):
            return {"now": True}
        if not held:
            furthest = max(tuple(answer["at"]) for answer in answers.values())
            return {"at": furthest if furthest == NOWHERE else (furthest[0], furthest[1] + 1)}
        if not last:
            return {"off": "again"}
        free = [rank for rank in self._asked if rank not in held]
        if self._registry.usable_while_held(pending.command.capability):
            return {"now": True, "skip": free}
        return {"off": f"{_ranks(held)} paused, {_ranks(free)} not: send resume first"}

    def _complete(self, pending: Pending, number: int, word: Message) -> None:
        first: list[float] = []

        def waited(_: float) -> float:
            if not first and self._answers["done", number]:
                first.append(time.monotonic())
            return time.monotonic() - first[0] + self._timeout * 0.25 if first else 0.0

        answers = self._gather("done", number, waited)
        act = not self._registry.reversible(pending.command.capability)
        verdict = self._line.decide(f"verdict/{number}", self._judge(answers, word, number))
        if not verdict["ok"]:
            self._send({"do": "verdict", "n": number, "word": verdict})
            if self._claim(pending):  # else rank 0's loop has it, and tells
                abandon(self._run, pending, verdict, self._run.step)
            return
        self._send({"do": "verdict", "n": number, "word": verdict})
        if act:
            self._results(pending, number, answers[0]["at"][1])

    def _judge(self, answers: Answers, word: Message, number: int) -> Message:
        bad = {rank: answer for rank, answer in answers.items() if "refused" in answer or "error" in answer}
        if bad:
            return {"ok": False, **_failure(bad)}
        if any(answer.get("gone") for answer in answers.values()):
            return {"ok": False, "why": "withdrawn"}
        if missing := self._missing(answers):
            with self._news:
                why = self.membership.reason(time.monotonic())
                for rank in missing:
                    self.membership.late(rank, tuple(word.get("at", NOWHERE)))
            why = why or f"{_ranks(missing)} did not come to it within {self._timeout:g} s"
            return {"ok": False, "why": f"{why}; nothing was changed"}
        took = {rank: answer for rank, answer in answers.items() if not answer.get("skip")}
        steps = {tuple(answer["at"]) for answer in took.values()}
        if len(steps) > 1:
            at = ", ".join(
                f"rank {rank} is at step {answer['at'][1]}" for rank, answer in sorted(took.items())
            )
            return {"ok": False, "why": f"the ranks count steps differently: {at}; nothing was changed"}
        ranks = {
            f"rank-{rank}": {"old": answer["old"], "new": answer["new"]}
            for rank, answer in sorted(took.items())
            if answer.get("new") is not None or answer.get("old") is not None
        }
        return {"ok": True, "ranks": ranks}

    def _results(self, pending: Pending, number: int, step: int) -> None:
        answers = self._gather("result", number, lambda _: 0.0)
        bad = {rank: answer for rank, answer in answers.items() if "error" in answer or "refused" in answer}
        missing = self._missing(answers)
        if bad:
            abandon(self._run, pending, _failure(bad), step)
        elif 0 in missing:
            abandon(self._run, pending, {"why": f"no word from {_ranks(missing)}"}, step)
        else:
            self._run.trainer_port.resolve(pending, Applied(result=answers[0]["result"]), step)

    def _gather(self, kind: str, number: int, waited: Callable[[float], float]) -> Answers:
        """Return the ranks' answers: all of them, or those that came in time while every rank was there."""
        began = time.monotonic()
        with self._news:
            while True:
                answers = self._answers[kind, number]
                if not self._missing(answers) or waited(began) > self._timeout or self._ending:
                    return dict(answers)
                if any(rank not in answers for rank in self._away() if rank in self._asked):
                    return dict(answers)
                if (
                    kind == "done"
                    and len(self._asked) == self._world
                    and self.membership.reason(time.monotonic())
                ):
                    return dict(answers)
                self._news.wait(_SLICE_S)
                if self._missing(self._answers[kind, number]):
                    self._news.release()
                    try:
                        self._tend()
                    finally:
                        self._news.acquire()

    # The ranks ---------------------------------------------------------------------------------

    def _can(self, pending: Pending) -> bool:
        """Return True when a command may be asked of the ranks as they are now."""
        return not self.membership.reason(time.monotonic()) or self._alone(pending)

    def _alone(self, pending: Pending) -> bool:
        """Return True when a command is allowed while the loop is held and a rank is away."""
        return self._registry.usable_while_held(pending.command.capability) and self._registry.paused

    def _needed(self, pending: Pending) -> list[int]:
        if not (self._alone(pending) and self.membership.reason(time.monotonic())):
            return list(range(self._world))
        silent = self.membership.silent(time.monotonic())
        return [rank for rank in self.membership.present() if rank not in silent]

    def _missing(self, answers: Answers) -> list[int]:
        return [rank for rank in self._asked if rank not in answers]

    def _away(self) -> list[int]:
        return [*self.membership.gone(), *self.membership.silent(time.monotonic())]

    def _tend(self, now: bool = False) -> None:
        """Read the ranks' beats, and say on the cards what they mean."""
        at = time.monotonic()
        if not now and at - self._tended < min(1.0, self._timeout / 8):
            return
        self._tended = at
        with self._news:
            present = self.membership.present()
        for rank in present:
            beat = self._line.get(f"beat/{rank}")
            if beat is not None:
                with self._news:
                    self.membership.on_beat(rank, beat["i"], tuple(beat["at"]), at)
        with self._news:
            reason = self.membership.reason(at)
        self._registry.overlay(reason)

    def _all_left(self) -> bool:
        young = time.monotonic() - self._began < _YOUNG_S  # who is not there yet may be about to come
        return len(self.membership.gone()) + (0 if young else len(self.membership.absent())) >= self._world

    def _send(self, message: Message) -> None:
        for rank in range(self._world):
            self._line.post(mailbox_of(rank), message)

    def _claim(self, pending: Pending) -> bool:
        return self._run.trainer_port.applier.claim(pending, TRAINER_SAFE_POINT, self._run.step)

    def _abandon(self, pending: Pending, word: Message) -> None:
        if self._claim(pending):
            abandon(self._run, pending, word, self._run.step)

    def _broken(self, error: Exception) -> None:
        why = f"{type(error).__name__}: {error}"
        self._registry.overlay(f"the ranks cannot agree: {why}")
        self._notices.once("broken", f"the ranks cannot agree: {why}")
        time.sleep(1.0)


def _ranks(ranks: list[int]) -> str:
    return ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))


def _failure(bad: Answers) -> Message:
    """Return each rank's own message; refused only where every one of them refused."""
    message = {rank: answer.get("error") or answer.get("refused") for rank, answer in sorted(bad.items())}
    refused = all("refused" in answer for answer in bad.values())
    if refused and len(set(message.values())) == 1:
        why = str(next(iter(message.values())))
    else:
        why = "; ".join(f"rank {rank}: {text}" for rank, text in message.items())
    frames: list[str] = next(
        (answer["frames"] for _, answer in sorted(bad.items()) if "frames" in answer), []
    )
    return {"why": why, "refused": refused, "frames": frames}
