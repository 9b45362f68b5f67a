"""Opens the window again in a process of its own, for what a window cannot change while it is there."""

from __future__ import annotations

import sys

from PySide6.QtCore import QProcess, QProcessEnvironment

from helm_desktop.startup.arguments import AppOptions
from helm_desktop.startup.display import SCALE


def command(options: AppOptions, run: str, scale: float) -> list[str]:
    """Return the command line that opens the same window on a run, at a scale."""
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "helm_desktop"]
    line = [*program, "--scale", f"{scale:g}"]
    if options.home is not None:
        line += ["--home", str(options.home)]
    if options.theme:
        line += ["--theme", options.theme]
    return [*line, run] if run else line


def start(options: AppOptions, run: str, scale: float) -> str:
    """Start it; why it did not start, in one sentence."""
    program, *arguments = command(options, run, scale)
    environment = QProcessEnvironment.systemEnvironment()
    environment.remove(SCALE)  # this window's, not what the system says
    process = QProcess()
    process.setProgram(program)
    process.setArguments(arguments)
    process.setProcessEnvironment(environment)
    done: object = process.startDetached()  # whether it began, in some versions with its number
    started = done[0] if isinstance(done, tuple) else done
    return "" if started else f"The new window did not open: {process.errorString()}"
