"""What has been asked of a process and is not answered yet."""

from __future__ import annotations

import itertools
import secrets
from dataclasses import dataclass

from helm_sdk.protocol.messages import ApproveCommand, CancelCommand, Fetch, SendCommand

Question = SendCommand | CancelCommand | ApproveCommand | Fetch


@dataclass(frozen=True)
class OpenRequest:
    """One request on its way."""

    question: Question
    command_id: str


class OpenRequests:
    """Open requests by id. Ids are unique over clients, so that an answer fits one question only."""

    def __init__(self) -> None:
        self._prefix = secrets.token_hex(6)
        self._numbers = itertools.count(1)
        self._open: dict[str, OpenRequest] = {}

    def new_id(self) -> str:
        """Return a new id for the next request."""
        return f"{self._prefix}-{next(self._numbers)}"

    def add(self, question: Question) -> None:
        """Remember a question until it is answered."""
        self._open[question.request] = OpenRequest(question, command_of(question))

    def pop(self, request: str) -> OpenRequest | None:
        """Return the question that an answer fits; None for one that nobody asked."""
        return self._open.pop(request, None)

    def waiting(self) -> list[Question]:
        """Return what is unanswered, to be asked again after a reconnect: a run answers an id once only."""
        return [requested.question for requested in self._open.values()]

    def abandon(self) -> list[OpenRequest]:
        """Forget everything: nobody is left to answer."""
        requested = list(self._open.values())
        self._open.clear()
        return requested


def command_of(question: Question) -> str:
    """Return the id of the command that a question is about; empty for a file."""
    if isinstance(question, SendCommand):
        return question.command.id
    return "" if isinstance(question, Fetch) else question.command_id
