"""The thread that owns every socket: it follows one run and tells the window in batches."""

from __future__ import annotations

import logging
import math
import shutil
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import zmq
from PySide6.QtCore import QObject, Signal

from helm_desktop.link.backoff import Backoff
from helm_desktop.link.fetches import PATIENCE_SECONDS, Fetches
from helm_desktop.link.translate import about, losses_of, status_of
from helm_desktop.link.worker import Worker
from helm_desktop.model.run.updates import (
    CaughtUpUpdate,
    DiskSpaceUpdate,
    FollowUpdate,
    OpenedUpdate,
    RunUpdate,
)
from helm_sdk.client import RunClient
from helm_sdk.keys import Keys, KeysError
from helm_sdk.protocol.messages import Command
from helm_sdk.protocol.updates import AnswerUpdate, BatchUpdate, ProcessesUpdate, RefusalUpdate
from helm_sdk.record import layout
from helm_sdk.record.errors import RecordError
from helm_sdk.record.run import RunFolder, marks

BATCH_SECONDS = 0.03  # a little over 30 times a second, however late a turn comes
IDLE_SECONDS = 0.25
ENDED_SECONDS = 1.0
ENDED_FACTOR = 5
STATUS_SECONDS = 1.0
ROOM_SECONDS = 10.0
SETTLED_SECONDS = 0.3  # without further history: all that was there has come
KEYS_SECONDS = 2.0
AHEAD_BYTES = 2 << 20  # of history read before the window takes it: a few frames' work
VIA = "helm-desktop"
KEY_REFUSED = "key refused"

_log = logging.getLogger(__name__)


