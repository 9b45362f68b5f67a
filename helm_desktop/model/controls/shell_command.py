"""The `helmctl send` that does what a command does."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from helm_sdk.protocol.messages import Command
from helm_sdk.record import layout


def shell_command(run: str, command: Command) -> str:
    """Return the line for a shell; `run` is what `helmctl` finds the run by."""
    plain = [run, command.capability, json.dumps(command.input, ensure_ascii=False)]
    options = [*_option("--reason", command.reason), *_option("--process", command.process)]
    if command.expires_step is not None or command.expires_in is not None:
        until = command.expires_step if command.expires_in is None else f"{command.expires_in:g}s"
        options += _option("--expires", str(until))
    options += _option("--supersedes", command.supersedes)
    if any(word.startswith("-") for word in plain):  # such as the input -1e-3
        words = ["helmctl", "send", *options, "--", *plain]
    else:
        words = ["helmctl", "send", *plain, *options]
    return shlex.join(words)


def run_argument(run_id: str, folder: str) -> str:
    """Return how `helmctl` finds a run: by its id where it looks by itself, else by its folder."""
    homes = layout.home(), layout.fallback_home()  # looked for by name: no disk is asked
    found = any(Path(folder).is_relative_to(home) for home in homes)
    return run_id if found or not folder else folder


def _option(name: str, value: str) -> list[str]:
    """Return an option with its value; nothing without a value, one word for a value like an option."""
    if not value:
        return []
    return [f"{name}={value}"] if value.startswith("-") else [name, value]
