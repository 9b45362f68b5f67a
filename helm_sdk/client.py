"""The run client: follow every process of a run, live or finished, and send it changes. No Qt.

A program that halves the rate once the loss is above 2, and approves what others ask for:

    from helm_sdk.client import RunView, connect, new_command

    view = RunView("train/loss")
    with connect("latest", via="my program") as client:
        while not client.over:
            view.take(*client.poll(0.5))
            if any(point.value > 2 for point in view.points("train/loss")):
                halve = new_command("lr", {"scale": 0.5}, reason="the loss is above 2")
                outcome = client.send_and_wait(halve, timeout=60, on_update=view.take)
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
    """Follows one run.

    target: the run's folder, or the `Address` of one process where its files cannot be read.
    keys: the user's CURVE keys; the run has to trust them. The text of why there are none instead (one
        sentence): the run's files are followed, and nothing can be sent.
    files: read history and repair gaps from the run folder; False asks the run for pages instead.
    history: False leaves out what was there before, for a program that only sends or waits.
    since: the last number that was had of each (process, attempt) before, to go on from there.
    via: what this program calls itself; a run writes it beside the sender of each command.
    rcvhwm: how many messages may wait in the receiving socket of each process; over it they are lost,
        noticed and repaired.
    buffer_bytes: how much of what comes live may wait for the history before it.
    page_seconds: how long to wait for a page before asking again.

    Raises nothing for what comes over the wire: what does not fit is counted in `losses`.
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
        """The state of the link to each known process, by its name."""
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
        """What went missing on the way, over all processes."""
        total = Losses()
        for process in self._processes.values():
            total.add(process.losses())
        return total

    def losses_of(self, process: str) -> Losses:
        """What went missing on the way from one process."""
        found = self._processes.get(process)
        return Losses() if found is None else found.losses()

    def sockets(self) -> list[zmq.Socket[Any]]:
        """Every socket to wait on, for a poller of one's own; they change as processes come and go."""
        return [socket for process in self._processes.values() for socket in process.sockets()]

    def poll(self, timeout_s: float = 0.0) -> list[Update]:
        """What has happened, in order; waits at most `timeout_s` seconds for something to happen.

        Reads every socket until nothing is left in it, and files for about 8 ms.
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
        """Send a command; its id. An AnswerUpdate or a RefusalUpdate from each process follows.

        `command.process` names a process, "all" means each that declares the control, and empty the first
        that does. `via` takes the place of the client's own for this one. Sending one id twice is safe: it is
        taken once. Raises WireError for input that cannot be
        packed, such as integers over 64 bits.
        """
        return self._router.send(command, via or self._settings.via)

    def cancel(self, command_id: str, reason: str = "", process: str = "") -> list[str]:
        """Withdraw a command that has not been applied; the requests that were sent for it."""
        return self._router.cancel(command_id, reason, process)

    def approve(
        self, command_id: str, approve: bool = True, reason: str = "", process: str = ""
    ) -> list[str]:
        """Approve or refuse a command that waits for it; the requests that were sent for it."""
        return self._router.approve(command_id, approve, reason, process)

    def fetch(self, path: str, offset: int = 0, limit_bytes: int = 1 << 20, process: str = "") -> list[str]:
        """Ask for a part of a file inside the run folder; FileUpdate or RefusalUpdate follows."""
        return self._router.fetch(path, offset, limit_bytes, process)

    def routes(self, command_id: str) -> list[str]:
        """The processes that a command went to; empty while that is not clear yet."""
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
        """Send a command and wait until it is over in every process, at most `timeout` seconds.

        `on_state(record, stage)` is called for each state it goes through; `until` names states that are
        enough. Other updates of that time go to `on_update`, else they are dropped.
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
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _work(self) -> bool:
        """Everything that can be done now; whether there is more to read at once."""
        if self._clock() - self._discovered >= _DISCOVER_SECONDS:
            self._discover()
        for process in self._processes.values():
            process.drain()
        if any(process.take_broken() for process in self._processes.values()):
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
    """A client of the run that is meant, with this user's keys, made on first use.

    run: an id, the beginning of one, a name, a path, or "latest". home: where runs are, else HELM_RUN_HOME
    or the user's data folder. via: what the program calls itself; it stands on every change. history: False
    leaves out what was there before.

    Raises RecordError when there is no such run, or several, and KeysError when the keys cannot be used.
    """
    from helm_sdk.record.runs import find_run

    return RunClient(find_run(home, run), keys=load_keys(), history=history, via=via)
