"""The thread that turns rich values into files and tells the recorder of each."""

from __future__ import annotations

import hashlib
import os
import queue
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helm_sdk._media.audio import prepare_audio
from helm_sdk._media.figure import prepare_figure, prepare_text
from helm_sdk._media.histogram import prepare_histogram
from helm_sdk._media.image import prepare_image
from helm_sdk._media.prepared import LARGEST, Encoded, Prepared, Unfit
from helm_sdk._media.table import prepare_table
from helm_sdk._recorder.buffer import bound_setting
from helm_sdk._recorder.identity import RecorderIdentity
from helm_sdk._shared.notice import Notices, print_notice
from helm_sdk.record import private
from helm_sdk.record.layout import safe_name

FOLDER = "media"
MAX_NAME = 512
_OVERHEAD = 1000  # bytes that a value takes besides its content
_RETRY_SECONDS = 1.0
_LAST_CHANCE = 1.0  # for a disk that fails at the end
_SLOW_SECONDS = 2.0
_PREPARE: dict[str, Callable[..., Prepared]] = {
    "text": prepare_text,
    "image": prepare_image,
    "audio": prepare_audio,
    "table": prepare_table,
    "histogram": prepare_histogram,
    "figure": prepare_figure,
}
Tell = Callable[[str, int | None, dict[str, Any], float], None]  # kind, step, body, monotonic time


@dataclass(frozen=True)
class _Waiting:
    kind: str
    name: str
    step: int | None
    at: float
    prepared: Prepared


