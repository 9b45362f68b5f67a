"""The open runs of this process, and how they end when the process exits, fails or forks."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import sys
from contextlib import suppress
from typing import Any, Protocol

from helm_sdk._run import script_exit, stop_signals


class ExitingRun(Protocol):
    """The part of a run that the end of a process needs."""

    def finish(self, outcome: str, message: str, exit_status: int | None) -> None:
        """End the run with an outcome ("finished", "interrupted" or "failed")."""

    def abandon(self) -> None:
        """Record nothing more: called in a forked child, whose parent goes on with the run."""


_open: list[ExitingRun] = []
_inherited: list[Any] = []  # referenced, so that a forked child never closes its parent's sockets and files
_registered: list[bool] = []


def current() -> ExitingRun | None:
    """Return the run that is open in this process, the newest of several; None when there is none."""
    return _open[-1] if _open else None


def opened(run: ExitingRun) -> None:
    """Register a run, so that it is finished when the process exits normally or by an exception."""
    if not _registered:
        _registered.append(True)
        atexit.register(_at_exit)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_after_fork)
    if multiprocessing.parent_process() is not None:
        from multiprocessing import util

        # A process of multiprocessing runs its finalizers, never atexit.
        util.Finalize(None, _at_exit, exitpriority=1000)
    script_exit.watch()
    stop_signals.watch()
    _open.append(run)


def closed(run: ExitingRun) -> None:
    """Remove a run that has finished."""
    if run in _open:
        _open.remove(run)
    if not _open:
        script_exit.unwatch()
        stop_signals.unwatch()


def outcome_of(error: BaseException | None) -> tuple[str, str, int | None]:
    """Return (outcome, message, exit status) of a run that ends with this exception, or with none."""
    if error is None or isinstance(error, GeneratorExit):
        return "finished", "", None
    if isinstance(error, KeyboardInterrupt):
        return "interrupted", "", None
    if isinstance(error, SystemExit):
        code = error.code
        if code is None or code == 0:
            return "finished", "", 0
        return "failed", f"exited with {code}", code if isinstance(code, int) else 1
    text = str(error)
    name = type(error).__name__
    return "failed", f"{name}: {text}" if text else name, 1


def _uncaught() -> BaseException | None:
    """Return the exception that ended the script, as the interpreter remembers it; None when none did."""
    if hasattr(sys, "ps1"):  # at a prompt an error ends a line or a cell, not the script
        return None
    return getattr(sys, "last_value", None) or sys.exc_info()[1] or script_exit.noted()


def _at_exit() -> None:
    outcome, message, status = outcome_of(_uncaught())
    for run in _open:
        with suppress(Exception):
            run.finish(outcome, message, status)


def _after_fork() -> None:
    for run in _open:
        run.abandon()
        _inherited.append(run)
    _open.clear()
    script_exit.unwatch()
    stop_signals.forget()
