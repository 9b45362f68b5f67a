"""A run that is steered while somebody sends it what no honest peer sends, and what came of both."""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import zmq
from zmq.utils.monitor import parse_monitor_message

from helm_sdk.client import Address, BatchUpdate, RunClient, Update
from helm_sdk.keys import Keys, load_keys
from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import (
    REQUESTS,
    ApproveCommand,
    Attach,
    Backfill,
    CancelCommand,
    Command,
    Fetch,
    Message,
    SendCommand,
)
from helm_sdk.record.live import live_entries
from helm_sdk.record.run import RunFolder
from helpers.fleet import begin
from helpers.noise import Noise
from helpers.scripts import Script

STEERED = Path(__file__).parent / "scripts" / "steered.py"


@contextmanager
def steered(home: Path, *arguments: str) -> Iterator[tuple[Script, RunFolder]]:
    """A run with the control set_rate."""
    script = begin(str(STEERED), *arguments, home=home)
    try:
        yield script, RunFolder(Path(script.wait_for_line(r"^folder (.+)$")[1]))
    finally:
        script.kill()


def address_of(home: Path, run: RunFolder) -> Address:
    """Where the run answers, as anybody who may read its folder can see."""
    (entry,) = live_entries(home, run.run_id)
    return Address(entry.run_id, entry.publish, entry.request, entry.public_key, entry.process)


def a_socket(
    context: zmq.Context[Any], kind: int, endpoint: str, keys: Keys, server_key: str
) -> zmq.Socket[Any]:
    """A raw CURVE client."""
    socket: zmq.Socket[Any] = context.socket(kind)
    socket.linger = 0
    socket.curve_publickey = keys.public.encode()
    socket.curve_secretkey = keys.secret.encode()
    socket.curve_serverkey = server_key.encode()
    if kind == zmq.SUB:
        socket.subscribe(b"")
    socket.connect(endpoint)
    return socket


def poll_until(
    client: RunClient, wanted: type[Update] | tuple[type[Update], ...], seconds: float = 30.0, times: int = 1
) -> list[Update]:
    """Poll until so many updates of a kind have come."""
    found: list[Update] = []
    deadline = time.monotonic() + seconds
    while sum(isinstance(update, wanted) for update in found) < times:
        assert time.monotonic() < deadline, found[-5:]
        found += client.poll(0.1)
    return found


def refused(monitor: zmq.Socket[Any], seconds: float = 20.0) -> bool:
    """Whether the handshake is refused for the key."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if monitor.poll(100):
            event = parse_monitor_message(monitor.recv_multipart())
            if event["event"] == zmq.Event.HANDSHAKE_FAILED_AUTH:
                return True
    return False


def requests_of(run: RunFolder) -> list[Message]:
    """One request of each kind, as an honest client sends them."""
    process = "rank-0"
    command = Command(id="noise", capability="set_rate", input={"value": 2.0})
    return [
        Attach(request="1", process=process, via="noise"),
        Backfill(request="2", process=process, attempt=1, after_seq=0, upto_seq=10),
        SendCommand(request="3", process=process, command=command),
        CancelCommand(request="4", process=process, command_id="noise"),
        ApproveCommand(request="5", process=process, command_id="noise", approve=True),
        Fetch(request="6", process=process, path="run.json"),
    ]


def flood(home: Path, run: RunFolder, messages: int, keys: Keys | None = None) -> int:
    """Send noise to a run's ROUTER and PUB, wait until all is read; how many replies came."""
    keys = keys or load_keys()
    address = address_of(home, run)
    noise = Noise(run.run_id, [*REQUESTS, "nonsense"], requests_of(run))
    replies = 0
    with zmq.Context() as context:
        asks = a_socket(context, zmq.DEALER, address.request, keys, address.public_key)
        listens = a_socket(context, zmq.XSUB, address.publish, keys, address.public_key)
        for number in range(messages):
            parts = noise.next()
            asks.send_multipart(parts)
            if number % 10 == 0 and listens.poll(0, zmq.POLLOUT):
                listens.send_multipart([part for part in parts if part[:1] != b"\x01"] or [b"x"], zmq.NOBLOCK)
            while asks.poll(0):
                asks.recv_multipart()
                replies += 1
        asks.send_multipart(wire.frames(run.run_id, Attach(request="last", process="rank-0")))
        while not _is_last(asks):
            replies += 1
        asks.close()
        listens.close()
    return replies


def _is_last(asks: zmq.Socket[Any]) -> bool:
    assert asks.poll(30_000), "the run does not answer any more"
    try:
        read = wire.read_reply(asks.recv_multipart())
    except Exception:
        return False
    return read is not None and getattr(read[1], "request", "") == "last" and hasattr(read[1], "last_seq")


def flood_in_parts(home: Path, run: RunFolder, script: Script, messages: int) -> float:
    """Flood a run; how many megabytes the last four fifths of it made the process grow."""
    flood(home, run, messages // 5)
    process = psutil.Process(script.process.pid)
    before = process.memory_info().rss
    flood(home, run, messages - messages // 5)
    return float(process.memory_info().rss - before) / (1 << 20)


def rate_now(client: RunClient) -> float:
    """The value in the next batch that is published."""
    while True:
        for update in poll_until(client, BatchUpdate):
            if isinstance(update, BatchUpdate) and not update.history and update.batch.groups:
                return float(struct.unpack("<d", update.batch.groups[-1].values[-8:])[0])
