"""One process of a run: its attempts in order, its link, and the questions put to it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import zmq

from helm_sdk._client.address import Address
from helm_sdk._client.attempts import Attempts
from helm_sdk._client.guard import is_consistent
from helm_sdk._client.link import CLOSED, OPENED, REFUSED, ProcessSockets
from helm_sdk._client.losses import Losses
from helm_sdk._client.pages import Pages
from helm_sdk._client.requests import OpenRequests, Question, command_of
from helm_sdk.keys import Keys
from helm_sdk.protocol.messages import (
    Answer,
    Attach,
    Batch,
    FilePart,
    Finished,
    Heartbeat,
    Message,
    Page,
    Refusal,
    Snapshot,
)
from helm_sdk.protocol.peer import LOST_AFTER_SECONDS
from helm_sdk.protocol.updates import (
    ATTACHED,
    CONNECTING,
    ENDED,
    KEY_REFUSED,
    LOST,
    AnswerUpdate,
    FileUpdate,
    HeartbeatUpdate,
    LinkUpdate,
    RefusalUpdate,
    Update,
)

_ATTACH_AGAIN_SECONDS: Final = 3.0
_LOOK_SECONDS: Final = 0.5
_KNOCK_AGAIN_SECONDS: Final = 1.0
_NOT_TRUSTED: Final = "the run does not trust this user's key: `helmctl key trust` lets it in over there"


@dataclass(frozen=True)
class ClientSettings:
    """What every process of a client shares."""

    context: zmq.Context[Any]
    keys: Keys
    via: str
    rcvhwm: int | None
    page_seconds: float
    clock: Callable[[], float] = time.monotonic


class ProcessLink:
    """Follows one process. Driven by `drain`, `read_history` and `tick`; used by one thread."""

    def __init__(self, attempts: Attempts, requests: OpenRequests, settings: ClientSettings) -> None:
        self.attempts = attempts
        self.process = attempts.process
        self.state = ""
        self._updates: list[Update] = attempts.updates
        self._requests = requests
        self._settings = settings
        self._clock = settings.clock
        self._link: ProcessSockets | None = None
        self._attempt = 0  # of the link; 0: not told yet
        self._losses = Losses()  # of links that are closed
        self._attach = ""
        self._attach_at = 0.0
        self._alive = 0.0  # monotonic time of the last sign of life
        self._looked = 0.0
        self._opened = 0.0
        self._broke = False
        self._pages = Pages(attempts, requests, settings.page_seconds, settings.clock)

    @property
    def linked(self) -> bool:
        """Whether there is anybody to ask."""
        return self._link is not None

    @property
    def is_ready(self) -> bool:
        """Whether a command may go out: it is clear what the process declares, or that nobody will say.

        Before the snapshot a reader without history could miss what becomes of it.
        """
        return self.state not in ("", CONNECTING)

    def pop_broken(self) -> bool:
        """Return True when the connection has broken off since the last call: the process may be gone."""
        broke, self._broke = self._broke, False
        return broke

    def sockets(self) -> list[zmq.Socket[Any]]:
        """Return what to wait on."""
        return [] if self._link is None else self._link.sockets()

    def connect(self, address: Address, attempt: int, role: str = "") -> None:
        """Follow the process where it answers now; what was followed before is closed."""
        if attempt:
            self.attempts.meet(attempt, role, live=True)
        self._attempt = attempt
        self._report_link(CONNECTING, f"connecting to {address.process}")
        self._open_link(address)

    def disconnect(self, state: str, text: str) -> None:
        """Nobody can be asked (any more): the file says what there is."""
        self._close_link()
        for attempt in self.attempts.all():
            self.attempts.check_file(attempt.line.attempt)
        for requested in self._requests.abandon():
            message = "the process ended before it answered"
            self._updates.append(
                RefusalUpdate(self.process, requested.question.request, requested.command_id, message)
            )
        self._report_link(state, text)

    def send(self, question: Question) -> None:
        """Put a question; the answer comes as an update."""
        if self._link is not None and self._link.send(question):
            self._requests.add(question)
            return
        message = "the run takes no more requests now" if self._link else "the process does not live any more"
        self._updates.append(RefusalUpdate(self.process, question.request, command_of(question), message))

    def drain(self) -> None:
        """Take in everything that has come over the sockets."""
        link = self._link
        if link is None:
            return
        for change in link.changes():
            self._changed(change)
        for reply, _ in link.replies():
            self._alive = self._clock()
            self._answered(reply)
        for message, size in link.published():
            self._published(message, size)
        self._pages.request_next(self._link, self.state == ATTACHED)

    def read_history(self, until: float) -> bool:
        """Read files until a time; whether there is more at once."""
        return self.attempts.read_file(until)

    def tick(self) -> None:
        """What is due by the clock: attach again, look at the file, tell that it was lost."""
        now = self._clock()
        if self.state != ATTACHED and now - self._looked >= _LOOK_SECONDS:
            self._looked = now
            self.attempts.check_file(self.attempts.newest)
        if self.state == KEY_REFUSED and self._link and now - self._opened > _KNOCK_AGAIN_SECONDS:
            self._open_link(self._link.address)  # ZeroMQ does not connect again after a refusal
        if self._attach and now - self._attach_at > _ATTACH_AGAIN_SECONDS:
            self._send_attach()
        elif self.state == ATTACHED and now - self._alive > LOST_AFTER_SECONDS:
            self._report_link(LOST, f"nothing was heard for {LOST_AFTER_SECONDS:.0f} s")
        for attempt in self.attempts.all():
            self.attempts.finish_if_complete(attempt)
        self._pages.request_next(self._link, self.state == ATTACHED)

    def losses(self) -> Losses:
        """Return what was lost on the way from this process."""
        total = self.attempts.losses()
        total.add(self._losses)
        if self._link is not None:
            total.add(self._link.losses)
        return total

    def close(self) -> None:
        """Close sockets and files."""
        self._close_link()
        self.attempts.close()

    def _changed(self, change: str) -> None:
        if change == OPENED:
            self._send_attach()
            for question in self._requests.waiting():
                if self._link is not None:
                    self._link.send(question)
        elif change == REFUSED:
            self._report_link(KEY_REFUSED, _NOT_TRUSTED)
        elif change == CLOSED and self.state in (ATTACHED, LOST):
            self._pages.forget()
            self._broke = True
            self._report_link(CONNECTING, "the connection broke off, connecting again")

    def _send_attach(self) -> None:
        self._attach, self._attach_at = self._requests.new_id(), self._clock()
        if self._link is not None:
            self._link.send(Attach(request=self._attach, process=self.process, via=self._settings.via))

    def _published(self, message: Message, size: int) -> None:
        if isinstance(message, Batch):
            self._batch(message, size)
        elif isinstance(message, Heartbeat | Finished):
            if message.process != self.process or message.attempt != self._attempt or message.last_seq < 0:
                self._losses.malformed += 1
                return
            attempt = self.attempts.meet(self._attempt)
            attempt.line.on_last_number(message.last_seq)
            self._alive = self._clock()
            if isinstance(message, Heartbeat):
                if self.state == LOST:
                    self._report_link(ATTACHED, "heard again")
                self._updates.append(HeartbeatUpdate(self.process, self._attempt, message))
            else:
                attempt.finished, attempt.moved = attempt.finished or message, self._clock()
                self.attempts.finish_if_complete(attempt)

    def _batch(self, batch: Batch, size: int) -> None:
        if not self._attempt:
            return  # the snapshot tells which attempt this is, and history brings it
        if not is_consistent(batch, self.process, self._attempt):
            self._losses.malformed += 1
            return
        self._alive = self._clock()
        attempt = self.attempts.meet(self._attempt)
        self.attempts.deliver(attempt, attempt.line.live(batch, size), False)

    def _answered(self, reply: Message) -> None:
        if isinstance(reply, Snapshot):
            self._attached(reply)
        elif isinstance(reply, Page):
            self._pages.apply(reply)
        elif isinstance(reply, Answer):
            requested = self._requests.pop(reply.request)
            if requested is not None:
                update = AnswerUpdate(
                    self.process, self._attempt, reply.request, requested.command_id, reply.event
                )
                self._updates.append(update)
        elif isinstance(reply, FilePart):
            if self._requests.pop(reply.request) is not None:
                self._updates.append(FileUpdate(self.process, reply.request, reply))
        elif isinstance(reply, Refusal):
            requested = self._requests.pop(reply.request)
            if requested is not None:
                self._updates.append(
                    RefusalUpdate(self.process, reply.request, requested.command_id, reply.message)
                )
            else:
                self._pages.refused(reply.request)

    def _attached(self, snapshot: Snapshot) -> None:
        if snapshot.request != self._attach or snapshot.process != self.process:
            return
        if snapshot.attempt < 1 or (self._attempt and snapshot.attempt != self._attempt):
            self._losses.malformed += 1
            return
        self._attach, self._attempt = "", snapshot.attempt
        for number, last_seq in snapshot.attempts.items():
            if self.attempts.history and 1 <= number < snapshot.attempt:
                self.attempts.meet(number).line.exists(last_seq)
        known = self.attempts.get(snapshot.attempt)
        attempt = self.attempts.meet(snapshot.attempt, live=True)
        if not self.attempts.history and (known is None or known.file is None) and attempt.line.have == 0:
            self.attempts.deliver(attempt, attempt.line.skip(snapshot.last_seq), False)
        attempt.line.exists(snapshot.last_seq)
        self.attempts.learn(snapshot.catalogues)
        self._report_link(ATTACHED, f"attached to {self.process}", snapshot)

    def _report_link(self, state: str, text: str, snapshot: Snapshot | None = None) -> None:
        if state != self.state or snapshot is not None:
            self.state = state
            self._updates.append(LinkUpdate(self.process, state, text, snapshot))

    def _open_link(self, address: Address) -> None:
        self._close_link()
        self._opened = self._clock()
        try:
            self._link = ProcessSockets(
                self._settings.context,
                address,
                self._settings.keys,
                rcvhwm=self._settings.rcvhwm,
                clock=self._clock,
            )
        except (zmq.ZMQError, ValueError) as error:
            self._report_link(ENDED, f"{address.process} cannot be reached: {error}")

    def _close_link(self) -> None:
        if self._link is not None:
            self.drain()
            self._losses.add(self._link.losses)
            self._link.close()
            self._link = None
        self._attach = ""
        self._pages.forget()
