"""Answers to the requests on a process's ROUTER socket: attach, pages of history, commands, files."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helm_sdk._controls.lifecycle import CommandLifecycle, RequestRefused, Sender
from helm_sdk._recorder.sockets import Request
from helm_sdk.protocol import wire
from helm_sdk.protocol.errors import WireError
from helm_sdk.protocol.messages import (
    Answer,
    ApproveCommand,
    Attach,
    Backfill,
    CancelCommand,
    Event,
    Fetch,
    FilePart,
    Message,
    Page,
    Refusal,
    SendCommand,
    Snapshot,
)
from helm_sdk.record import layout
from helm_sdk.record.errors import RecordError
from helm_sdk.record.reader import ProcessReader

_PAGE_BYTES = 1 << 20
_REFUSALS_A_SECOND = 20
_CLIENTS = 1000
_DECISIONS = 1000

Reply = Callable[[bytes, Message], None]


@dataclass
class RequestBackend:
    """The part of the recorder that answers need: names, and functions that read its present state."""

    run_id: str
    process: str
    attempt: int
    folder: Path
    snapshot: Callable[[str], Snapshot]
    step: Callable[[], int | None]
    failing: Callable[[], str]
    later: Callable[[Callable[[], None]], None]
    last_seq: Callable[[], int]


@dataclass
class _Client:
    second: int = 0
    refusals: int = 0
    page: Backfill | None = None
    via: str = field(default="")


class RequestHandler:
    """Answers requests on the recorder's thread; one that fails is answered with one sentence."""

    def __init__(self, backend: RequestBackend, lifecycle: CommandLifecycle, reply: Reply) -> None:
        self._backend = backend
        self._lifecycle = lifecycle
        self._reply = reply
        self._clients: dict[bytes, _Client] = {}
        self._readers: dict[int, ProcessReader] = {}
        self._decided: dict[tuple[str, str, str], Event] = {}
        self.malformed = 0
        self.unknown = 0

    def answer(self, request: Request) -> None:
        """Answer one request; a page of history is read and sent later, by `send_page`."""
        try:
            read = wire.read_request(request.frames)
        except WireError as error:
            self.malformed += 1
            self._refuse(request.route, "", str(error))
            return
        if read is None:
            self.unknown += 1
            return
        topic, message = read
        request_id = str(getattr(message, "request", ""))
        try:
            self._check_address(topic, message)
            self._dispatch(request, message)
        except (RequestRefused, RecordError, WireError) as error:
            self._refuse(request.route, request_id, str(error))
        except Exception as error:
            self._refuse(request.route, request_id, f"the request failed: {type(error).__name__}: {error}")

    def send_page(self) -> bool:
        """Read one page of history and send it to the client that waited longest; False when none waits."""
        for route, client in list(self._clients.items()):
            if client.page is not None:
                wanted, client.page = client.page, None
                self._clients[route] = self._clients.pop(
                    route
                )  # at the end of the order, so that the others come first next time
                try:
                    self._send_page(route, wanted)
                except Exception as error:
                    self._refuse(route, wanted.request, f"the history could not be read: {error}")
                return True
        return False

    def close(self) -> None:
        """Close the readers of history."""
        for reader in self._readers.values():
            reader.close()
        self._readers.clear()

    def _check_address(self, topic: str, message: Message) -> None:
        if topic != self._backend.run_id:
            raise RequestRefused(f"this is run {self._backend.run_id}, the request is for {topic}")
        process = getattr(message, "process", "")
        if process not in ("", "all", self._backend.process):
            raise RequestRefused(f"this is process {self._backend.process}, the request is for {process}")

    def _dispatch(self, request: Request, message: Message) -> None:
        client = self._client(request.route)
        sender = Sender(request.key, request.name, getattr(message, "via", "") or client.via)
        step = self._backend.step()
        if isinstance(message, Attach):
            client.via = message.via[:200]
            self._reply(request.route, self._backend.snapshot(message.request))
        elif isinstance(message, Backfill):
            if client.page is not None:
                raise RequestRefused("one page at a time: wait for the last one")
            client.page = message
        elif isinstance(message, Fetch):
            self._reply(request.route, read_part(self._backend.folder, message))
        elif self._backend.failing():
            raise RequestRefused(f"the run cannot write its folder now: {self._backend.failing()}")
        elif isinstance(message, SendCommand):
            self._answer(
                request.route, message.request, self._lifecycle.receive(message.command, sender, step)
            )
        elif isinstance(message, CancelCommand | ApproveCommand):
            self._answer(request.route, message.request, self._decide(message, sender, step))

    def _decide(self, message: CancelCommand | ApproveCommand, sender: Sender, step: int | None) -> Event:
        """Carry out a cancel or an approval once; a request that is sent again gets the earlier answer."""
        requested = (sender.key, message.request, message.command_id)
        event = self._decided.get(requested)
        if event is None:
            if isinstance(message, CancelCommand):
                event = self._lifecycle.cancel(message.command_id, message.reason, sender, step)
            else:
                event = self._lifecycle.approve(
                    message.command_id, message.approve, message.reason, sender, step
                )
            while len(self._decided) >= _DECISIONS:
                del self._decided[next(iter(self._decided))]
            self._decided[requested] = event
        return event

    def _answer(self, route: bytes, request_id: str, event: Event) -> None:
        answer = Answer(request=request_id, process=self._backend.process, event=event)
        self._backend.later(lambda: self._reply(route, answer))

    def _refuse(self, route: bytes, request_id: str, sentence: str) -> None:
        client = self._client(route)
        second = int(time.monotonic())
        if client.second != second:
            client.second, client.refusals = second, 0
        client.refusals += 1
        if client.refusals <= _REFUSALS_A_SECOND:
            self._reply(route, Refusal(request=request_id[:200], message=sentence[:2000]))

    def _client(self, route: bytes) -> _Client:
        client = self._clients.get(route)
        if client is None:
            if len(self._clients) >= _CLIENTS:
                del self._clients[next(iter(self._clients))]
            client = self._clients[route] = _Client()
        return client

    def _send_page(self, route: bytes, wanted: Backfill) -> None:
        process, attempt = self._backend.process, wanted.attempt
        upto = wanted.upto_seq
        if attempt == self._backend.attempt:
            upto = min(upto, self._backend.last_seq())
        reader = self._reader(attempt)
        batches: list[Any] = []
        if wanted.after_seq < upto:
            limit = max(1, min(wanted.limit_bytes, _PAGE_BYTES))
            batches = list(reader.page(wanted.after_seq, upto, limit))
        last = batches[-1].seq if batches else upto
        page = Page(
            request=wanted.request, process=process, attempt=attempt, last=last, batches=tuple(batches)
        )
        self._reply(route, page)

    def _reader(self, attempt: int) -> ProcessReader:
        reader = self._readers.get(attempt)
        if reader is None:
            if len(self._readers) >= 4:
                self._readers.pop(next(iter(self._readers))).close()
            path = layout.process_file(self._backend.folder, attempt, self._backend.process)
            reader = self._readers[attempt] = ProcessReader(path)
        return reader


def read_part(folder: Path, wanted: Fetch) -> FilePart:
    """Return a part of a file inside the run folder. Raises RequestRefused for any other path."""
    root = Path(os.path.realpath(folder))
    path = Path(os.path.normpath(root / wanted.path))
    outside = "\0" in wanted.path or not wanted.path or root not in path.parents
    if outside or Path(os.path.realpath(path)) != path:
        raise RequestRefused("only files inside the run folder are given, links are not followed")
    inner = path.relative_to(root)
    # To open and close these would drop the POSIX locks that SQLite and Helm have on them.
    if ".helm" in path.name or any(part.startswith(".") for part in inner.parts):
        raise RequestRefused("process files are read in pages of history, not fetched")
    offset = max(0, wanted.offset)
    try:
        if not path.is_file():
            raise RequestRefused(f"there is no file {wanted.path}")
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(offset)
            data = file.read(max(1, min(wanted.limit_bytes, _PAGE_BYTES)))
    except (OSError, ValueError) as error:
        raise RequestRefused(f"{wanted.path} could not be read: {error}") from None
    return FilePart(request=wanted.request, path=wanted.path, offset=offset, size=size, data=data)
