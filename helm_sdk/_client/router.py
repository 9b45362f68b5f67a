"""Which process a question goes to: the one that declares the control, one by name, or each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from helm_sdk._client.process import ProcessLink
from helm_sdk._client.requests import OpenRequests
from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import ApproveCommand, CancelCommand, Command, Fetch, SendCommand
from helm_sdk.protocol.updates import RefusalUpdate, Update

ALL: Final = "all"
_UNCLEAR_SECONDS: Final = 2.0
_REMEMBERED: Final = 1000


@dataclass(frozen=True)
class _Unrouted:
    command: Command
    via: str
    since: float


class Router:
    """Sends commands once it is clear who declares them; remembers where each went."""

    def __init__(
        self, processes: Mapping[str, ProcessLink], updates: list[Update], clock: Callable[[], float]
    ) -> None:
        self.routes: dict[str, list[str]] = {}
        self._processes = processes
        self._updates = updates
        self._clock = clock
        self._requests = OpenRequests()
        self._unrouted: list[_Unrouted] = []

    def send(self, command: Command, via: str) -> str:
        """Send a command as soon as it is clear where to. Raises WireError when it cannot be packed."""
        wire.encode(command)
        self._unrouted.append(_Unrouted(command, via, self._clock()))
        self.route()
        return command.id

    def route(self) -> None:
        """Send what waited to learn who declares it."""
        for waiting in self._unrouted.copy():
            targets = self._targets(waiting)
            if targets is not None:
                self._unrouted.remove(waiting)
                self._send(waiting, targets)

    def cancel(self, command_id: str, reason: str, process: str) -> list[str]:
        """Withdraw a command where it went."""
        requests = []
        for link in self._holders(command_id, process):
            request = self._requests.new_id()
            link.send(
                CancelCommand(request=request, process=link.process, command_id=command_id, reason=reason)
            )
            requests.append(request)
        return requests or [self._refuse("", command_id)]

    def approve(self, command_id: str, approve: bool, reason: str, process: str) -> list[str]:
        """Approve or refuse a command where it went."""
        requests = []
        for link in self._holders(command_id, process):
            request = self._requests.new_id()
            link.send(
                ApproveCommand(
                    request=request,
                    process=link.process,
                    command_id=command_id,
                    approve=approve,
                    reason=reason,
                )
            )
            requests.append(request)
        return requests or [self._refuse("", command_id)]

    def fetch(self, path: str, offset: int, limit_bytes: int, process: str) -> list[str]:
        """Ask the named process, or the first that lives, for a part of a file."""
        for link in self._linked(process):
            request = self._requests.new_id()
            link.send(
                Fetch(
                    request=request,
                    process=link.process,
                    path=path,
                    offset=offset,
                    limit_bytes=limit_bytes,
                )
            )
            return [request]
        return [self._refuse("", "")]

    def _send(self, waiting: _Unrouted, targets: list[ProcessLink]) -> None:
        command = waiting.command
        while len(self.routes) >= _REMEMBERED:
            del self.routes[next(iter(self.routes))]
        self.routes[command.id] = [link.process for link in targets]
        for link in targets:
            request = self._requests.new_id()
            link.send(SendCommand(request=request, process=link.process, command=command, via=waiting.via))
        if not targets:
            self._refuse(command.process, command.id)

    def _targets(self, waiting: _Unrouted) -> list[ProcessLink] | None:
        """Return where a command goes; None while that is not clear."""
        name = waiting.command.process
        linked = self._linked("" if name == ALL else name)
        late = self._clock() - waiting.since > _UNCLEAR_SECONDS
        declaring = [link for link in linked if waiting.command.capability in link.attempts.declared]
        if not late and not all(link.is_ready for link in linked):
            return declaring[:1] if not name and declaring else None
        return (declaring or linked) if name == ALL else (declaring or linked)[:1]

    def _holders(self, command_id: str, process: str) -> list[ProcessLink]:
        """Return where a command is known to have gone, else everywhere: only its holder knows it."""
        went = self.routes.get(command_id, [])
        linked = self._linked(process)
        return [link for link in linked if link.process in went] or linked

    def _linked(self, process: str) -> list[ProcessLink]:
        return [
            link for name, link in self._processes.items() if link.linked and (not process or name == process)
        ]

    def _refuse(self, process: str, command_id: str) -> str:
        request = self._requests.new_id()
        named = process not in ("", ALL)
        says = (
            f"process {process} takes no requests now"
            if named
            else "no process of this run takes requests now"
        )
        self._updates.append(RefusalUpdate(process, request, command_id, says))
        return request
