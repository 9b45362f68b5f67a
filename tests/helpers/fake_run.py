"""A fake run: one process that speaks the real protocol over real CURVE sockets, and does what it is told."""

from __future__ import annotations

import contextlib
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import zmq
import zmq.utils.z85

from helm_sdk.client import Address
from helm_sdk.keys import Keys
from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import (
    Answer,
    ApproveCommand,
    Attach,
    Backfill,
    Batch,
    CancelCommand,
    Catalogue,
    Event,
    Finished,
    Heartbeat,
    Message,
    Page,
    PointGroup,
    Refusal,
    SendCommand,
    Snapshot,
    StreamDef,
)

RUN_ID = "20261129-120000-abc123"


def make_keys() -> Keys:
    """A CURVE pair that no run trusts yet."""
    public, secret = zmq.curve_keypair()
    return Keys(public.decode(), secret.decode(), Path(tempfile.gettempdir()))


def group_of(steps: Sequence[int], *columns: Sequence[float]) -> PointGroup:
    """Rows of the streams 1, 2, …, at times that equal their steps."""
    rows = len(steps)
    return PointGroup(
        streams=tuple(range(1, len(columns) + 1)),
        steps=struct.pack(f"<{rows}q", *steps),
        times=struct.pack(f"<{rows}d", *steps),
        values=b"".join(struct.pack(f"<{rows}d", *column) for column in columns),
    )


