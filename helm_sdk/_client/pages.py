"""History by request: one page outstanding, asked again when it does not come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from helm_sdk._client.attempts import Attempt, Attempts
from helm_sdk._client.guard import is_consistent
from helm_sdk._client.link import ProcessSockets
from helm_sdk._client.requests import OpenRequests
from helm_sdk.protocol.messages import Backfill, Page

_PAUSE_SECONDS: Final = 1.0
DEFAULT_PAGE_SECONDS: Final = 5.0


@dataclass(frozen=True)
class _Outstanding:
    request: str
    attempt: Attempt
    upto: int
    asked: float


class Pages:
    """Asks for what no file brings. A page that does not come in time is asked for again."""

    def __init__(
        self, attempts: Attempts, requests: OpenRequests, timeout: float, clock: Callable[[], float]
    ) -> None:
        self._attempts = attempts
        self._requests = requests
        self._timeout = timeout
        self._clock = clock
        self._outstanding: _Outstanding | None = None
        self._not_before = 0.0

    def request_next(self, link: ProcessSockets | None, attached: bool) -> None:
        """Ask for the next page when one is needed and none is under way."""
        now = self._clock()
        if self._outstanding is not None and now - self._outstanding.asked > self._timeout:
            self._outstanding = None
        if link is None or not attached or self._outstanding is not None or now < self._not_before:
            return
        attempt = next((found for found in self._attempts.all() if self._needs(found)), None)
        if attempt is None:
            return
        after, upto = attempt.line.missing_range
        question = Backfill(
            request=self._requests.new_id(),
            process=self._attempts.process,
            attempt=attempt.line.attempt,
            after_seq=after,
            upto_seq=upto,
        )
        if link.send(question):
            self._outstanding = _Outstanding(question.request, attempt, upto, now)

    def apply(self, page: Page) -> None:
        """A page has come: deliver what it holds. One that nobody asked for is left out."""
        requested = self._outstanding
        if (
            requested is None
            or page.request != requested.request
            or page.attempt != requested.attempt.line.attempt
        ):
            return
        self._outstanding = None
        line = requested.attempt.line
        before = line.have
        whole = True
        for batch in page.batches:
            whole = is_consistent(batch, line.process, line.attempt) and batch.start == line.have + 1
            if not whole or batch.seq > requested.upto:
                break
            self._attempts.deliver(requested.attempt, line.history(batch), True)
        if not whole:
            line.losses.malformed += 1
        elif before < page.last <= requested.upto:
            self._attempts.deliver(requested.attempt, line.passed(page.last), True)
        if line.have <= before:
            self._not_before = self._clock() + _PAUSE_SECONDS

    def refused(self, request: str) -> None:
        """A page was refused: ask again in a while."""
        if self._outstanding is not None and self._outstanding.request == request:
            self._outstanding = None
            self._not_before = self._clock() + _PAUSE_SECONDS

    def forget(self) -> None:
        """The connection broke off: nothing is under way."""
        self._outstanding = None
        self._not_before = 0.0

    @staticmethod
    def _needs(attempt: Attempt) -> bool:
        if not attempt.wanted or not attempt.line.behind:
            return False
        return attempt.file is None or not attempt.file.usable
