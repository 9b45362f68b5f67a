"""The job's own store, by connections of our own: a mailbox for each rank, and words that are said once."""

from __future__ import annotations

import contextlib
import os
import threading
from datetime import timedelta
from typing import Any

import msgspec
import torch.distributed as dist
from torch._C._distributed_c10d import TCPStore
from torch.distributed.distributed_c10d import PrefixStore

_FOREVER = timedelta(days=7)  # a wait that runs out makes torch print two lines of warning
_CONNECT = timedelta(seconds=10)

Message = dict[str, Any]


class StoreGone(RuntimeError):
    """The store cannot be used; the text says why."""


def of_job() -> tuple[Any, Any]:
    """Return a connection of our own to the store of the default process group, and that store.

    A shared connection would block the loop; the process whose store has the server must keep it.
    """
    job: Any = dist.distributed_c10d._get_default_store()  # noqa: SLF001 - torch's own
    try:
        return _again(job), job
    except Exception as error:
        raise StoreGone(f"the job's store takes no second connection: {error}") from None


def _again(store: Any) -> Any:
    """Return a second connection to a store; torch before 2.7 clones none."""
    if hasattr(store, "clone"):
        return store.clone()
    while hasattr(store, "underlying_store"):
        store = store.underlying_store
    return TCPStore(store.host, store.port, is_master=False, timeout=_CONNECT, wait_for_workers=False)


def of_agent() -> Any:
    """torchrun's own store, which outlives a restart; None without one."""
    if os.environ.get("TORCHELASTIC_USE_AGENT_STORE") != "True":
        return None
    try:
        address, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
        return TCPStore(address, port, is_master=False, timeout=_CONNECT, wait_for_workers=False)
    except Exception:
        return None


class StoreConnection:
    """One connection. Used by one waiting thread, or by many that only write and read at once."""

    def __init__(self, store: Any, prefix: str, timeout: float) -> None:
        self._raw = store
        self._prefix = prefix
        self._timeout = timeout
        with contextlib.suppress(Exception):
            store.set_timeout(timedelta(seconds=timeout))
        self._store = PrefixStore(prefix, store) if prefix else store
        self._posting = threading.Lock()
        self._closed = False

    def again(self) -> StoreConnection:
        """Return a further connection to the same store, for another thread that waits."""
        return StoreConnection(_again(self._raw), self._prefix, self._timeout)

    def inside(self, prefix: str) -> StoreConnection:
        """Return the same connection, for the keys under a further prefix."""
        return StoreConnection(self._raw, f"{self._prefix}/{prefix}", self._timeout)

    def add(self, key: str, amount: int) -> int:
        """Add to a number, which begins at 0; the sum."""
        return int(self._store.add(key, amount))

    def put(self, key: str, value: Any) -> None:
        """Set a key."""
        self._store.set(key, _text(value))

    def get(self, key: str) -> Any:
        """Return the value of a key; None where it is not set."""
        return _read(self._store.get(key)) if self._store.check([key]) else None

    def await_(self, key: str) -> Any:
        """Wait for a key, for as long as it takes."""
        while True:
            with contextlib.suppress(dist.DistStoreError):
                self._store.wait([key], _FOREVER)
                return _read(self._store.get(key))

    def decide(self, key: str, word: Message) -> Message:
        """Say a word unless one was said before; the one that stands."""
        message: Message = _read(self._store.compare_set(key, "", _text(word)))
        return message

    def post(self, box: str, message: Message) -> None:
        """Put a message in a mailbox; several may write to one. After `close` it does nothing."""
        with self._posting:
            if not self._closed:
                number = self.add(f"{box}/count", 1)
                self._store.set(f"{box}/{number}", _text(message))

    def close(self) -> None:
        """Post nothing more, and return when no other thread is posting.

        A process that ended between taking a message's number and setting it would leave the reader of that
        mailbox waiting for that number for ever, with all later messages behind it.
        """
        with self._posting:
            self._closed = True

    def count(self, box: str) -> int:
        """Return how many messages a mailbox has had."""
        return self.add(f"{box}/count", 0)

    def pop(self, box: str, number: int) -> Message:
        """Wait for a message of a mailbox and take it out."""
        key = f"{box}/{number}"
        message: Message = self.await_(key)
        self.drop(key)
        return message

    def drop(self, *keys: str) -> None:
        """Forget keys; a store that cannot forget keeps them."""
        for key in keys:
            with contextlib.suppress(Exception):
                self._store.delete_key(key)


def _text(value: Any) -> Any:
    return msgspec.msgpack.encode(value)  # as bytes, which torch takes too: text would lose NaN


def _read(value: bytes) -> Any:
    return msgspec.msgpack.decode(value)