class FakeRun:
    """PUB, ROUTER and ZAP of one process, served when `serve` is called or by a thread after `start`.

    `trusted` are the public keys that are let in. `on_command` decides what becomes of a command: it is
    given the command and returns (state, further fields of its CommandState), one pair for each state.
    """

    def __init__(
        self, *trusted: str, run_id: str = RUN_ID, process: str = "rank-0", attempt: int = 1
    ) -> None:
        self.run_id, self.process, self.attempt = run_id, process, attempt
        self.trusted = set(trusted)
        self.batches: list[Batch] = []
        self.older: dict[int, list[Batch]] = {}
        self.requests: list[Message] = []
        self.routes: list[bytes] = []  # who asked, newest last
        self.catalogues: tuple[Catalogue, ...] = ()
        self.silent: set[type[Message]] = set()  # requests that are never answered
        self.page_batches = 5
        self.on_command: Callable[[SendCommand], Sequence[tuple[str, dict[str, Any]]]] = _apply_at_once
        self._answered: dict[str, Event] = {}
        self._events = 0
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._context = zmq.Context()
        self._zap = self._context.socket(zmq.ROUTER)
        self._zap.bind("inproc://zeromq.zap.01")
        public, secret = zmq.curve_keypair()
        self.public_key = public.decode()
        self._pub = self._server(zmq.PUB, secret)
        self._router = self._server(zmq.ROUTER, secret)
        self.address = Address(
            run_id, self._endpoint(self._pub), self._endpoint(self._router), self.public_key, process
        )

    def __enter__(self) -> FakeRun:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def last_seq(self) -> int:
        """The number of the last batch."""
        return len(self.batches)

    def batch(self, *, events: Sequence[Event] = (), rows: int = 1, value: float = 0.5) -> Batch:
        """The next batch, kept as on disk but not published."""
        with self._lock:
            seq = len(self.batches) + 1
            batch = Batch(
                process=self.process,
                attempt=self.attempt,
                seq=seq,
                streams=(StreamDef(id=1, name="train/loss"),) if seq == 1 else (),
                groups=(group_of(range(seq, seq + rows), [value] * rows),),
                events=tuple(events),
                catalogues=self.catalogues if seq == 1 else (),
            )
            self.batches.append(batch)
            return batch

    def publish(self, message: Message) -> None:
        """Send a message to whoever subscribes."""
        self.raw(*wire.frames(self.run_id, message))

    def raw(self, *parts: bytes) -> None:
        """Send any frames to whoever subscribes."""
        with self._lock:
            self._pub.send_multipart(parts)

    def write(self, count: int = 1, **what: Any) -> None:
        """Make and publish batches."""
        for _ in range(count):
            self.publish(self.batch(**what))

    def heartbeat(self) -> None:
        """Say that it lives and how far it is."""
        self.publish(self._heartbeat())

    def finish(self, outcome: str = "finished") -> None:
        """Say the last word."""
        self.publish(
            Finished(
                process=self.process,
                attempt=self.attempt,
                last_seq=self.last_seq,
                time=time.time(),
                outcome=outcome,
            )
        )

    def event(self, kind: str, body: dict[str, Any], step: int | None = None) -> Event:
        """The next event, in no batch yet."""
        self._events += 1
        return Event(id=self._events, kind=kind, time=time.time(), step=step, body=body)

    def serve(self) -> None:
        """Do everything that was asked so far."""
        with self._lock:
            for parts in _received(self._zap):
                self._admit(parts)
            for parts in _received(self._router):
                self._serve(parts)

    def start(self) -> FakeRun:
        """Serve from a thread until it is closed."""
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        """Gone, as after SIGKILL: no last word."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            self._context.destroy(linger=0)

    def reply(self, to: bytes, message: Message) -> None:
        """Answer one client."""
        self.raw_reply(to, *wire.frames(self.run_id, message))

    def raw_reply(self, to: bytes, *parts: bytes) -> None:
        """Send any frames to one client."""
        self._router.send_multipart([to, *parts])

    def _loop(self) -> None:
        while not self._stop.wait(0.002):
            self.serve()

    def _server(self, kind: int, secret: bytes) -> zmq.Socket[bytes]:
        socket: zmq.Socket[bytes] = self._context.socket(kind)
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.ZAP_DOMAIN, b"helm")
        socket.setsockopt(zmq.CURVE_SERVER, 1)
        socket.setsockopt(zmq.CURVE_SECRETKEY, secret)
        socket.bind("tcp://127.0.0.1:*")
        return socket

    @staticmethod
    def _endpoint(socket: zmq.Socket[bytes]) -> str:
        return bytes(socket.getsockopt(zmq.LAST_ENDPOINT)).rstrip(b"\0").decode()

    def _admit(self, parts: list[bytes]) -> None:
        client, _, version, request, *_, key = parts
        good = zmq.utils.z85.encode(key).decode() in self.trusted
        status = (b"200", b"OK") if good else (b"400", b"not on the allow-list")
        self._zap.send_multipart([client, b"", version, request, *status, b"somebody", b""])

    def _serve(self, parts: list[bytes]) -> None:
        to = parts[0]
        read = wire.read_request(parts[1:])
        if read is None:
            return
        request = read[1]
        self.requests.append(request)
        self.routes.append(to)
        if type(request) in self.silent:
            return
        if isinstance(request, Attach):
            self.reply(to, self._snapshot(request))
        elif isinstance(request, Backfill):
            self.reply(to, self._page(request))
        elif isinstance(request, SendCommand):
            self._command(to, request)
        elif isinstance(request, CancelCommand | ApproveCommand):
            self.reply(to, Refusal(request=request.request, message="this fake neither cancels nor approves"))

    def _snapshot(self, request: Attach) -> Snapshot:
        attempts = {number: len(batches) for number, batches in self.older.items()}
        return Snapshot(
            request=request.request,
            process=self.process,
            attempt=self.attempt,
            last_seq=self.last_seq,
            attempts={**attempts, self.attempt: self.last_seq},
            heartbeat=self._heartbeat(),
            catalogues=self.catalogues,
        )

    def _page(self, request: Backfill) -> Page:
        source = self.older.get(request.attempt, self.batches)
        batches = source[request.after_seq : request.upto_seq][: self.page_batches]
        last = batches[-1].seq if batches else request.after_seq
        return Page(
            request=request.request,
            process=self.process,
            attempt=request.attempt,
            last=last,
            batches=tuple(batches),
        )

    def _command(self, to: bytes, request: SendCommand) -> None:
        command = request.command
        if command.id not in self._answered:
            for number, (state, more) in enumerate(self.on_command(request)):
                step = more.pop("step", None)
                body = {
                    "command_id": command.id,
                    "capability": command.capability,
                    "state": state,
                    **more,
                }
                event = self.event("command", body, step)
                if number == 0:
                    self._answered[command.id] = event
                    self.reply(to, Answer(request=request.request, process=self.process, event=event))
                self.publish(self.batch(events=[event]))
            return
        self.reply(
            to, Answer(request=request.request, process=self.process, event=self._answered[command.id])
        )

    def _heartbeat(self) -> Heartbeat:
        return Heartbeat(process=self.process, attempt=self.attempt, last_seq=self.last_seq, time=time.time())


def _apply_at_once(request: SendCommand) -> Sequence[tuple[str, dict[str, Any]]]:
    return [
        ("received", {"input": request.command.input, "reason": request.command.reason}),
        ("waiting", {"safe_point": "trainer.step"}),
        ("applied", {"new": request.command.input, "result": "done", "revision": 1, "step": 7}),
    ]


def _received(socket: zmq.Socket[bytes]) -> Iterator[list[bytes]]:
    with contextlib.suppress(zmq.Again):
        while True:
            yield socket.recv_multipart(zmq.NOBLOCK)
