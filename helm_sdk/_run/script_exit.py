"""With which code a script left by `sys.exit`, `exit` or `quit`: the interpreter keeps that to itself."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, NoReturn

_sites: Any = sys.modules.get("_sitebuiltins")  # where `exit` and `quit` come from
_noted: list[Any] = []
_before: list[Callable[..., NoReturn]] = []  # sys.exit as it was


class _ScriptExit(SystemExit):
    """As raised while a run is open. Whoever catches it lets go of it; what ends the script dies above all
    of its functions, when no frame is left to go back to.
    """

    def __del__(self) -> None:
        try:
            sys._getframe(1)  # noqa: SLF001 - the interpreter's own
        except ValueError:
            _noted[:] = [self.code]


_ScriptExit.__name__ = _ScriptExit.__qualname__ = "SystemExit"  # as a traceback shows it
_ScriptExit.__module__ = "builtins"


def watch() -> None:
    """Note from now on how the script leaves."""
    if not _before:
        _before.append(sys.exit)
        sys.exit = _exit
        if _sites is not None:
            _sites.SystemExit = _ScriptExit


def unwatch() -> None:
    """Leave everything as it was found."""
    if _before:
        before = _before.pop()
        if sys.exit is _exit:
            sys.exit = before
        if _sites is not None and getattr(_sites, "SystemExit", None) is _ScriptExit:
            del _sites.SystemExit


def noted() -> SystemExit | None:
    """Return what ended the script, where that was one of these."""
    return SystemExit(_noted[0]) if _noted else None


def _exit(status: Any = None, /) -> NoReturn:
    """Exit the interpreter by raising SystemExit(status), as sys.exit does."""
    before = _before[0] if _before else None
    # A thread's own end is told by the exact type.
    in_thread = threading.current_thread() is not threading.main_thread()
    if before is not None and (in_thread or isinstance(status, SystemExit)):
        before(status)
    raise _ScriptExit(*(status if isinstance(status, tuple) else (status,)))
