"""The thread that owns all sockets: follows one run and hands its updates to the window in batches."""

from __future__ import annotations

import logging
import math
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
from helm_desktop.link.disk_space_check import DiskSpaceCheck
from helm_desktop.link.fetches import PATIENCE_SECONDS, Fetches
from helm_desktop.link.history_progress import HistoryProgress
from helm_desktop.link.run_files_check import RunFilesCheck
from helm_desktop.link.run_follower import NOT_OPEN, RunFollower
from helm_desktop.link.translate import about, losses_of
from helm_desktop.link.update_queue import UpdateQueue
from helm_desktop.link.worker import Worker
from helm_desktop.model.run.updates import CaughtUpUpdate, FollowUpdate, OpenedUpdate
from helm_sdk.client import RunClient
from helm_sdk.keys import Keys, KeysError
from helm_sdk.protocol.messages import Command
from helm_sdk.protocol.updates import BatchUpdate, FileUpdate, ProcessesUpdate, RefusalUpdate
from helm_sdk.record.errors import RecordError

IDLE_SECONDS = 0.25
ENDED_SECONDS = 1.0

_log = logging.getLogger(__name__)


class LinkThread(Worker):
    """Follows the run that was opened last. `arrived` comes at most once per ~30 ms, and not before the
    window has taken the one before."""

    arrived = Signal(str, list)  # the run's folder, updates
    failed = Signal(str, str)  # the run's folder, one sentence
    fetched = Signal(str, str, object, str)  # the run's folder, a file, its bytes or None, why not

    def __init__(self, keys: Callable[[], Keys], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked: deque[Callable[[], None]] = deque()
        self._wake_in, self._wake_out = socket.socketpair()
        for end in (self._wake_in, self._wake_out):
            end.setblocking(False)
        self._openings = 0
        self._queue = UpdateQueue()
        # Below: touched by the thread alone.
        self._folder = ""
        self._follower = RunFollower(keys)
        self._fetches = Fetches(self.fetched.emit)
        self._history = HistoryProgress()
        self._files = RunFilesCheck()
        self._space = DiskSpaceCheck()
        self._again = Backoff()

    def set_pace(self, seconds: float) -> None:
        """Set the seconds between two batches that nobody waits for."""
        self._queue.set_interval(seconds)
        self.wake()

    # From the window -------------------------------------------------------------------------

    def open(self, folder: str) -> int:
        """Follow this run instead of the one before; the number of this opening. Empty: follow none."""
        self._openings += 1
        self._ask(partial(self._open, folder, self._openings))
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
        """Read the run's folder now: something about the run has been changed from here."""
        self._ask(self._files.request)

    def taken(self) -> None:
        """Let the next batch go: the window has taken the last one."""
        self._queue.acknowledge()
        self.wake()

    def wake(self) -> None:
        """End the wait of the thread."""
        with suppress(OSError):
            self._wake_in.send(b"\0")

    def _ask(self, task: Callable[[], None]) -> None:
        self._asked.append(task)
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
        client = self._follower.client
        if client is not None:
            try:
                self._poll(client)
                self._check_files(client)
                if self._follower.keys_came():
                    self._close()
                    self._follow()
                late = time.monotonic() - PATIENCE_SECONDS
                self._fetches.give_up(self._follower.client, "it does not answer", late)
            except Exception as error:
                self._broke_off(error)
        updates = self._queue.pop(time.monotonic(), urgent=not self._history.caught_up)
        if updates:
            self.arrived.emit(self._folder, updates)

    def _broke_off(self, error: Exception) -> None:
        """Say that following failed, and when it goes on; what has come so far is not read again."""
        _log.error("following %s failed", self._folder, exc_info=error)
        self._close()
        pause = self._again.failed()
        words = f"{Path(self._folder).name} could not be followed ({error}), trying again in {pause:g} s"
        self._queue.add(FollowUpdate(words))

    def _wait(self) -> None:
        """Wait for a socket, the window, or the time of the next batch."""
        client = self._follower.client
        poller = zmq.Poller()
        poller.register(self._wake_out.fileno(), zmq.POLLIN)
        for own in client.sockets() if client is not None else ():
            poller.register(own, zmq.POLLIN)
        idle = ENDED_SECONDS if self._files.ended else IDLE_SECONDS
        due = self._queue.due_in(time.monotonic(), idle, urgent=not self._history.caught_up)
        due = 0.0 if self._history.reading else self._again.left(due)
        poller.poll(math.ceil(due * 1000))
        with suppress(OSError):  # nothing is left to read
            while self._wake_out.recv(4096):
                continue

    def _poll(self, client: RunClient) -> None:
        history = False
        for update in self._follower.poll(client):
            if isinstance(update, ProcessesUpdate):
                self._files.request()  # a next attempt is told of at once
            if self._fetches.take(client, update, time.monotonic()) or isinstance(update, FileUpdate):
                continue
            history = history or (isinstance(update, BatchUpdate) and update.history)
            self._queue.add(update)
        if self._history.note(history=history, waiting=self._queue.size, now=time.monotonic()):
            self._queue.add(CaughtUpUpdate())
            self._files.request()  # an end is told of only now

    def _check_files(self, client: RunClient) -> None:
        now, run = time.monotonic(), self._follower.run
        if run is None or not self._files.due(run, now):
            return
        if client.losses.missing or client.losses.malformed:
            self._queue.add(losses_of(client))
        space = None if self._files.ended else self._space.check(self._folder, now)
        if space is not None:
            self._queue.add(space)
        self._queue.add(*self._files.read(run, caught_up=self._history.caught_up))

    def _open(self, folder: str, number: int) -> None:
        self._close()
        self._folder = folder
        self._queue.restart(OpenedUpdate(number))
        self._history.restart(time.monotonic())
        self._files.restart()
        self._space.restart()
        self._follower.restart()
        self._again.forget()
        if not folder:
            return
        try:
            run = self._follower.open(folder)
            self._queue.add(about(run.statuses(), run))
            self._follow()
        except Exception as error:
            if not isinstance(error, RecordError | KeysError | OSError):
                _log.exception("opening %s failed", folder)
            self.failed.emit(folder, f"{Path(folder).name} cannot be opened: {error}")
            self._close()

    def _follow(self) -> None:
        self._follower.follow(self._folder)
        self._queue.add(FollowUpdate(""))

    def _send(self, folder: str, command: Command, via: str) -> None:
        problem = self._follower.send(command, via) if folder == self._folder else NOT_OPEN
        if problem:
            self._queue.add(RefusalUpdate("", "", command.id, problem))

    def _decide(self, folder: str, command_id: str, decide: Callable[..., object]) -> None:
        problem = self._follower.decide(decide, command_id) if folder == self._folder else NOT_OPEN
        if problem:
            self._queue.add(RefusalUpdate("", "", command_id, problem))

    def _fetch(self, folder: str, file: str, process: str) -> None:
        reachable = folder == self._folder and not self._follower.keyless
        client = self._follower.client if reachable else None
        self._fetches.begin(client, folder, file, process, time.monotonic())

    def _close(self) -> None:
        self._fetches.give_up(None, "the connection was closed")
        self._follower.close()
