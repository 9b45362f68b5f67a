"""Jobs of several ranks: real processes with gloo, forked from a server that has loaded torch already."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import socket
import time
import uuid
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any

from helm_sdk.client import BatchUpdate, HeartbeatUpdate, RefusalUpdate, RunClient
from helm_sdk.keys import load_keys
from helm_sdk.protocol.history import CommandHistory, CommandRecord
from helm_sdk.protocol.messages import Command, Event
from helm_sdk.record.run import RunFolder

PATIENCE_S = 60.0  # for a whole job: nothing that hangs is waited for longer
ENDED = ("applied", "confirmed", "failed", "rejected", "expired", "cancelled", "superseded")


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Here:
    """What a rank's own code gets: who it is, and a line to the test."""

    def __init__(self, rank: int, world: int, line: Connection, options: Mapping[str, Any]) -> None:
        self.rank = rank
        self.world = world
        self.options = options
        self._line = line

    def tell(self, what: str, value: Any = None) -> None:
        """Tell the test something."""
        self._line.send((what, value))

    def hear(self) -> Any:
        """Wait for what the test says."""
        assert self._line.poll(self.options["patience"]), "the test said nothing"
        return self._line.recv()

    def heard(self) -> bool:
        """Whether the test has said something; does not wait."""
        return self._line.poll(0) and self._line.recv() is not None

    def group(self) -> None:
        """Call `init_process_group`, as a script with its own launcher does."""
        import torch.distributed as dist

        address = self.options.get("address") or f"tcp://127.0.0.1:{self.options['port']}"
        dist.init_process_group("gloo", init_method=address, rank=self.rank, world_size=self.world)


def _main(
    loop: Callable[[Here], None], rank: int, world: int, line: Connection, env: dict[str, str], options: Any
) -> None:
    os.environ.update(env)
    faulthandler.dump_traceback_later(options["patience"] - 15)  # says where a rank hangs
    import torch

    torch.set_num_threads(1)
    try:
        loop(Here(rank, world, line, options))
    except BaseException as error:
        line.send(("error", f"{type(error).__name__}: {error}"))
        raise
    line.send(("ended", None))


class Job:
    """Several ranks that run `loop`. `launched`: with the variables that torchrun sets."""

    def __init__(
        self,
        world: int,
        loop: Callable[[Here], None],
        *,
        launched: bool = True,
        timeout: float = 10.0,
        patience: float = PATIENCE_S,
        **options: Any,
    ) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["torch", "torch.distributed.fsdp", "helm_sdk.torch", "helpers.ranks"])
        self.ends = time.monotonic() + patience
        self.told: list[dict[str, list[Any]]] = [{} for _ in range(world)]
        self._lines: list[Connection] = []
        self._processes = []
        port = free_port()
        for rank in range(world):
            mine, theirs = context.Pipe()
            env = {name: os.environ[name] for name in ("HELM_RUN_HOME", "HELM_CONFIG_HOME")}
            env |= {"HELM_RANK_TIMEOUT": str(timeout), "GLOO_SOCKET_IFNAME": "lo"}
            if launched:
                env |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(world)}
                env |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
            arguments = (loop, rank, world, theirs, env, {**options, "port": port, "patience": patience})
            process = context.Process(target=_main, args=arguments, daemon=True)
            process.start()
            theirs.close()
            self._lines.append(mine)
            self._processes.append(process)

    def __enter__(self) -> Job:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            if kind is not None:
                process.kill()
            process.join(max(0.0, self.ends - time.monotonic()))
            hung = process.is_alive()
            process.kill()
            process.join()
            assert not hung or kind is not None, "a rank did not come to its end"

    def kill(self, rank: int) -> None:
        """End a rank at once, without a word."""
        self._processes[rank].kill()

    def wait(self, what: str, *ranks: int) -> list[Any]:
        """The first thing of this kind that each of the ranks (every one without names) tells."""
        return [self._wait_one(rank, what) for rank in ranks or range(len(self._lines))]

    def say(self, value: Any, *ranks: int) -> None:
        """Say something to each of the ranks."""
        for rank in ranks or range(len(self._lines)):
            self._lines[rank].send(value)

    def _wait_one(self, rank: int, what: str) -> Any:
        told = self.told[rank]
        while not told.get(what):
            left = self.ends - time.monotonic()
            assert left > 0, f"rank {rank} told no {what!r}, only {list(told)}"
            assert self._lines[rank].poll(left), f"rank {rank} told no {what!r}, only {list(told)}"
            try:
                kind, value = self._lines[rank].recv()
            except EOFError:
                raise AssertionError(f"rank {rank} ended without {what!r}: {told}") from None
            assert kind != "error" or what == "error", f"rank {rank}: {value}"
            told.setdefault(kind, []).append(value)
        return told[what].pop(0)


class Steer:
    """A client of one run: sends changes and follows what becomes of them."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.client = RunClient(RunFolder(self.folder), keys=load_keys(), via="test")
        self.history = CommandHistory()
        self.controls: dict[str, dict[str, str]] = {}  # by process: why each control cannot be used
        self.events: list[tuple[str, Event]] = []
        self._newest: dict[str, int] = {}  # by process: an earlier attempt's history may come later
        self.joined: set[tuple[str, int]] = set()  # (process, attempt)
        self.paused: dict[str, bool] = {}  # by process, as its last heartbeat says

    def __enter__(self) -> Steer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()

    def send(self, capability: str, value: Any = None, *, process: str = "rank-0", **more: Any) -> str:
        """Send a change; its id."""
        command = Command(id=str(uuid.uuid4()), capability=capability, input=value, process=process, **more)
        self.client.send(command)
        return command.id

    def ended(self, command_id: str) -> CommandRecord:
        """Wait until nothing more comes of a command but perhaps its confirmation."""
        self.wait(lambda: (one := self.history.by_id(command_id)) is not None and one.state in ENDED)
        record = self.history.by_id(command_id)
        assert record is not None
        return record

    def do(self, capability: str, value: Any = None, **more: Any) -> CommandRecord:
        """Send a change and wait for its end."""
        return self.ended(self.send(capability, value, **more))

    def usable(self, name: str = "lr") -> None:
        """Wait until a control of rank 0 can be used."""
        self.wait(lambda: self.controls.get("rank-0", {}).get(name) == "")

    def wait(self, condition: Callable[[], bool], patience: float = PATIENCE_S) -> None:
        """Follow the run until the condition holds."""
        deadline = time.monotonic() + patience
        while not condition():
            assert time.monotonic() < deadline, f"the run did not do what was waited for: {self.controls}"
            for update in self.client.poll(0.1):
                if isinstance(update, BatchUpdate):
                    self._take(update)
                elif isinstance(update, HeartbeatUpdate):
                    self.paused[update.process] = update.heartbeat.paused
                elif isinstance(update, RefusalUpdate):
                    raise AssertionError(update.message)

    def _take(self, update: BatchUpdate) -> None:
        for event in update.batch.events:
            self.events.append((update.process, event))
            if event.kind == "joined":
                self.joined.add((update.process, update.attempt))
            self.history.add(event, update.process, update.attempt)
        for catalogue in update.batch.catalogues:
            if catalogue.kind == "capabilities" and update.attempt >= self._newest.get(update.process, 0):
                self._newest[update.process] = update.attempt
                self.controls[update.process] = {
                    one["capability"]["name"]: one.get("unavailable", "") for one in catalogue.body
                }


def step_applied(record: CommandRecord) -> int | None:
    """The step that the applied event of a command bears."""
    return next(stage.step for stage in record.track if stage.body.state == "applied")
