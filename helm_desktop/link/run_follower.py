"""The run client of the run that is open: goes on where it broke off, and does without keys for a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from helm_sdk.client import RunClient
from helm_sdk.keys import Keys, KeysError
from helm_sdk.protocol.messages import Command
from helm_sdk.protocol.updates import KEY_REFUSED, BatchUpdate, Update
from helm_sdk.record.run import RunFolder

KEYS_SECONDS = 2.0
VIA = "helm-desktop"
NOT_OPEN = "the run is no longer open here"


class RunFollower:
    """Without usable keys a run is read from its files, and nothing can be sent."""

    def __init__(self, keys: Callable[[], Keys]) -> None:
        self.client: RunClient | None = None
        self.run: RunFolder | None = None
        self.keyless = ""  # why there are no keys, in one sentence
        self._keys = keys
        self._keys_at = 0.0
        self._had: dict[tuple[str, int], int] = {}  # the last number of each process and attempt

    def restart(self) -> None:
        """Forget what was read: another run follows."""
        self._had.clear()

    def open(self, folder: str) -> RunFolder:
        """Open the folder of a run, before it is followed; raises what `RunFolder` does."""
        self.run = RunFolder(Path(folder))
        return self.run

    def follow(self, folder: str) -> None:
        """Open the client, to go on where it broke off."""
        run = self.open(folder)
        keys: Keys | str
        try:
            keys, self.keyless = self._keys(), ""
        except KeysError as error:
            keys = self.keyless = str(error)
        self._keys_at = time.monotonic()
        self.client = RunClient(run, keys=keys, via=VIA, since=self._had)

    def close(self) -> None:
        """Close the client. What was read is not read again by `follow`."""
        client, self.client, self.run = self.client, None, None
        if client is not None:
            client.close()

    def poll(self, client: RunClient) -> Iterator[Update]:
        """Yield what came since the last time. What is not consumed counts as not read."""
        for update in client.poll(0.0):
            if isinstance(update, BatchUpdate):
                self._had[update.process, update.attempt] = update.batch.seq
            yield update

    def keys_came(self) -> bool:
        """Return whether there are keys now that there were not; looks every few seconds."""
        if self.keyless and time.monotonic() - self._keys_at > KEYS_SECONDS:
            self._keys_at = time.monotonic()
            with suppress(KeysError):
                self._keys()
                return True
        return False

    def send(self, command: Command, via: str) -> str:
        """Send a command; why that was not possible, in one sentence, else nothing."""
        return self._ask(lambda client: client.send(command, via))

    def decide(self, decide: Callable[..., object], command_id: str) -> str:
        """Cancel or approve a command; why that was not possible, in one sentence, else nothing."""
        return self._ask(lambda client: decide(client, command_id))

    def _ask(self, question: Callable[[RunClient], object]) -> str:
        client = self.client
        if client is None:
            return NOT_OPEN
        if self.keyless:
            return self.keyless
        if set(client.processes.values()) == {KEY_REFUSED}:
            return "the run does not trust this user's key"
        try:
            question(client)
        except Exception as error:
            return str(error)
        return ""
