"""Where a process of a run answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Address:
    """Where one process of a run answers, for a client that was told instead of finding it.

    `publish` and `request` are endpoints such as "tcp://127.0.0.1:40123"; `public_key` is the run's CURVE
    key in Z85 text.
    """

    run_id: str
    publish: str
    request: str
    public_key: str
    process: str = "rank-0"
