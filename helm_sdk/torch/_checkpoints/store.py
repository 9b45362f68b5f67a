"""Folders of checkpoints: each appears whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from helm_sdk.record.layout import safe_name

SCHEMA = "helm-checkpoint/1"
MANIFEST = "manifest.json"
LATEST = "latest"
STAGING = ".staging"
SPARE_BYTES = 1 << 20  # for what is written beside the tensors
_CHUNK = 1 << 20

Write = Callable[[Path], None]


class CheckpointError(RuntimeError):
    """A checkpoint that cannot be saved, found, verified or loaded, in one sentence that names the file."""


class CheckpointStore:
    """The checkpoints of one run: `folder/<name>/`, and `folder/latest` with the newest one's name.

    Args:
        folder: The run's `checkpoints` folder; it is made when the first checkpoint is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._cleaned = False

    def free_name(self, wanted: str) -> str:
        """Return a folder name for a wanted name that no checkpoint has yet.

        Args:
            wanted: Any text.
        """
        base = safe_name(wanted)
        taken = {path.name for path in self.folder.iterdir()} if self.folder.is_dir() else set()
        names = [base, *(f"{base}-{number}" for number in range(2, len(taken) + 3))]
        return next(name for name in names if name not in taken and name != LATEST)

    def check_space(self, needed: int) -> None:
        """Check that the disk has room.

        Args:
            needed: The size of the checkpoint, in bytes.

        Raises:
            CheckpointError: If it does not fit.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(self.folder).free
        if free < needed + SPARE_BYTES:
            raise CheckpointError(f"a checkpoint of {needed:,} bytes does not fit, {free:,} bytes are free")

    def commit(self, name: str, files: Mapping[str, Write], manifest: dict[str, Any]) -> int:
        """Write a checkpoint. A kill at any moment leaves the earlier ones as they were.

        Args:
            name: The folder's name; `free_name` gives one.
            files: For each file name, a function that writes the file at a path.
            manifest: What the manifest says; size and SHA-256 of each file are added.

        Returns:
            The size of all files, in bytes.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        self._clean()
        staging = self.folder / f".{name}{STAGING}"
        staging.mkdir()
        try:
            listed: dict[str, dict[str, Any]] = {}
            for file, write in files.items():
                write(staging / file)
                _sync_file(staging / file)
                listed[file] = {"size": (staging / file).stat().st_size, "sha256": _sha256(staging / file)}
            _write(staging / MANIFEST, json.dumps({**manifest, "files": listed}, indent=1, allow_nan=False))
            sync_folder(staging)
            staging.rename(self.folder / name)
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            raise
        sync_folder(self.folder)
        self._point_to(name)
        return sum(int(entry["size"]) for entry in listed.values())

    def manifests(self) -> list[tuple[Path, dict[str, Any]]]:
        """Return every folder that has a readable manifest, with the manifest, the newest commit first."""
        found = []
        for path in self.folder.iterdir() if self.folder.is_dir() else ():
            if not path.name.startswith("."):
                with contextlib.suppress(CheckpointError):
                    found.append((path, read_manifest(path)))
        return sorted(found, key=lambda pair: int(pair[1].get("commit", 0)), reverse=True)

    def last_commit(self) -> int:
        """Return the number of the newest commit; 0 before the first."""
        return next((int(manifest.get("commit", 0)) for _, manifest in self.manifests()), 0)

    def latest(self) -> tuple[Path, list[str]]:
        """Find the newest checkpoint that is whole.

        Returns:
            Its folder, and what was wrong with newer ones, in one sentence each.

        Raises:
            CheckpointError: If none is whole.
        """
        problems = []
        for path, _ in self._newest_first():
            try:
                verify(path)
            except CheckpointError as error:
                problems.append(str(error))
            else:
                return path, problems
        raise CheckpointError("; ".join([f"{self.folder} holds no whole checkpoint", *problems]))

    def _newest_first(self) -> list[tuple[Path, dict[str, Any]]]:
        named = ""
        with contextlib.suppress(OSError):
            named = (self.folder / LATEST).read_text(encoding="utf-8").strip()
        return sorted(self.manifests(), key=lambda pair: pair[0].name != named)

    def _point_to(self, name: str) -> None:
        waiting = self.folder / f".{LATEST}"
        _write(waiting, name + "\n")
        waiting.replace(self.folder / LATEST)
        sync_folder(self.folder)

    def _clean(self) -> None:
        """Remove what a killed process left half written; a run has one writer of checkpoints."""
        if not self._cleaned:
            self._cleaned = True
            for path in self.folder.glob(f".*{STAGING}"):
                shutil.rmtree(path, ignore_errors=True)


def read_manifest(path: Path) -> dict[str, Any]:
    """Read the manifest of a checkpoint.

    Args:
        path: The checkpoint's folder.

    Returns:
        The manifest.

    Raises:
        CheckpointError: If it cannot be read, or is of another format.
    """
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path / MANIFEST} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise CheckpointError(
            f"{path / MANIFEST} is not the manifest of a checkpoint that this version reads"
        )
    return manifest


def verify(path: Path) -> dict[str, Any]:
    """Check the size and the SHA-256 of every file of a checkpoint.

    Args:
        path: The checkpoint's folder.

    Returns:
        The manifest.

    Raises:
        CheckpointError: If something is wrong; the sentence names the first bad file.
    """
    manifest = read_manifest(path)
    for name, entry in _files(manifest):
        file = path / name
        if re.fullmatch(r"[A-Za-z0-9._-]+", name) is None or not file.is_file():
            raise CheckpointError(f"{file} is missing")
        size = file.stat().st_size
        if size != entry.get("size"):
            raise CheckpointError(f"{file} has {size} bytes, its manifest says {entry.get('size')}")
        if _sha256(file) != entry.get("sha256"):
            raise CheckpointError(f"{file} is damaged: its SHA-256 is not the one in its manifest")
    return manifest


def _files(manifest: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    files = manifest.get("files")
    if isinstance(files, dict):
        yield from ((str(name), entry) for name, entry in files.items() if isinstance(entry, dict))


def write_json(value: Any) -> Write:
    """Return a writer of one JSON file."""
    return lambda path: _write(path, json.dumps(value, allow_nan=False))


def _write(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync_file(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Make renames in a folder last; a system that cannot sync folders (Windows) needs no such call."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
