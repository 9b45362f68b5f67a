"""Signals that tell a process to leave, seen whoever handles them.

A job scheduler sends SIGTERM; the script's own handler saves, and the script leaves with 0. Such a run was
interrupted, and `resume="auto"` goes on with it. The interpreter writes the number of each signal that it
handles to a descriptor (`signal.set_wakeup_fd`); where the script or asyncio uses that, nothing is seen.
"""

from __future__ import annotations

import signal
import socket
import threading
from contextlib import suppress

_STOPS = frozenset(
    number for name in ("SIGTERM", "SIGHUP", "SIGXCPU") if (number := getattr(signal, name, None)) is not None
)
_ends: list[socket.socket] = []  # the end that is read, and the one that the interpreter writes to
_seen: set[int] = set()


def watch() -> None:
    """Note from now on which signals come. It does nothing outside the main thread."""
    if _ends or threading.current_thread() is not threading.main_thread():
        return
    read, written = socket.socketpair()
    for end in (read, written):
        end.setblocking(False)
    try:
        before = signal.set_wakeup_fd(written.fileno(), warn_on_full_buffer=False)
    except (OSError, ValueError):
        before = 0
    if before != -1:
        with suppress(OSError, ValueError):
            signal.set_wakeup_fd(before)
        read.close()
        written.close()
        return
    _ends.extend((read, written))


def unwatch() -> None:
    """Leave everything as it was found."""
    if not _ends:
        return
    stop_signal()
    if threading.current_thread() is threading.main_thread():
        with suppress(OSError, ValueError):
            now = signal.set_wakeup_fd(-1)
            if now not in (-1, _ends[1].fileno()):
                signal.set_wakeup_fd(now)  # somebody else's
        for end in _ends:
            end.close()
        _ends.clear()


def forget() -> None:
    """In a forked child: what came before was for the parent."""
    _seen.clear()


def stop_signal() -> str:
    """Return the name of the signal that told this process to leave; empty when none did."""
    if _ends:
        with suppress(OSError):
            while numbers := _ends[0].recv(4096):
                _seen.update(numbers)
    stops = sorted(_seen & _STOPS)
    return signal.Signals(stops[0]).name if stops else ""
