"""The shell command with `helmctl send` that sends a given command."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from helm_sdk.protocol.messages import Command
from helm_sdk.record import layout


def shell_command(run: str, command: Command) -> str:
    """Return the shell command; `run` is the argument by which `helmctl` finds the run."""
    plain = [run, command.capability, json.dumps(command.input, ensure_ascii=False)]
    options = [*_option("--reason", command.reason), *_option("--process", command.process)]
    if command.expires_step is not None or command.expires_in is not None:
        until = command.expires_step if command.expires_in is None else f"{command.expires_in:g}s"
        options += _option("--expires", str(until))
    options += _option("--supersedes", command.supersedes)
    if any(word.startswith("-") for word in plain):  # such as the input -1e-3
        arguments = ["helmctl", "send", *options, "--", *plain]
    else:
        arguments = ["helmctl", "send", *plain, *options]
    return shlex.join(arguments)


def run_argument(run_id: str, folder: str) -> str:
    """Return the argument for a run: its id where `helmctl` searches for it by itself, else its folder."""
    homes = layout.home(), layout.fallback_home()  # compared by name, without disk access
    in_home = any(Path(folder).is_relative_to(home) for home in homes)
    return run_id if in_home or not folder else folder


def _option(name: str, value: str) -> list[str]:
    """Return an option and its value, as one word for a value that begins with a dash; empty without one."""
    if not value:
        return []
    return [f"{name}={value}"] if value.startswith("-") else [name, value]
