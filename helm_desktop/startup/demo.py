"""The example training, started beside the app."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from helm_desktop._resources import resource
from helm_desktop.storage.storage_thread import Storage

POLL_MS = 300
STOP_SECONDS = 30


class Demo(QObject):
    """Starts the script in a session of its own: it goes on when the window closes."""

    notified = Signal(str)  # what is happening, or why it did not start

    def __init__(self, home: Path | None, storage: Storage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._home, self._storage = home, storage
        self._child: subprocess.Popen[bytes] | None = None
        self._log: Path | None = None
        self._starting = False
        self._poll = QTimer(self)
        self._poll.setInterval(POLL_MS)
        self._poll.timeout.connect(self._check_process)

    def set_home(self, home: Path | None) -> None:
        """Write the next one's run into another home."""
        self._home = home

    @property
    def running(self) -> bool:
        """Whether the script runs."""
        return self._child is not None and self._child.poll() is None

    def start(self) -> None:
        """Start it, unless it runs already."""
        if not self.running and not self._starting:
            self._starting = True
            self._storage.run(partial(_start, self._home), self._started, self._not_started)

    def _started(self, begun: tuple[subprocess.Popen[bytes], Path]) -> None:
        self._starting = False
        self._child, self._log = begun
        self.notified.emit("The demo is starting. Its board opens by itself.")
        self._poll.start()

    def _not_started(self, error: Exception) -> None:
        self._starting = False
        self.notified.emit(str(error) if isinstance(error, _NoTorch) else f"The demo did not start: {error}")

    def stop(self) -> None:
        """Interrupt it as Ctrl-C would and wait for it to close its run."""
        self._poll.stop()
        if self._child is not None and self._child.poll() is None:
            self._child.send_signal(signal.SIGINT)
            try:
                self._child.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        log, self._log = self._log, None
        if log is not None:
            self._storage.run(partial(_pop_log, log))

    def _check_process(self) -> None:
        if self._child is None or self._child.poll() is None:
            return
        self._poll.stop()
        log, self._log = self._log, None
        if log is not None:
            self._storage.run(partial(_pop_log, log), partial(self._ended, self._child.returncode))

    def _ended(self, status: int, text: str) -> None:
        if status:
            last = text.splitlines()[-1] if text else "it said nothing"
            self.notified.emit(f"The demo ended with status {status}: {last}")


# On the storage thread ---------------------------------------------------------------------------


class _NoTorch(Exception):
    """The demo needs PyTorch; the text says how to get it."""


def _start(home: Path | None) -> tuple[subprocess.Popen[bytes], Path]:
    """Return the script's process, and the file of what it says."""
    if find_spec("torch") is None:
        raise _NoTorch('The demo trains with PyTorch: run  pip install "helm-desktop[app,torch,system]"')
    environment = dict(os.environ)
    if home is not None:
        environment["HELM_RUN_HOME"] = str(home)
    with tempfile.NamedTemporaryFile("wb", prefix="helm-demo-", suffix=".log", delete=False) as log:
        child = subprocess.Popen(
            [sys.executable, str(resource("examples", "script_to_screen.py"))],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
    return child, Path(log.name)


def _pop_log(log: Path) -> str:
    """Return what the script said; the file is not kept."""
    if not log.is_file():
        return ""
    text = log.read_text(errors="replace").strip()
    log.unlink(missing_ok=True)
    return text
