"""Several processes of one run that log known points, and a collector beside them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from helm_sdk.record.live import live_entries
from helpers.collector import Collected, read_dump
from helpers.patterns import bits_of
from helpers.scripts import Script

TESTS = Path(__file__).parents[1]
WRITER = TESTS / "reliability" / "scripts" / "writer.py"
COLLECTOR = TESTS / "helpers" / "collector.py"


def begin(*command: str, home: Path, env: Mapping[str, str] | None = None) -> Script:
    """A child process whose lines are read and that can be told lines."""
    process = subprocess.Popen(
        [sys.executable, "-u", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "HELM_RUN_HOME": str(home), **(env or {})},
    )
    script = Script(process)
    threading.Thread(target=script.read, daemon=True, name="script lines").start()
    return script


def tell(script: Script, line: str) -> None:
    """Give a child one line on its standard input."""
    assert script.process.stdin is not None
    script.process.stdin.write(line + "\n")
    script.process.stdin.flush()


@dataclass
class Fleet:
    """The processes of one run, by name."""

    home: Path
    run_id: str
    folder: Path
    writers: dict[str, Script] = field(default_factory=dict)

    def log(self, first: int, end: int, rate: int = 0) -> None:
        """Let every process log these points, each at this rate; does not wait."""
        for writer in self.writers.values():
            tell(writer, f"log {first} {end} {rate}")

    def wait_logged(self, end: int, timeout: float = 120.0) -> None:
        """Wait until every process has logged up to here."""
        for writer in self.writers.values():
            writer.wait_for_line(rf"^logged {end}$", timeout)

    def finish(self) -> None:
        """Let every process finish and wait for its end."""
        for writer in self.writers.values():
            tell(writer, "finish")
        for name, writer in self.writers.items():
            assert writer.finish() == 0, f"{name}:\n" + "\n".join(writer.lines)

    def expect(self, found: list[Collected], end: int) -> None:
        """Each point of each process is there once, at its step, bit for bit."""
        assert {(each.process, each.attempt, each.name) for each in found} == {
            (name, 1, "points") for name in self.writers
        }
        for each in found:
            np.testing.assert_array_equal(each.steps, np.arange(end))
            np.testing.assert_array_equal(each.bits, bits_of(each.process, 0, end))

    def addresses(self, into: Path) -> Path:
        """A file with where each process answers, which is all that a client without files is told."""
        told = [
            {
                "run_id": entry.run_id,
                "publish": entry.publish,
                "request": entry.request,
                "public_key": entry.public_key,
                "process": entry.process,
            }
            for entry in live_entries(self.home, self.run_id)
        ]
        assert len(told) == len(self.writers)
        into.write_text(json.dumps(told))
        return into


@contextmanager
def fleet(home: Path, processes: int, env: Mapping[str, str] | None = None) -> Iterator[Fleet]:
    """A run of several processes: the first makes it, the others join by its id."""
    first = begin(str(WRITER), "rank-0", home=home, env=env)
    writers = {"rank-0": first}
    try:
        match = first.wait_for_line(r"^run (\S+) (.+)$")
        run_id, folder = match[1], Path(match[2])
        for rank in range(1, processes):
            name = f"rank-{rank}"
            writers[name] = begin(str(WRITER), name, run_id, home=home, env=env)
        for writer in writers.values():
            writer.wait_for_line(r"^run ")
        yield Fleet(home, run_id, folder, writers)
    finally:
        for writer in writers.values():
            writer.kill()


@dataclass
class Collector:
    """A collector process."""

    script: Script
    out: Path

    @property
    def losses(self) -> tuple[int, int]:
        """Batches that did not come live, and how many of them came another way."""
        lines = [line.split() for line in list(self.script.lines) if line.startswith("losses ")]
        return (int(lines[-1][1]), int(lines[-1][2])) if lines else (0, 0)

    @property
    def memory_mb(self) -> int:
        """Its resident memory as it last said."""
        lines = [line for line in list(self.script.lines) if line.startswith("memory ")]
        return int(lines[-1].split()[1])

    def wait_holds(self, least: int, timeout: float = 60.0) -> int:
        """Wait until it holds at least so many points; how many it said."""
        held = 0

        def enough() -> bool:
            nonlocal held
            counts = [int(line.split()[1]) for line in self.script.lines if line.startswith("holds ")]
            held = max(counts, default=0)
            return held >= least or self.script.process.poll() is not None

        with self.script.arrived:
            self.script.arrived.wait_for(enough, timeout)
        tail = "\n".join(self.script.lines[-20:])
        assert held >= least, f"it holds {held} points and not {least}:\n{tail}"
        return held

    def dump(self, timeout: float = 60.0) -> list[Collected]:
        """What it holds now."""
        before = sum(line == "dumped" for line in self.script.lines)
        self.script.process.send_signal(signal.SIGUSR1)
        with self.script.arrived:
            done = self.script.arrived.wait_for(
                lambda: sum(line == "dumped" for line in self.script.lines) > before, timeout
            )
        assert done, "\n".join(self.script.lines[-20:])
        return read_dump(self.out)

    def says(self, pattern: str, timeout: float = 30.0) -> re.Match[str]:
        """Wait for a line of it."""
        return self.script.wait_for_line(pattern, timeout)

    def end(self) -> None:
        """Ask it to end, by its own way out."""
        self.script.kill(signal.SIGTERM)


@contextmanager
def app(home: Path, folder: Path, out: Path, env: Mapping[str, str] | None = None) -> Iterator[Collector]:
    """The app without a window, following a run."""
    collector = Collector(begin(str(COLLECTOR), "app", str(folder), str(out), home=home, env=env), out)
    try:
        collector.says(r"^ready$")
        yield collector
        collector.end()
    finally:
        collector.script.kill()


@contextmanager
def address_client(
    home: Path, addresses: Path, out: Path, rcvhwm: int | None = None, env: Mapping[str, str] | None = None
) -> Iterator[Collector]:
    """A client that was told addresses and keys and reads no file."""
    extra = [] if rcvhwm is None else [str(rcvhwm)]
    command = [str(COLLECTOR), "address", str(addresses), str(out), *extra]
    collector = Collector(begin(*command, home=home, env=env), out)
    try:
        collector.says(r"^ready$")
        yield collector
        collector.end()
    finally:
        collector.script.kill()
