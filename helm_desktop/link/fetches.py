"""Files of the run that are not on this machine, fetched from it in parts."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from helm_sdk.client import FileUpdate, RefusalUpdate, RunClient, Update
from helm_sdk.protocol.messages import FilePart

PART_BYTES = 1 << 20
MOST_BYTES = 64 << 20
PATIENCE_SECONDS = 10.0  # without a part
AT_ONCE = 4

Told = Callable[[str, str, object, str], None]  # the run's folder, the file, its bytes or None, why not


@dataclass
class _Fetch:
    folder: str
    file: str
    process: str
    asked_at: float
    data: bytearray = field(default_factory=bytearray)


class Fetches:
    """What was asked for and has not come yet. Belongs to the thread that owns the sockets."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._waiting: dict[str, _Fetch] = {}
        self._queue: deque[_Fetch] = deque()

    def begin(self, client: RunClient | None, folder: str, file: str, process: str, now: float) -> None:
        """Ask for a file of the run; it is told of once, whole or not at all."""
        if client is None:
            self._told(folder, file, None, "the run is no longer open here")
        else:
            self._queue.append(_Fetch(folder, file, process, now))
            self._next(client, now)

    def apply(self, client: RunClient, update: Update, now: float) -> bool:
        """Store a part of a file, or why there is none; return True when the update was for a file."""
        if not isinstance(update, FileUpdate | RefusalUpdate):
            return False
        fetch = self._waiting.pop(update.request, None)
        if fetch is None:
            return False
        if isinstance(update, RefusalUpdate):
            self._told(fetch.folder, fetch.file, None, update.message)
        else:
            self._add_part(fetch, update.part)
        self._next(client, now)
        return True

    def _add_part(self, fetch: _Fetch, part: FilePart) -> None:
        fetch.data += part.data
        if part.size > MOST_BYTES:
            words = f"it has {part.size >> 20} MB, which is too large to be fetched"
            self._told(fetch.folder, fetch.file, None, words)
        elif len(fetch.data) < part.size and part.data:
            self._queue.appendleft(fetch)
        else:
            self._told(fetch.folder, fetch.file, bytes(fetch.data), "")

    def abandon(self, client: RunClient | None, why: str, before: float = math.inf) -> None:
        """What was asked for before a time does not come any more."""
        late = [request for request, fetch in self._waiting.items() if fetch.asked_at < before]
        gone = [self._waiting.pop(request) for request in late]
        if client is None:
            gone += self._queue
            self._queue.clear()
        for fetch in gone:
            self._told(fetch.folder, fetch.file, None, why)
        if client is not None and gone:
            self._next(client, time.monotonic())

    def _next(self, client: RunClient, now: float) -> None:
        while self._queue and len(self._waiting) < AT_ONCE:
            fetch = self._queue.popleft()
            fetch.asked_at = now
            for request in client.fetch(fetch.file, len(fetch.data), PART_BYTES, fetch.process):
                self._waiting[request] = fetch
