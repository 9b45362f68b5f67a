"""Whether a decoded message makes sense for the process it came from."""

from __future__ import annotations

from helm_sdk.protocol.messages import Batch

MAX_SEQ = 2**53


def is_consistent(batch: Batch, process: str, attempt: int) -> bool:
    """Return True when a batch is of this attempt, its numbers rise, and its columns have one length."""
    if batch.process != process or batch.attempt != attempt:
        return False
    if not 1 <= batch.start <= batch.seq <= MAX_SEQ:
        return False
    return all(_even(group.streams, group.steps, group.times, group.values) for group in batch.groups)


def _even(streams: tuple[int, ...], steps: bytes, times: bytes, values: bytes) -> bool:
    size = len(steps)
    return size % 8 == 0 and len(times) == size and len(values) == size * len(streams) and bool(streams)
