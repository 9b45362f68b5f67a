"""The code with which a script ended by `sys.exit`, `exit` or `quit`.

The interpreter does not tell it to `atexit` functions. So `sys.exit` raises a SystemExit of our own while a
run is open: when it is deleted and no function is left on the stack, it has ended the script.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, NoReturn

_sites: Any = sys.modules.get("_sitebuiltins")  # where `exit` and `quit` come from
_noted: list[Any] = []
_before: list[Callable[..., NoReturn]] = []  # the original sys.exit, while it is replaced


class _ScriptExit(SystemExit):
    """The SystemExit that is raised while a run is open.

    One that the script catches is deleted inside a function; one that ends the script is deleted when no
    calling frame is left.
    """

    def __del__(self) -> None:
        try:
            sys._getframe(1)  # noqa: SLF001 - documented by Python
        except ValueError:
            _noted[:] = [self.code]


_ScriptExit.__name__ = _ScriptExit.__qualname__ = "SystemExit"  # so that a traceback looks as usual
_ScriptExit.__module__ = "builtins"


def watch() -> None:
    """Replace `sys.exit`, `exit` and `quit`, so that the exit code is noted."""
    if not _before:
        _before.append(sys.exit)
        sys.exit = _exit
        if _sites is not None:
            _sites.SystemExit = _ScriptExit


def unwatch() -> None:
    """Restore `sys.exit`, `exit` and `quit`."""
    if _before:
        before = _before.pop()
        if sys.exit is _exit:
            sys.exit = before
        if _sites is not None and getattr(_sites, "SystemExit", None) is _ScriptExit:
            del _sites.SystemExit


def noted() -> SystemExit | None:
    """Return the SystemExit that ended the script; None when none did."""
    return SystemExit(_noted[0]) if _noted else None


def _exit(status: Any = None, /) -> NoReturn:
    """Exit the interpreter by raising SystemExit(status)."""
    before = _before[0] if _before else None
    # Python's threading module recognises SystemExit by its exact type.
    in_thread = threading.current_thread() is not threading.main_thread()
    if before is not None and (in_thread or isinstance(status, SystemExit)):
        before(status)
    raise _ScriptExit(*(status if isinstance(status, tuple) else (status,)))
