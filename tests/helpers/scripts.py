"""Training scripts in child processes, and the shell beside them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helm_sdk.record.runs import find_run

SCRIPTS = Path(__file__).parents[1] / "e2e" / "scripts"


def without(text: str, *parts: int) -> str:
    """The script's text with the lines of these numbered parts removed."""
    for part in parts:
        text = re.sub(rf"^ *# part {part}\n.*?^ *# end {part}\n", "", text, flags=re.MULTILINE | re.DOTALL)
    return text


@dataclass
class Script:
    """A script that runs in a process of its own; its lines are read by a thread as they come."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)
    arrived: threading.Condition = field(default_factory=threading.Condition)

    def read(self) -> None:
        """Collect what the script prints until it ends."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self.arrived:
                self.lines.append(line.rstrip("\n"))
                self.arrived.notify_all()
        with self.arrived:
            self.arrived.notify_all()

    def wait_for_line(self, pattern: str, timeout: float = 60.0) -> re.Match[str]:
        """The first line that matches; fails with everything printed so far."""
        found: list[re.Match[str]] = []

        def seen() -> bool:
            found[:] = [match for line in self.lines if (match := re.search(pattern, line))]
            return bool(found) or self.process.poll() is not None

        with self.arrived:
            self.arrived.wait_for(seen, timeout)
        assert found, f"no line matches {pattern!r} in:\n" + "\n".join(self.lines)
        return found[0]

    def finish(self, timeout: float = 90.0) -> int:
        """Wait for the end; its exit status."""
        return self.process.wait(timeout)

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End it at once."""
        if self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(30)


def start(
    script: Path | str, *, home: Path, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Script:
    """Run a script (a path, or its text) with this home."""
    command = [sys.executable, "-u"]
    command += [str(script)] if isinstance(script, Path) else ["-c", script]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=cwd,
        env={**os.environ, "HELM_RUN_HOME": str(home), **(env or {})},
    )
    started = Script(process)
    threading.Thread(target=started.read, daemon=True, name="script lines").start()
    return started


def helmctl(
    *arguments: str, home: Path, timeout: float = 60.0, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `helmctl` as a shell would."""
    return subprocess.run(
        [sys.executable, "-m", "helm_sdk.cli", *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, "HELM_RUN_HOME": str(home), **(env or {})},
    )


def points(name: str, *, home: Path, run: str = "latest") -> list[tuple[int, float]]:
    """(step, value) of a stream, in the order they were logged, of the newest attempt."""
    reader = find_run(home, run).readers()[-1]
    return [(step, value) for step, value, _ in reader.points(name)]


def catalogue(kind: str, *, home: Path, run: str = "latest") -> Any:
    """The newest snapshot of a kind ("plan", "tensors"); None when there is none."""
    found = find_run(home, run).readers()[-1].catalogues().get(kind)
    return found.body if found else None


def shown(*, home: Path, run: str = "latest") -> dict[str, Any]:
    """What `helmctl show --json` says."""
    done = helmctl("show", run, "--json", home=home)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def kill_all(scripts: Sequence[Script]) -> Iterator[None]:
    """For fixtures: nothing is left running."""
    yield
    for script in scripts:
        script.kill()
