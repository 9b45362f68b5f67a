"""A client of a run that knows nothing but the wire: sockets, keys, frames."""

from __future__ import annotations

import itertools
import time
import uuid
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

import msgspec
import zmq

from helm_sdk.keys import Keys, load_keys
from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import (
    Answer,
    Attach,
    Batch,
    Command,
    CommandState,
    Event,
    LiveEntry,
    Message,
    Refusal,
    SendCommand,
    Snapshot,
)
from helm_sdk.record import layout
from helm_sdk.record.runs import live_entries

_M = TypeVar("_M", bound=Message)
WAIT_SECONDS = 15.0


def wait_until(found: Callable[[], bool], seconds: float = WAIT_SECONDS) -> bool:
    """Look again every few milliseconds until something is so, where no event tells it."""
    until = time.monotonic() + seconds
    while not found():
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True


def state_of(event: Event) -> CommandState:
    """The state of a command that an event tells."""
    return msgspec.convert(event.body, CommandState)


class RawClient:
    """SUB and DEALER of one process of a run; single-threaded."""

    def __init__(self, run_id: str, process: str = "rank-0", keys: Keys | None = None) -> None:
        self.run_id, self.process = run_id, process
        entry = self._entry()
        own = keys or load_keys()
        self.context = zmq.Context()
        self.sub = self._socket(zmq.SUB, own, entry.public_key)
        self.sub.subscribe(run_id.encode())
        self.dealer = self._socket(zmq.DEALER, own, entry.public_key)
        self.monitor = self.dealer.get_monitor_socket(zmq.EVENT_HANDSHAKE_FAILED_AUTH)
        self.sub.connect(entry.publish)
        self.dealer.connect(entry.request)
        self._numbers = itertools.count(1)
        self.published: list[Message] = []

    def __enter__(self) -> RawClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close at once."""
        self.dealer.disable_monitor()
        self.context.destroy(linger=0)

    def number(self) -> str:
        """A fresh request number."""
        return str(next(self._numbers))

    def attach(self) -> Snapshot:
        """The snapshot; from then on the subscription is in place as well."""
        answer = self.ask_attach()
        self.await_published(lambda message: True)
        return answer

    def ask_attach(self) -> Snapshot:
        """The snapshot, at once."""
        answer = self.ask(Attach(request=self.number(), process=self.process, via="test"))
        assert isinstance(answer, Snapshot), answer
        return answer

    def ask(self, message: Message, topic: str = "") -> Message:
        """Send a request and wait for its reply."""
        self.dealer.send_multipart(wire.frames(topic or self.run_id, message))
        return self.reply()

    def reply(self, seconds: float = WAIT_SECONDS) -> Message:
        """The next reply."""
        assert self.dealer.poll(round(seconds * 1000)), "no reply"
        read = wire.read_reply(self.dealer.recv_multipart())
        assert read is not None
        return read[1]

    def send(self, capability: str, value: Any = None, **more: Any) -> tuple[str, Event]:
        """Send a command; its id and the event that answers it."""
        command = Command(id=more.pop("id", str(uuid.uuid4())), capability=capability, input=value, **more)
        answer = self.ask(
            SendCommand(request=self.number(), process=self.process, command=command, via="test")
        )
        assert isinstance(answer, Answer), answer
        return command.id, answer.event

    def refused(self, message: Message, topic: str = "") -> str:
        """The sentence with which a request is refused."""
        answer = self.ask(message, topic)
        assert isinstance(answer, Refusal), answer
        return answer.message

    def await_published(self, wanted: Callable[[Message], bool], seconds: float = WAIT_SECONDS) -> Message:
        """The next published message for which `wanted` is true; all are kept in `published`."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self.sub.poll(round(left * 1000)):
                read = wire.read_published(self.sub.recv_multipart())
                if read is not None:
                    self.published.append(read[1])
                    if wanted(read[1]):
                        return read[1]
        raise AssertionError("it was not published in time")

    def await_state(self, command_id: str, state: str) -> CommandState:
        """Wait until a command is published in this state."""
        found: list[CommandState] = []

        def has_it(message: Message) -> bool:
            events = message.events if isinstance(message, Batch) else ()
            for event in events:
                if event.kind == "command":
                    told = state_of(event)
                    if told.command_id == command_id and told.state == state:
                        found.append(msgspec.structs.replace(told))
                        return True
            return False

        if not any(has_it(message) for message in self.published):
            self.await_published(has_it)
        return found[0]

    def _entry(self) -> LiveEntry:
        found: list[LiveEntry] = []

        def listed() -> bool:
            entries = live_entries(layout.home(), self.run_id)
            found[:] = [entry for entry in entries if entry.process == self.process and entry.request]
            return bool(found)

        assert wait_until(listed), "the run is not in the live index"
        return found[0]

    def _socket(self, kind: int, own: Keys, server: str) -> zmq.Socket[bytes]:
        socket: zmq.Socket[bytes] = self.context.socket(kind)
        socket.curve_secretkey, socket.curve_publickey = own.secret.encode(), own.public.encode()
        socket.curve_serverkey = server.encode()
        socket.linger = 0
        return socket
