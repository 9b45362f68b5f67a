"""How a process ends: which run is open, and what its exit, its last exception or a fork means for it."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import sys
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from helm_sdk._run import Run

_open: list[Run] = []
_inherited: list[Any] = []  # a forked child never lets go of its parent's sockets and files
_last_error: list[BaseException] = []
_hooked: list[Any] = []  # the excepthook before ours


def current() -> Run | None:
    """The run that is open in this process."""
    return _open[-1] if _open else None


def opened(run: Run) -> None:
    """Finish this run when the process ends, however it ends by itself."""
    if not _open and not _hooked:
        atexit.register(_at_exit)
        _hooked.append(sys.excepthook)
        sys.excepthook = _excepthook
        if hasattr(os, "register_at_fork") and not _inherited:
            os.register_at_fork(after_in_child=_after_fork)
    if multiprocessing.parent_process() is not None:
        from multiprocessing import util

        # A process of multiprocessing runs its finalizers, never atexit.
        util.Finalize(None, _at_exit, exitpriority=1000)
    _open.append(run)


def closed(run: Run) -> None:
    """The run has finished."""
    if run in _open:
        _open.remove(run)
    if not _open and _hooked and sys.excepthook is _excepthook:
        sys.excepthook = _hooked.pop()
        atexit.unregister(_at_exit)


def outcome_of(error: BaseException | None) -> tuple[str, str, int | None]:
    """(outcome, message, exit status) that an exception means for a run."""
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


def _excepthook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _last_error[:] = [error]
    before = _hooked[0] if _hooked else sys.__excepthook__
    before(kind, error, trace)


def _at_exit() -> None:
    error = _last_error[0] if _last_error else sys.exc_info()[1]
    outcome, message, status = outcome_of(error)
    for run in _open:
        with suppress(Exception):
            run.finish(outcome, message, status)


def _after_fork() -> None:
    for run in _open:
        run._abandon()
        _inherited.append(run)
    _open.clear()
    _last_error.clear()
