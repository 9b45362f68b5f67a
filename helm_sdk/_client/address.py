"""Where a process of a run answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Address:
    """Where one process of a run answers, for a client that was told so and does not look it up in the files.

    Attributes:
        run_id: The run's id.
        publish: The endpoint of its PUB socket, such as "tcp://127.0.0.1:40123".
        request: The endpoint of its ROUTER socket.
        public_key: The process's CURVE key in Z85 text.
        process: The process's name.
    """

    run_id: str
    publish: str
    request: str
    public_key: str
    process: str = "rank-0"
