"""Saving and loading for the trainer: what goes into a manifest, and which thread writes."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helm_sdk.torch._checkpoints import restore, state
from helm_sdk.torch._checkpoints.restore import RestoreTarget
from helm_sdk.torch._checkpoints.store import SCHEMA, CheckpointError, CheckpointStore

AT_ONCE = 64 << 20  # up to this many bytes the loop waits for the disk, and the command's result is final

Told = Callable[[str, int | None, dict[str, Any]], None]  # (event kind, step, body)


class CheckpointSaver:
    """One writer thread. A failure is told and leaves the chain of checkpoints as it was."""

    def __init__(self, folder: Path, training: RestoreTarget, tell: Told) -> None:
        self.store = CheckpointStore(folder)
        self._training = training
        self._tell = tell
        self._commits: int | None = None
        self._parent = ""
        self._queue: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._taken: set[str] = set()

    def save(self, name: str, step: int | None, more: dict[str, Any], *, wait: bool) -> dict[str, Any]:
        """Copy to the host now and write; large ones are written by the thread unless `wait`.

        Raises CheckpointError or OSError when it cannot be saved; nothing of it is left then.
        """
        training = self._training
        sharded = training.sharded
        if not sharded:
            self.check()
        self.drain()  # one snapshot at a time in host memory
        snapshot = training.gather()
        if sharded:  # not before: the other ranks are in `gather` already
            self.check()
        chosen = self._name(name or (f"step-{step:06d}" if step is not None and step >= 0 else "start"))
        manifest = self._manifest(chosen, snapshot, step, more)
        result = {"checkpoint": chosen, "step": step, "bytes": snapshot.bytes, "commit": manifest["commit"]}
        if wait or snapshot.bytes <= AT_ONCE:
            result["bytes"] = self._write(chosen, snapshot, manifest, step)
            return result
        self._queue.put(lambda: self._write_told(chosen, snapshot, manifest, step))
        if self._thread is None:
            self._thread = threading.Thread(target=self._write_loop, name="helm-checkpoints", daemon=True)
            self._thread.start()
        return {**result, "writing": True}

    def send_parts(self) -> None:
        """On a rank that writes nothing: give the others the parts that it holds."""
        if self._training.sharded:
            self._training.gather()

    def check(self) -> None:
        """Raise CheckpointError where the disk has no room."""
        self.store.check_space(state.bytes_of(self._training.model, self._training.optimizers))

    def load(self, which: str | Path) -> restore.LoadedCheckpoint:
        """Verify and apply a checkpoint: a name, a folder, or "latest". All of it, or CheckpointError."""
        path, problems = self._find(which)
        for problem in problems:
            self._tell("warning", None, {"what": "checkpoint", "message": f"skipped: {problem}"})
        loaded = restore.read(path)
        restore.apply(loaded, self._training)
        self._parent = path.name
        return loaded

    def drain(self) -> None:
        """Wait until everything queued is written."""
        self._queue.join()

    def close(self) -> None:
        """Write what is queued and end the thread."""
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join()

    def _find(self, which: str | Path) -> tuple[Path, list[str]]:
        if isinstance(which, Path):
            return which, []
        if which == "latest":
            return self.store.latest()
        inside = self.store.folder / which
        return (inside if inside.is_dir() else Path(which)), []

    def _name(self, wanted: str) -> str:
        """Free on disk and not about to be written."""
        name, number = self.store.free_name(wanted), 2
        while name in self._taken:
            name, number = self.store.free_name(f"{wanted}-{number}"), number + 1
        self._taken.add(name)
        return name

    def _manifest(
        self, name: str, snapshot: state.CheckpointState, step: int | None, more: dict[str, Any]
    ) -> dict[str, Any]:
        last = self.store.last_commit() if self._commits is None else self._commits
        self._commits = last + 1
        return {
            "schema": SCHEMA,
            "name": name,
            "commit": self._commits,
            "parent": self._parent,
            "branch": "main",
            "created": time.time(),
            "step": step,
            "weights": "native",
            "aliases": snapshot.aliases,
            "exact": not snapshot.inexact,
            "inexact": snapshot.inexact,
            **more,
        }

    def _write(
        self, name: str, snapshot: state.CheckpointState, manifest: dict[str, Any], step: int | None
    ) -> int:
        try:
            size = self.store.commit(name, snapshot.files(), manifest)
        except OSError as error:
            raise CheckpointError(f"checkpoint {name} could not be written: {error}") from error
        finally:
            self._taken.discard(name)
        self._parent = name
        body = {"name": name, "bytes": size, "commit": manifest["commit"], "exact": manifest["exact"]}
        self._tell("checkpoint", step, {**body, "pinned": bool(manifest.get("pinned"))})
        return size

    def _write_told(
        self, name: str, snapshot: state.CheckpointState, manifest: dict[str, Any], step: int | None
    ) -> None:
        try:
            self._write(name, snapshot, manifest, step)
        except Exception as error:
            self.report_failure(step, error)

    def report_failure(self, step: int | None, error: Exception) -> None:
        """A save that failed is a warning; training goes on."""
        with contextlib.suppress(Exception):
            self._tell("warning", step, {"what": "checkpoint", "message": f"{error}"})

    def _write_loop(self) -> None:
        while True:
            job = self._queue.get()
            try:
                if job is None:
                    return
                job()
            finally:
                self._queue.task_done()
