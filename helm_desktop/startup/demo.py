"""The example training, started beside the app."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from helm_desktop._resources import resource

POLL_MS = 300
STOP_SECONDS = 30


class Demo(QObject):
    """Starts the script in a session of its own: it goes on when the window closes."""

    said = Signal(str)  # what is happening, or why it did not start

    def __init__(self, home: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._child: subprocess.Popen[bytes] | None = None
        self._log: Path | None = None
        self._poll = QTimer(self)
        self._poll.setInterval(POLL_MS)
        self._poll.timeout.connect(self._look)

    def set_home(self, home: Path | None) -> None:
        """Write the next one's run into another home."""
        self._home = home

    @property
    def running(self) -> bool:
        """Whether the script runs."""
        return self._child is not None and self._child.poll() is None

    def start(self) -> bool:
        """Start it, unless it runs already; whether it runs now."""
        if self.running:
            return True
        if find_spec("torch") is None:
            self.said.emit('The demo trains with PyTorch: run  pip install "helm-desktop[app,torch,system]"')
            return False
        script = resource("examples", "script_to_screen.py")
        environment = dict(os.environ)
        if self._home is not None:
            environment["HELM_RUN_HOME"] = str(self._home)
        with tempfile.NamedTemporaryFile("wb", prefix="helm-demo-", suffix=".log", delete=False) as log:
            self._log = Path(log.name)
            try:
                self._child = subprocess.Popen(
                    [sys.executable, str(script)],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=environment,
                    start_new_session=True,
                )
            except OSError as error:
                self.said.emit(f"The demo did not start: {error}")
                return False
        self.said.emit("The demo is starting. Its board opens by itself.")
        self._poll.start()
        return True

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
        self._take_log()

    def _take_log(self) -> str:
        """What the script said; the file is not kept."""
        log, self._log = self._log, None
        if log is None or not log.is_file():
            return ""
        text = log.read_text(errors="replace").strip()
        log.unlink(missing_ok=True)
        return text

    def _look(self) -> None:
        if self._child is None or self._child.poll() is None:
            return
        self._poll.stop()
        text = self._take_log()
        if self._child.returncode:
            last = text.splitlines()[-1] if text else "it said nothing"
            self.said.emit(f"The demo ended with status {self._child.returncode}: {last}")