class LinkThread(Worker):
    """Follows the run that was opened last. `arrived` comes at most once per ~30 ms, and not before the
    window has taken the one before."""

    arrived = Signal(str, list)  # the run's folder, updates
    failed = Signal(str, str)  # the run's folder, one sentence
    fetched = Signal(str, str, object, str)  # the run's folder, a file, its bytes or None, why not

    def __init__(self, keys: Callable[[], Keys], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self._asked: deque[Callable[[], None]] = deque()
        self._wake_in, self._wake_out = socket.socketpair()
        for end in (self._wake_in, self._wake_out):
            end.setblocking(False)
        self._taken = True
        self._openings = 0
        self._pace = BATCH_SECONDS
        # Below: touched by the thread alone.
        self._client: RunClient | None = None
        self._fetches = Fetches(self.fetched.emit)
        self._folder = ""
        self._run: RunFolder | None = None
        self._pending: list[RunUpdate] = []
        self._told_at = 0.0
        self._status_at = 0.0
        self._user_at = 0.0
        self._user_mark: object = None
        self._history_at = self._room_at = 0.0
        self._reading = False
        self._caught_up = False
        self._ended = False
        self._pending_bytes = 0
        self._had: dict[tuple[str, int], int] = {}  # the last number of each process and attempt
        self._again = Backoff()
        self._keyless = ""
        self._keys_at = 0.0

    def set_pace(self, seconds: float) -> None:
        """Seconds between two batches that are told of while nothing presses."""
        self._pace = max(BATCH_SECONDS, seconds)
        self.wake()

    # From the window -------------------------------------------------------------------------

    def open(self, folder: str) -> int:
        """Follow this run instead of the one before; the number of this opening. Empty: follow none."""
        self._openings += 1
        self._ask(self._opener(folder, self._openings))
        return self._openings

    def send(self, folder: str, command: Command, via: str = "") -> None:
        """Send a command to the run, if it is still the open one; `via` says for whom, such as a rule."""
        self._ask(partial(self._send, folder, command, via))

    def cancel(self, folder: str, process: str, command_id: str) -> None:
        """Withdraw a command that has not been applied."""
        self._ask(partial(self._decide, folder, command_id, partial(RunClient.cancel, process=process)))

    def approve(self, folder: str, process: str, command_id: str, yes: bool, reason: str = "") -> None:
        """Approve or refuse a command that waits for it."""
        decide = partial(RunClient.approve, approve=yes, reason=reason, process=process)
        self._ask(partial(self._decide, folder, command_id, decide))

    def fetch(self, folder: str, file: str, process: str) -> None:
        """Have the run send a file of its folder that is not on this machine; `fetched` follows."""
        self._ask(partial(self._fetch, folder, file, process))

    def look_again(self) -> None:
        """Something about the run has been changed from here: read its folder now."""
        self._ask(self._forget_status)

    def taken(self) -> None:
        """The window has taken the last batch and can take another."""
        self._taken = True
        self.wake()

    # In the thread ---------------------------------------------------------------------------

    def run(self) -> None:
        """Qt's: until stop."""
        try:
            while not self._stopping:
                try:
                    self._turn()
                except Exception as error:
                    self._broke_off(error)
        finally:
            self._close()

    def _turn(self) -> None:
        self._wait()
        while self._asked:
            self._asked.popleft()()
        if self._again.take():
            self._follow()
        if self._client is not None:
            try:
                self._poll(self._client)
                self._check_status()
                self._try_keys()
                late = time.monotonic() - PATIENCE_SECONDS
                self._fetches.give_up(self._client, "it does not answer", late)
            except Exception as error:
                self._broke_off(error)
        self._tell()

    def _broke_off(self, error: Exception) -> None:
        """Say that following failed, and when it goes on; what has come so far is kept and not read again."""
        _log.error("following %s failed", self._folder, exc_info=error)
        self._close()
        pause = self._again.failed()
        words = f"{Path(self._folder).name} could not be followed ({error}), trying again in {pause:g} s"
        self._pending.append(FollowUpdate(words))

    def _poll(self, client: RunClient) -> None:
        history = False
        for update in client.poll(0.0):
            if isinstance(update, ProcessesUpdate):
                self._status_at = 0.0  # a next attempt is told of at once
            if self._fetches.take(client, update, time.monotonic()):
                continue
            history = history or (isinstance(update, BatchUpdate) and update.history)
            if isinstance(update, BatchUpdate):
                self._had[update.process, update.attempt] = update.batch.seq
                self._pending_bytes += sum(len(group.values) for group in update.batch.groups)
            self._pending.append(update)
        now = time.monotonic()
        if history:
            self._history_at = now
        self._reading = history and self._pending_bytes < AHEAD_BYTES
        if not self._caught_up and now - self._history_at > SETTLED_SECONDS:
            self._caught_up = True
            self._pending.append(CaughtUpUpdate())
            self._forget_status()  # an end is told of only now

    def _wait(self) -> None:
        """Until a socket, the window, or the time for the next batch."""
        poller = zmq.Poller()
        poller.register(self._wake_out.fileno(), zmq.POLLIN)
        for own in self._client.sockets() if self._client is not None else ():
            poller.register(own, zmq.POLLIN)
        due = ENDED_SECONDS if self._ended else IDLE_SECONDS
        if self._pending and self._taken:
            due = max(0.0, self._told_at + self._wait_s() - time.monotonic())
        due = 0.0 if self._reading else self._again.left(due)
        poller.poll(math.ceil(due * 1000))
        while True:
            try:
                if not self._wake_out.recv(4096):
                    return
            except OSError:
                return

    def _tell(self) -> None:
        now = time.monotonic()
        if self._pending and self._taken and now - self._told_at >= self._wait_s():
            self._taken = False
            self._told_at = now
            pending, self._pending, self._pending_bytes = self._pending, [], 0
            self.arrived.emit(self._folder, pending)

    def _wait_s(self) -> float:
        """History and what a run answers are told of at once, whatever the pace."""
        if self._pace <= BATCH_SECONDS:
            return BATCH_SECONDS
        presses = not self._caught_up or any(map(_presses, self._pending))
        return BATCH_SECONDS if presses else self._pace

    def _check_status(self) -> None:
        now = time.monotonic()
        pace = STATUS_SECONDS * (ENDED_FACTOR if self._ended else 1)
        if self._run is None or (now - self._status_at < pace and not self._user_changed(now)):
            return
        self._status_at = now
        client = self._client
        if client is not None and (client.losses.missing or client.losses.malformed):
            self._pending.append(losses_of(client))
        self._look_at_room(now)
        with suppress(RecordError, OSError):
            statuses = self._run.statuses()
            self._pending.append(about(statuses, self._run))
            status = status_of(statuses, self._run)
            self._ended = status.state.ended and self._caught_up
            if not status.state.ended or self._caught_up:
                self._pending.append(status)

    def _user_changed(self, now: float) -> bool:
        """Whether a window or a shell has written what people say of the run."""
        if self._run is None or now - self._user_at < IDLE_SECONDS:
            return False
        self._user_at = now
        before, self._user_mark = self._user_mark, marks([self._run.path / layout.USER_FILE])
        return before != self._user_mark

    def _forget_status(self) -> None:
        self._status_at = 0.0

    def _look_at_room(self, now: float) -> None:
        """How much is free where a run that lives is written."""
        if not self._ended and now - self._room_at >= ROOM_SECONDS:
            self._room_at = now
            with suppress(OSError):
                self._pending.append(
                    DiskSpaceUpdate(time.time(), float(shutil.disk_usage(self._folder).free))
                )

    def _open(self, folder: str, number: int) -> None:
        self._close()
        self._folder, self._pending, self._pending_bytes = folder, [OpenedUpdate(number)], 0
        self._told_at = self._status_at = self._room_at = 0.0
        self._history_at, self._reading, self._caught_up = time.monotonic(), False, False
        self._ended = False
        self._had.clear()
        self._again.forget()
        if not folder:
            return
        try:
            self._run = RunFolder(Path(folder))
            self._pending.append(about(self._run.statuses(), self._run))
            self._follow()
        except Exception as error:
            if not isinstance(error, RecordError | KeysError | OSError):
                _log.exception("opening %s failed", folder)
            self.failed.emit(folder, f"{Path(folder).name} cannot be opened: {error}")
            self._close()

    def _follow(self) -> None:
        """Open the client, to go on where it broke off. Without keys a run is read from its files."""
        self._run = RunFolder(Path(self._folder))
        keys: Keys | str
        try:
            keys, self._keyless = self._keys(), ""
        except KeysError as error:
            keys = self._keyless = str(error)
        self._keys_at = time.monotonic()
        self._client = RunClient(self._run, keys=keys, via=VIA, since=self._had)
        self._pending.append(FollowUpdate(""))

    def _try_keys(self) -> None:
        """Follow by the sockets as soon as the keys can be used."""
        if self._keyless and time.monotonic() - self._keys_at > KEYS_SECONDS:
            self._keys_at = time.monotonic()
            with suppress(KeysError):
                self._keys()
                self._close()
                self._follow()

    def _send(self, folder: str, command: Command, via: str) -> None:
        if self._client is None or folder != self._folder:
            words = f"{command.capability} was not sent: the run is no longer open here"
            self._pending.append(RefusalUpdate("", "", command.id, words))
            return
        if self._keyless:
            words = f"{command.capability} was not sent: {self._keyless}"
            self._pending.append(RefusalUpdate("", "", command.id, words))
            return
        if set(self._client.processes.values()) == {KEY_REFUSED}:
            words = f"{command.capability} was not sent: the run does not trust this user's key"
            self._pending.append(RefusalUpdate("", "", command.id, words))
            return
        try:
            self._client.send(command, via)
        except Exception as error:
            self._pending.append(
                RefusalUpdate("", "", command.id, f"{command.capability} was not sent: {error}")
            )

    def _decide(self, folder: str, command_id: str, decide: Callable[..., object]) -> None:
        if self._client is None or folder != self._folder:
            self._pending.append(RefusalUpdate("", "", command_id, "the run is no longer open here"))
            return
        try:
            decide(self._client, command_id)
        except Exception as error:
            self._pending.append(RefusalUpdate("", "", command_id, f"not sent: {error}"))

    def _fetch(self, folder: str, file: str, process: str) -> None:
        client = self._client if folder == self._folder and not self._keyless else None
        self._fetches.begin(client, folder, file, process, time.monotonic())

    def _close(self) -> None:
        self._fetches.give_up(None, "the connection was closed")
        client, self._client, self._run = self._client, None, None
        if client is not None:
            client.close()

    def _opener(self, folder: str, number: int) -> Callable[[], None]:
        def ask() -> None:
            self._open(folder, number)

        return ask

    def _ask(self, task: Callable[[], None]) -> None:
        self._asked.append(task)
        self.wake()

    def wake(self) -> None:
        """End the wait of the thread."""
        with suppress(OSError):
            self._wake_in.send(b"\0")


def _presses(item: RunUpdate) -> bool:
    """Whether somebody waits for it: an answer, or a change's next state."""
    if isinstance(item, BatchUpdate):
        return any(event.kind == "command" for event in item.batch.events)
    return isinstance(item, AnswerUpdate | RefusalUpdate | CaughtUpUpdate | ProcessesUpdate)
