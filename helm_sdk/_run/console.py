"""Copy what a script prints into a file of the run; printing itself works as without it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from helm_sdk.record import private
from helm_sdk.record.layout import safe_name

MAX_BYTES = 256 << 20
_LONGEST_LINE = 16 * 1024


class Console:
    """Copies sys.stdout and sys.stderr to `console-<process>.log`, each line with its time and stream.

    Of a progress bar, which rewrites its line with `\\r`, only the last text of the line is kept.
    """

    def __init__(self, folder: Path, process: str) -> None:
        self.path = folder / f"console-{safe_name(process)}.log"
        self._file: TextIO | None = open(  # noqa: SIM115 - closed by `close`
            self.path, "a", encoding="utf-8", errors="backslashreplace", opener=private.opener
        )
        self._size = self.path.stat().st_size
        self._lock = threading.RLock()
        self._partial = {"out": "", "err": ""}
        # A stream that is None stays None: to print to it does nothing in Python.
        self._tees = {
            name: _Tee(getattr(sys, name), self, short)
            for name, short in (("stdout", "out"), ("stderr", "err"))
            if getattr(sys, name) is not None
        }
        for name, tee in self._tees.items():
            setattr(sys, name, tee)

    def write(self, stream: str, text: str) -> None:
        """Add printed text of the stream "out" or "err"; whole lines go to the file."""
        with self._lock:
            lines = (self._partial[stream] + text).split("\n")
            self._partial[stream] = _folded(lines.pop())[-_LONGEST_LINE:]
            for line in lines:
                self._write(stream, line)
            if lines and self._file is not None:
                self._file.flush()

    def close(self) -> None:
        """Restore the standard streams, and write the last line even without its newline."""
        for name, tee in self._tees.items():
            if getattr(sys, name) is tee:
                setattr(sys, name, tee.original)
        with self._lock:
            for stream, line in self._partial.items():
                if line:
                    self._write(stream, line)
            self._partial = {"out": "", "err": ""}
            if self._file is not None:
                self._file.close()
                self._file = None

    def abandon(self) -> None:
        """Stop copying in a forked child: the file is the parent's, and the parent's lock may be locked."""
        self._lock = threading.RLock()
        self._inherited, self._file = self._file, None

    def _write(self, stream: str, line: str) -> None:
        if self._file is None:
            return
        now = time.time()
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z"
        entry = f"{stamp} {stream} {_folded(line)[:_LONGEST_LINE]}\n"
        self._size += len(entry)
        if self._size > MAX_BYTES:
            self._file.write(f"{stamp} err The console log is full; the rest is not kept.\n")
            self._file.close()
            self._file = None
            return
        self._file.write(entry)


class _Tee:
    """A stream that forwards everything to the original one and copies written text to the console file."""

    def __init__(self, original: Any, console: Console, stream: str) -> None:
        self.original = original
        self._console = console
        self._stream = stream

    def write(self, text: str) -> int:
        written: int = self.original.write(text)
        try:
            self._console.write(self._stream, text)
        except Exception:  # a full disk is no reason for print to raise
            return written
        return written

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def isatty(self) -> bool:
        return bool(self.original.isatty())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)

    def __iter__(self) -> Any:
        return iter(self.original)


def _folded(line: str) -> str:
    """Return what a terminal shows of a line that holds `\\r`: its last text that is not empty."""
    if "\r" not in line:
        return line
    states = [state for state in line.split("\r") if state]
    ends_with_return = line.endswith("\r") and states
    return states[-1] + ("\r" if ends_with_return else "") if states else ""
