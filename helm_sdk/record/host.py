"""The identity of a process, by which a reader can tell later whether it still lives."""

from __future__ import annotations

import functools
import os
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from helm_sdk.protocol.messages import LiveEntry, ProcessRecord

_START_FIELD = 19  # of /proc/<pid>/stat, counted after the name: field 22 of proc(5)
_SAME_START_SECONDS = 2.0


@dataclass(frozen=True)
class ProcessIdentity:
    """What identifies a process: the fields that LiveEntry and ProcessRecord share."""

    pid: int
    started: float  # unix seconds
    start_ticks: int  # clock ticks since the boot; 0: unknown
    host: str
    boot_id: str
    pid_namespace: str


def this_process() -> ProcessIdentity:
    """Return the identity of the calling process."""
    import psutil

    pid = os.getpid()
    status = _linux_status(pid)
    return ProcessIdentity(
        pid=pid,
        started=psutil.Process(pid).create_time(),
        start_ticks=status[1] if status else 0,
        host=host_name(),
        boot_id=boot_id(),
        pid_namespace=pid_namespace(),
    )


@functools.cache
def host_name() -> str:
    """Return this machine's name."""
    return socket.gethostname()


@functools.cache
def boot_id() -> str:
    """Return an id that changes with each boot of the machine; empty where the system has none."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    if sys.platform == "linux":
        return ""
    import psutil

    return f"boot-{round(psutil.boot_time() / 60)}"


def pid_namespace() -> str:
    """Return this process's pid namespace; empty where the system has none."""
    with suppress(OSError):
        return os.readlink("/proc/self/ns/pid")
    return ""


def process_gone(process: LiveEntry | ProcessRecord) -> bool | None:
    """Return True when a process has died; None when this host or namespace cannot tell."""
    if process.host != host_name() or process.pid_namespace != pid_namespace():
        return None
    if process.boot_id and process.boot_id != boot_id():
        return None
    if sys.platform == "linux":
        return _gone_on_linux(process)
    import psutil

    try:
        started = psutil.Process(process.pid).create_time()
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False
    return abs(started - process.started) > _SAME_START_SECONDS


def rebooted_since(process: LiveEntry | ProcessRecord) -> bool:
    """Return True when a host of the same name has booted since; if it was this host, the process is gone."""
    return process.host == host_name() and bool(process.boot_id) and process.boot_id != boot_id()


def _gone_on_linux(process: LiveEntry | ProcessRecord) -> bool:
    status = _linux_status(process.pid)
    if status is None:
        try:
            os.kill(process.pid, 0)  # /proc may hide other users' processes
        except PermissionError:
            return False
        except (OSError, OverflowError):
            return True
        return False
    state, ticks = status
    # A zombie has died, but its parent has not waited for it yet.
    return state in "ZX" or (process.start_ticks > 0 and ticks != process.start_ticks)


def _linux_status(pid: int) -> tuple[str, int] | None:
    """Return (state, start in clock ticks since the boot) of a process; None when it cannot be read."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
        fields = text[text.rindex(")") + 2 :].split()
        return fields[0], int(fields[_START_FIELD])
    except (OSError, ValueError, IndexError):
        return None
