"""The git state of the script's source: commit, branch, and whether there are uncommitted changes."""

from __future__ import annotations

import subprocess
from pathlib import Path

from helm_sdk.protocol.messages import GitState

_SECONDS = 3.0


def git_state(folder: Path) -> GitState | None:
    """Return the state of the work tree that holds a folder; None outside one or without git."""
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    branch = _git(folder, "rev-parse", "--abbrev-ref", "HEAD") or ""
    changes = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return GitState(commit=commit, branch="" if branch == "HEAD" else branch, dirty=bool(changes))


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), "--no-optional-locks", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else None