class MediaWriter:
    """Takes copies in the loop, writes them in a thread of its own, started by the first."""

    def __init__(self, tell: Tell, notices: Notices) -> None:
        self._tell = tell
        self._notices = notices
        self._bound = min(LARGEST, bound_setting())
        self._queue: queue.SimpleQueue[_Waiting | threading.Event | None] = queue.SimpleQueue()
        self._lock = threading.RLock()  # held for a sum, never during work
        self._place: RecorderIdentity | None = None  # None: the process does not know its run yet
        self._held = 0
        self._lost_told = 0
        self._files = 0
        self._counts: dict[str, int] = {}
        self._failing = False
        self._closing: float | None = None
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self.lost = 0

    def open(self, place: RecorderIdentity) -> None:
        """Where the files go; what was taken before is written now."""
        with self._lock:
            self._place = place
            self._begin()

    def _begin(self) -> None:
        if self._place is not None and self._thread is None and self._held:
            self._thread = threading.Thread(target=self._main, name="helm-media", daemon=True)
            self._thread.start()

    # In the loop -------------------------------------------------------------------------------

    def add(self, kind: str, name: Any, value: Any, step: int | None, said: dict[str, Any]) -> None:
        """Copy a value for the thread; what does not fit is told once for its name."""
        at, reported = time.monotonic(), self._text(name)
        try:
            prepared = _PREPARE[kind](value, **said)
        except Unfit as why:
            self._unfit(kind, reported, str(why))
            return
        except Exception as error:
            self._unfit(kind, reported, f"{type(error).__name__}: {error}")
            return
        with self._lock:
            if step is None:
                step = self._counts.get(reported, 0)
                if reported in self._counts or len(self._counts) < 10_000:
                    self._counts[reported] = step + 1
            fits = self._held + prepared.size + _OVERHEAD <= self._bound
            self._held += prepared.size + _OVERHEAD if fits else 0
            self.lost += 0 if fits else 1
            self._begin()
        if fits:
            self._queue.put(_Waiting(kind, reported, step, at, prepared))
        else:
            words = "texts, images and other media come faster than they are written: new ones are lost"
            self._notices.once("media full", words)

    def flush(self, timeout: float) -> bool:
        """Wait until what was taken so far is written and told; whether it is."""
        if self._thread is None or not self._thread.is_alive():
            return True
        done = threading.Event()
        self._queue.put(done)
        return done.wait(timeout)

    def close(self, patience: float = 30.0) -> None:
        """Write what is left: a disk that works gets `patience`, one that fails a last chance."""
        thread = self._thread
        if thread is None:  # nothing was taken, or nobody said where it goes
            return
        self._closing = time.monotonic()
        self._queue.put(None)
        self._wake.set()
        thread.join(_SLOW_SECONDS)
        if thread.is_alive():
            print_notice("writing what is left of the run's media…")
            thread.join(patience)
        if thread.is_alive():
            print_notice("the disk did not take the rest of the run's media in time: what was left is lost")

    def _text(self, name: Any) -> str:
        clean = str(name).encode("utf-8", "backslashreplace").decode()
        if not isinstance(name, str):
            self._notices.once(f"name {clean}", f"a name is text, {name!r} is not: its text is taken")
        if len(clean) <= MAX_NAME:
            return clean
        self._notices.once(f"clean {clean[:MAX_NAME]}", f"a name over {MAX_NAME} characters: shortened")
        return f"{clean[: MAX_NAME - 7]}~{hashlib.sha256(clean.encode()).hexdigest()[:6]}"

    def _unfit(self, kind: str, name: str, why: str) -> None:
        self._notices.once(f"{kind} {name}", f"{kind} {name!r} is left out: {why} (told once)")

    # The thread --------------------------------------------------------------------------------

    def _main(self) -> None:
        while (item := self._queue.get()) is not None:
            if isinstance(item, threading.Event):
                item.set()
                continue
            try:
                self._handle(item)
            except Exception as error:
                self._unfit(item.kind, item.name, f"{type(error).__name__}: {error}")
            with self._lock:
                self._held -= item.prepared.size + _OVERHEAD
            del item  # its copy is not held while the next is waited for
            if not self._failing:
                self._report_lost()
        self._report_lost()

    def _handle(self, item: _Waiting) -> None:
        if self._failing and self._too_late():
            self.lost += 1
            return
        try:
            encoded = item.prepared.encode()
        except Unfit as why:
            self._unfit(item.kind, item.name, str(why))
            return
        for cause, note in encoded.notes.items():
            self._notices.once(f"{cause} {item.name}", f"{item.kind} {item.name!r}: {note} (told once)")
        files = self._written(item, encoded)
        if files:
            size = sum(len(data) for _, data in encoded.files)
            body = {"name": item.name, "type": item.kind, "file": files[0], "bytes": size, **encoded.body}
            if files[1:]:
                body["also"] = files[1:]
            self._tell("media", item.step, body, item.at)

    def _written(self, item: _Waiting, encoded: Encoded) -> list[str]:
        """The files' paths inside the run's folder; none when the disk did not take them before the end."""
        self._files += 1
        assert self._place is not None  # before that there is no thread
        record = self._place.process  # in the name, since attempts and processes share the folder
        origin = f"a{record.attempt}-{safe_name(record.process)}"
        stem = f"{safe_name(item.name)}-s{item.step}-{origin}-{self._files}"
        folder = self._place.folder / FOLDER
        names = [f"{stem}.{ending}" for ending, _ in encoded.files]
        while True:
            try:
                for name, (_, data) in zip(names, encoded.files, strict=True):
                    _write_atomically(folder / name, data)
            except OSError as error:
                if self._abandon(error):
                    return []
                continue
            if self._failing:
                self._failing = False
                print_notice("the disk takes media again: what waited is written")
            return [f"{FOLDER}/{name}" for name in names]

    def _abandon(self, error: OSError) -> bool:
        if not self._failing:
            self._failing = True
            print_notice(f"media could not be written: {error}; they wait in memory until it works again")
        if self._too_late():
            self.lost += 1
            return True
        self._wake.wait(_RETRY_SECONDS if self._closing is None else 0)
        if self._closing is not None:
            time.sleep(0.05)
        return False

    def _too_late(self) -> bool:
        return self._closing is not None and time.monotonic() - self._closing >= _LAST_CHANCE

    def _report_lost(self) -> None:
        lost = self.lost - self._lost_told
        if lost > 0:
            self._lost_told += lost
            message = f"{lost:,} media values were lost: the disk was full, or they came too fast"
            body = {"what": "lost media", "count": lost, "message": message}
            self._tell("warning", None, body, time.monotonic())


def _write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees all of it or none."""
    private.make_folder(path.parent)
    temporary = path.with_name(f".{secrets.token_hex(8)}")
    try:
        with open(temporary, "wb", opener=private.opener) as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
