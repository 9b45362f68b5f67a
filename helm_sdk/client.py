"""The run client: follow every process of a run, live or finished, and send it changes. No Qt.

A program that halves the rate once the loss is above 2, and approves what others ask for:

    from helm_sdk.client import RunView, connect, new_command

    view = RunView("train/loss")
    with connect("latest", via="my program") as client:
        while not client.over:
            view.apply(*client.poll(0.5))
            if any(point.value > 2 for point in view.points("train/loss")):
                halve = new_command("lr", {"scale": 0.5}, reason="the loss is above 2")
                outcome = client.send_and_wait(halve, timeout=60, on_update=view.apply)
                print(outcome.state, outcome.message)
            for waiting in view.awaiting():
                client.approve(waiting.id, reason="looks right")

`connect` finds the run (an id, the beginning of one, a name, a path, "latest") and the user's keys.
`RunView` adds up what `poll` returns: points by stream, what the run declares, what each control is set to,
who asked for what and what became of it. The updates themselves are in order and complete: each batch of
each process exactly once, history first.

Who it acts as: the run writes the name that its allow-list gives this user's key, and `via`, on every
change; nobody can leave them out. What a program may do is for the policy file of the run's owner to say
(`helmctl policy show`): everything whose `via` is not the app's or helmctl's counts as a program, with
limits by control, by bound and by the hour; over one a request is "rejected" and its message names the
limit; and where there is such a policy programs approve only if it lets them. A request can need another
key's approval: it then stays "awaiting approval" until somebody decides.

One thread uses a client. Nothing in it blocks but `poll` and `send_and_wait`, for at most the time given.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

import zmq

from helm_sdk._client.address import Address
from helm_sdk._client.attempts import Attempts
from helm_sdk._client.compose import new_command
from helm_sdk._client.discovery import Discovery, FoundFile
from helm_sdk._client.files import HistoryFile
from helm_sdk._client.losses import Losses
from helm_sdk._client.pages import DEFAULT_PAGE_SECONDS
from helm_sdk._client.process import ClientSettings, ProcessLink
from helm_sdk._client.requests import OpenRequests
from helm_sdk._client.router import Router
from helm_sdk._client.sequence import DEFAULT_BUFFER_BYTES
from helm_sdk._client.view import Point, RunView
from helm_sdk._client.waiting import OnState, Outcome, send_and_wait
from helm_sdk.keys import Keys, load_keys
from helm_sdk.protocol.messages import Command
from helm_sdk.protocol.updates import (
    ENDED,
    FILE_ONLY,
    AnswerUpdate,
    BatchUpdate,
    FileUpdate,
    FinishedUpdate,
    HeartbeatUpdate,
    LinkUpdate,
    ProcessesUpdate,
    RefusalUpdate,
    Update,
)

if TYPE_CHECKING:
    from helm_sdk.record.run import RunFolder

__all__ = [
    "Address",
    "AnswerUpdate",
    "BatchUpdate",
    "Command",
    "FileUpdate",
    "FinishedUpdate",
    "HeartbeatUpdate",
    "LinkUpdate",
    "Losses",
    "Outcome",
    "Point",
    "ProcessLink",
    "ProcessesUpdate",
    "RefusalUpdate",
    "RunClient",
    "RunView",
    "Update",
    "connect",
    "new_command",
]

SLICE_SECONDS: Final = 0.008
_DISCOVER_SECONDS: Final = 1.0
_WAKE_SECONDS: Final = 0.25


class RunClient:
    """A client that follows every process of one run and sends it commands.

    Nothing raises for what comes over a socket: a message that does not fit is counted in `losses`. One
    thread uses a client. Only `poll` and `send_and_wait` wait, and only for the time given.

    Args:
        target: The run's folder, or the `Address` of one process where its files cannot be read.
        keys: The user's CURVE keys, which the run has to trust. In their place one sentence that says why
            there are none: then the run's files are followed, and nothing can be sent.
        files: Read history and repair gaps from the run's folder; False asks the run for pages instead.
        history: Whether what was there before is delivered; False is for a program that only sends or waits.
        since: The last sequence number that was delivered before, by (process, attempt), to go on from there.
        via: What this program calls itself; a run writes it beside the sender of each command.
        context: A ZeroMQ context to use; without it the client makes its own.
        rcvhwm: How many messages may wait in the receiving socket of a process; over it they are lost,
            noticed and repaired.
        buffer_bytes: How many bytes of live messages may wait for the history before them.
        page_seconds: How long to wait for a page before asking again, in seconds.
        clock: The clock, in seconds; for tests.
    """

    def __init__(
        self,
        target: RunFolder | Address,
        *,
        keys: Keys | str,
        files: bool = True,
        history: bool = True,
        since: Mapping[tuple[str, int], int] | None = None,
        via: str = "helm client",
        context: zmq.Context[Any] | None = None,
        rcvhwm: int | None = None,
        buffer_bytes: int = DEFAULT_BUFFER_BYTES,
        page_seconds: float = DEFAULT_PAGE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Find the run's processes and connect to them. `poll` reads what they write.

        Args:
            target: The run's folder, or the `Address` of one process where its files cannot be read.
            keys: The user's CURVE keys, which the run has to trust. Or one sentence that says why there are
                none: the run's files are followed then, and nothing can be sent.
            files: Read the history and repair gaps from the run folder. False asks the run for pages instead.
            history: False leaves out what was there before, for a program that only sends or waits.
            since: The last number that was read of each (process, attempt), to go on after it.
            via: What this program calls itself. A run writes it beside the sender of each command.
            context: The ZeroMQ context to use. None makes one, which `close` ends.
            rcvhwm: How many messages may wait in the receiving socket of each process. What is over it is
                lost, noticed and repaired.
            buffer_bytes: How many bytes of live messages may wait until the history before them is read.
            page_seconds: Seconds to wait for a page before it is asked for again.
            clock: Seconds that only grow.
        """
        self._own_context = context is None
        self._context: zmq.Context[Any] = zmq.Context() if context is None else context
        self._keyless = keys if isinstance(keys, str) else ""
        self._since = dict(since or {})
        own = keys if isinstance(keys, Keys) else Keys("", "", Path())
        self._settings = ClientSettings(self._context, own, via, rcvhwm, page_seconds, clock)
        self._files, self._history, self._buffer_bytes, self._clock = files, history, buffer_bytes, clock
        self._updates: list[Update] = []
        self._processes: dict[str, ProcessLink] = {}
        self._identities: dict[str, tuple[object, ...]] = {}
        self._paths: set[Path] = set()
        self._unopened: dict[Path, HistoryFile] = {}
        self._discovered = -_DISCOVER_SECONDS
        self._discovery: Discovery | None = None
        self._router = Router(self._processes, self._updates, clock)
        if isinstance(target, Address):
            self._process(target.process).connect(target, 0)
        else:
            self._discovery = Discovery(target.path, target.run_id, target.home)
            self._discover()

    @property
    def processes(self) -> dict[str, str]:
        """The state of the connection to each known process, by the process's name."""
        return {name: process.state for name, process in self._processes.items()}

    @property
    def alive(self) -> bool:
        """Whether any process can be asked."""
        return any(process.linked for process in self._processes.values())

    @property
    def caught_up(self) -> bool:
        """Whether everything that is known to exist has been delivered."""
        return all(process.attempts.caught_up for process in self._processes.values())

    @property
    def over(self) -> bool:
        """Whether the run has ended and everything of it has been delivered: nothing more will come."""
        states = self.processes.values()
        return bool(states) and self.caught_up and all(state == ENDED for state in states)

    @property
    def losses(self) -> Losses:
        """Counts of what was lost on the way and repaired, over all processes."""
        total = Losses()
        for process in self._processes.values():
            total.add(process.losses())
        return total

    def losses_of(self, process: str) -> Losses:
        """Return the counts of what was lost on the way from one process.

        Args:
            process: The process's name.
        """
        found = self._processes.get(process)
        return Losses() if found is None else found.losses()

    def sockets(self) -> list[zmq.Socket[Any]]:
        """Return every socket to wait on, for a poller of your own; they change as processes come and go."""
        return [socket for process in self._processes.values() for socket in process.sockets()]

    def poll(self, timeout_s: float = 0.0) -> list[Update]:
        """Return what has happened since the last call, in order.

        It reads every socket until nothing is left in it, and files for about 8 ms.

        Args:
            timeout_s: How long to wait at most for something to happen, in seconds.

        Returns:
            The updates: batches, heartbeats, answers, refusals and so on (`Update`).
        """
        deadline = self._clock() + timeout_s
        while True:
            more = self._work()
            left = deadline - self._clock()
            if self._updates or left <= 0:
                taken = self._updates.copy()
                self._updates.clear()
                return taken
            if not more:
                self._wait(min(left, _WAKE_SECONDS))

    def send(self, command: Command, via: str = "") -> str:
        """Send a command. An `AnswerUpdate` or a `RefusalUpdate` follows from each process that it goes to.

        Sending one id twice is safe: it is applied once.

        Args:
            command: The command. Its `process` names a process; "all" means each that declares the control;
                empty means the first that does.
            via: What the sender calls itself, in place of the client's own, for this command.

        Returns:
            The command's id.

        Raises:
            WireError: If the input cannot be packed, such as an integer over 64 bits.
        """
        return self._router.send(command, via or self._settings.via)

    def cancel(self, command_id: str, reason: str = "", process: str = "") -> list[str]:
        """Withdraw a command that has not been applied.

        Args:
            command_id: The command's id.
            reason: Why.
            process: One process; without it every one that the command went to.

        Returns:
            The ids of the requests that were sent for it.
        """
        return self._router.cancel(command_id, reason, process)

    def approve(
        self, command_id: str, approve: bool = True, reason: str = "", process: str = ""
    ) -> list[str]:
        """Approve or refuse a command that awaits approval.

        Args:
            command_id: The command's id.
            approve: False refuses it.
            reason: Why.
            process: One process; without it every one that the command went to.

        Returns:
            The ids of the requests that were sent for it.
        """
        return self._router.approve(command_id, approve, reason, process)

    def fetch(self, path: str, offset: int = 0, limit_bytes: int = 1 << 20, process: str = "") -> list[str]:
        """Ask for a part of a file inside the run's folder. A `FileUpdate` or a `RefusalUpdate` follows.

        Args:
            path: The file's path within the run's folder.
            offset: Where the part begins, in bytes.
            limit_bytes: How many bytes at most.
            process: The process to ask; without it the first that answers.

        Returns:
            The ids of the requests that were sent for it.
        """
        return self._router.fetch(path, offset, limit_bytes, process)

    def routes(self, command_id: str) -> list[str]:
        """Return the processes that a command went to; empty while that is not clear yet.

        Args:
            command_id: The command's id.
        """
        return self._router.routes.get(command_id, [])

    def send_and_wait(
        self,
        command: Command,
        timeout: float,
        on_state: OnState | None = None,
        *,
        until: frozenset[str] | None = None,
        on_update: Callable[[Update], None] | None = None,
    ) -> Outcome:
        """Send a command and wait until it is over in every process.

        Args:
            command: The command.
            timeout: How long to wait at most, in seconds.
            on_state: Called as `on_state(record, stage)` for each state that the command goes through.
            until: States that are enough to stop waiting, such as `frozenset({"waiting"})`.
            on_update: Called with every update of that time; without it they are dropped.

        Returns:
            How the command ended.
        """
        return send_and_wait(self, command, timeout, on_state, until, on_update)

    def close(self) -> None:
        """Close every socket and file. Nothing may be called after it."""
        for process in self._processes.values():
            process.close()
        for file in self._unopened.values():
            file.close()
        if self._own_context:
            self._context.destroy(linger=0)

    def __enter__(self) -> RunClient:
        """Return this client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def _work(self) -> bool:
        """Everything that can be done now; whether there is more to read at once."""
        if self._clock() - self._discovered >= _DISCOVER_SECONDS:
            self._discover()
        for process in self._processes.values():
            process.drain()
        if any(process.pop_broken() for process in self._processes.values()):
            self._discover()
        until = self._clock() + SLICE_SECONDS
        more = False
        for process in self._processes.values():
            more = process.read_history(until) or more
        for process in self._processes.values():
            process.tick()
        self._router.route()
        return more

    def _wait(self, seconds: float) -> None:
        poller = zmq.Poller()
        sockets = self.sockets()
        for socket in sockets:
            poller.register(socket, zmq.POLLIN)
        if sockets:
            poller.poll(max(1, int(seconds * 1000)))
        else:
            time.sleep(seconds)

    def _process(self, name: str) -> ProcessLink:
        found = self._processes.get(name)
        if found is None:
            had = {attempt: seq for (process, attempt), seq in self._since.items() if process == name}
            attempts = Attempts(name, self._updates, self._history, self._buffer_bytes, self._clock, had)
            found = ProcessLink(attempts, OpenRequests(), self._settings)
            self._processes[name] = found
        return found

    def _discover(self) -> None:
        self._discovered = self._clock()
        if self._discovery is None:
            return
        if self._files:
            for found in self._discovery.files(self._paths):
                self._open(found)
        living = self._discovery.living()
        for name, process in living.items():
            if self._identities.get(name) != process.identity:
                self._identities[name] = process.identity
                link, address = self._process(name), process.address
                if self._keyless:
                    link.disconnect(FILE_ONLY, f"{name} is followed by its file alone: {self._keyless}")
                elif address is not None:
                    link.connect(address, process.entry.attempt, process.entry.role)
                else:
                    link.disconnect(FILE_ONLY, f"{name} on {process.entry.host} is followed by its file")
        for name, link in self._processes.items():
            if name not in living and link.state != ENDED:
                self._identities.pop(name, None)
                link.disconnect(ENDED, f"{name} does not run any more")

    def _open(self, found: FoundFile) -> None:
        file = self._unopened.setdefault(found.path, HistoryFile(found.path, self._clock))
        record = file.record()
        if record is not None:
            del self._unopened[found.path]
            self._paths.add(found.path)
            self._process(record.process).attempts.add_file(found.attempt, file, record)


def connect(run: str = "latest", *, via: str, home: Path | None = None, history: bool = True) -> RunClient:
    """Return a client of a run, with this user's keys, which are made on first use.

    Args:
        run: An id, the beginning of one, a name, a path, or "latest".
        via: What the program calls itself; it is written beside every command.
        home: The folder of all runs; without it HELM_RUN_HOME, else the user's data folder.
        history: Whether what was there before is delivered.

    Raises:
        RecordError: If there is no such run, or several.
        KeysError: If the keys cannot be used.
    """
    from helm_sdk.record.runs import find_run

    return RunClient(find_run(home, run), keys=load_keys(), history=history, via=via)
