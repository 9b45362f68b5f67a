"""Puts the batches of one attempt of one process in order: live ones, and history for what is missing."""

from __future__ import annotations

from collections import deque

from helm_sdk._client.losses import Losses
from helm_sdk.protocol.messages import Batch

DEFAULT_BUFFER_BYTES = 8 << 20
_MAX_HOLES = 1024


class BatchSequence:
    """Everything up to `have` has been delivered; `target` is the highest number known to exist.

    Live batches that come while something before them is missing are kept within a bound of bytes. Over
    it all of them are dropped, since history will bring them: never is one delivered twice or left out.
    """

    def __init__(
        self, process: str, attempt: int, *, have: int = 0, buffer_bytes: int = DEFAULT_BUFFER_BYTES
    ) -> None:
        self.process = process
        self.attempt = attempt
        self.have = have
        self.target = have
        self.losses = Losses()
        self._heard = 0  # the last number that the publisher is known to have reached; 0: nothing yet
        self._kept: deque[tuple[Batch, int]] = deque()
        self._kept_bytes = 0
        self._bound = buffer_bytes
        self._holes: deque[tuple[int, int]] = deque()  # (closed by this number, batches missing)

    @property
    def behind(self) -> bool:
        """Whether something is missing that history has to bring."""
        return self.have < self.target

    @property
    def missing_range(self) -> tuple[int, int]:
        """(after, upto): what history has to bring next; what is kept is not asked for again."""
        return self.have, self._kept[0][0].start - 1 if self._kept else self.target

    @property
    def buffered_bytes(self) -> int:
        """How much is kept until what comes before it is there."""
        return self._kept_bytes

    def live(self, batch: Batch, size: int) -> list[Batch]:
        """Take a batch that came live; return what can be delivered now."""
        self._count_missing(batch.start - 1)
        self._heard = max(self._heard, batch.seq)
        self.target = max(self.target, batch.seq)
        if batch.seq <= self.have:
            return []
        if batch.start == self.have + 1:
            return self._deliver(batch)
        if batch.start <= self.have:  # a part is known: history cuts exactly
            return []
        if self._kept_bytes + size > self._bound:
            self._drop()
        elif not self._kept or batch.start > self._kept[-1][0].seq:
            self._kept.append((batch, size))
            self._kept_bytes += size
        return []

    def on_last_number(self, last_seq: int) -> None:
        """The publisher says how far it is: a lost last batch shows here."""
        self._count_missing(last_seq)
        self._heard = max(self._heard, last_seq)
        self.target = max(self.target, last_seq)

    def exists(self, last_seq: int) -> None:
        """The file or a snapshot reaches this far, which says nothing of what was lost live."""
        self.target = max(self.target, last_seq)

    def skip(self, last_seq: int) -> list[Batch]:
        """Leave everything up to here out: this reader wants only what comes later."""
        self.have = max(self.have, last_seq)
        self.target = max(self.target, self.have)
        return self._next_kept()

    def history(self, batch: Batch) -> list[Batch]:
        """Take a batch from the file or a page; return what can be delivered now."""
        if batch.start != self.have + 1 or batch.seq < batch.start:
            return []
        self.target = max(self.target, batch.seq)
        return self._deliver(batch)

    def passed(self, upto: int) -> list[Batch]:
        """History holds nothing more up to here."""
        if upto <= self.have:
            return []
        self.have = upto
        return self._next_kept()

    def skip_missing(self) -> list[Batch]:
        """Return what is missing will not come: go on with what is kept, which stays counted as missing."""
        self._holes.clear()
        delivered = []
        while self._kept:
            batch, size = self._kept.popleft()
            self._kept_bytes -= size
            if batch.start > self.have:
                self.have = batch.seq
                delivered.append(batch)
        self.have = max(self.have, self.target)
        return delivered

    def _deliver(self, batch: Batch) -> list[Batch]:
        self.have = batch.seq
        return [batch, *self._next_kept()]

    def _next_kept(self) -> list[Batch]:
        delivered = []
        while self._kept and self._kept[0][0].start <= self.have + 1:
            batch, size = self._kept.popleft()
            self._kept_bytes -= size
            if batch.start == self.have + 1:
                self.have = batch.seq
                delivered.append(batch)
        self._close_holes()
        return delivered

    def _count_missing(self, reached: int) -> None:
        """Count what lies between the last number heard and one that should have come by now."""
        if self._heard and reached > self._heard:
            first = max(self._heard, self.have) + 1
            if first <= reached:
                self.losses.gaps += 1
                self.losses.missing += reached - first + 1
                self._holes.append((reached, reached - first + 1))
                if len(self._holes) > _MAX_HOLES:
                    last, count = self._holes.pop()
                    self._holes[-1] = (last, self._holes[-1][1] + count)

    def _close_holes(self) -> None:
        while self._holes and self._holes[0][0] <= self.have:
            self.losses.repaired += self._holes.popleft()[1]

    def _drop(self) -> None:
        self.losses.dropped += len(self._kept) + 1
        self._kept.clear()
        self._kept_bytes = 0
