"""The app without its window, or a client told an address alone: holds every point and dumps it on SIGUSR1.

    python tests/helpers/collector.py app RUN_FOLDER OUT.npz
    python tests/helpers/collector.py address ADDRESSES.json OUT.npz [RCVHWM]

The parent reads what it prints: "ready", "holds N" as points come, "state X", "link PROCESS X", "dumped".
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

Held = dict[str, np.ndarray[Any, Any]]
_LOOK_MS = 50


@dataclass(frozen=True)
class Collected:
    """What a collector held of one stream of one process, in the order that it came."""

    process: str
    attempt: int
    name: str
    steps: np.ndarray[Any, Any]  # int64
    bits: np.ndarray[Any, Any]  # uint64: the values, bit for bit


def read_dump(path: Path) -> list[Collected]:
    """What a collector dumped."""
    found = []
    with np.load(path) as held:
        for key in held.files:
            process, attempt, name, what = json.loads(key)
            if what == "steps":
                bits = held[json.dumps([process, attempt, name, "values"])].view("<u8")
                found.append(Collected(process, attempt, name, held[key], bits))
    return found


def say(text: str) -> None:
    """One line for the parent."""
    print(text, flush=True)


def _write(out: Path, held: Held) -> None:
    beside = out.with_suffix(".part")
    with beside.open("wb") as file:
        np.savez(file, **held)  # type: ignore[arg-type]
    os.replace(beside, out)


def _columns(store: Any) -> Held:
    held: Held = {}
    for series in store.series.values():
        for (process, attempt), segment in series.segments.items():
            steps, _, values = segment.tail(segment.count)
            for what, column in (("steps", steps), ("values", values)):
                held[json.dumps([process, attempt, series.name, what])] = np.array(column)
    return held


class _Wish:
    """SIGUSR1 asks for a dump, SIGTERM for the end."""

    def __init__(self) -> None:
        self.dump = False
        self.end = False
        signal.signal(signal.SIGUSR1, self._asked)
        signal.signal(signal.SIGTERM, self._asked)

    def _asked(self, number: int, _: FrameType | None) -> None:
        if number == signal.SIGUSR1:
            self.dump = True
        else:
            self.end = True


def follow_as_the_app(folder: str, out: Path) -> int:
    """Link thread and session as the window has them, in an event loop of Qt's."""
    from PySide6.QtCore import QCoreApplication, QObject, QTimer, Slot

    from helm_desktop.link.link_thread import LinkThread
    from helm_desktop.model.run.session import Session
    from helm_sdk.keys import load_keys

    class Holder(QObject):
        def __init__(self) -> None:
            super().__init__()
            self.session = Session(folder, self)
            self.link = LinkThread(load_keys, self)
            self.link.arrived.connect(self.take)
            self.link.failed.connect(self.fail)
            self.said: dict[str, str] = {}

        @Slot(str, list)
        def take(self, _: str, updates: list[Any]) -> None:
            self.session.apply(updates)
            self.link.acknowledge()

        @Slot(str, str)
        def fail(self, _: str, sentence: str) -> None:
            say(f"failed {sentence}")

        def tell(self, key: str, text: str) -> None:
            if self.said.get(key) != text:
                self.said[key] = text
                say(f"{key} {text}")

        @Slot()
        def look(self) -> None:
            session = self.session
            self.tell("state", str(session.status.state))
            for process, link in list(session.connection.links.items()):
                self.tell(f"link {process}", link.state)
            losses = session.connection.losses
            self.tell("losses", f"{losses.missing} {losses.repaired} {losses.malformed}")
            self.tell("memory", str(_resident_mb()))
            self.tell("holds", str(session.store.point_count))
            if wish.dump:
                wish.dump = False
                _write(out, _columns(session.store))
                say("dumped")
            if wish.end:
                self.link.stop()
                app.quit()

    app = QCoreApplication([])
    wish = _Wish()
    holder = Holder()
    timer = QTimer()
    timer.timeout.connect(holder.look)
    timer.start(_LOOK_MS)
    getattr(holder.link, "begin", holder.link.start)()
    holder.link.open(folder)
    say("ready")
    return app.exec()


def follow_by_address(addresses: Path, out: Path, rcvhwm: int | None) -> int:
    """Run clients that know address and key and no file: history comes by pages only."""
    from helm_desktop.model.series.series_model import SeriesStore
    from helm_sdk.client import Address, BatchUpdate, LinkUpdate, RunClient
    from helm_sdk.keys import load_keys

    wish = _Wish()
    store = SeriesStore()
    clients = [
        RunClient(Address(**told), keys=load_keys(), files=False, rcvhwm=rcvhwm)
        for told in json.loads(addresses.read_text())
    ]
    say("ready")
    held = -1
    lost = ""
    while not wish.end:
        for update in _updates(clients):
            if isinstance(update, BatchUpdate):
                store.extend(update.batch)
            elif isinstance(update, LinkUpdate):
                say(f"link {update.process} {update.state}")
        if store.point_count != held:
            held = store.point_count
            say(f"holds {held}")
        missing = sum(client.losses.missing for client in clients)
        told = f"{missing} {sum(client.losses.repaired for client in clients)}"
        if told != lost:
            lost = told
            say(f"losses {lost} 0")
        if wish.dump:
            wish.dump = False
            _write(out, _columns(store))
            say("dumped")
    for client in clients:
        client.close()
    return 0


def _updates(clients: Iterable[Any]) -> Iterable[Any]:
    for client in clients:
        yield from client.poll(0.02)


def _resident_mb() -> int:
    import psutil

    return int(psutil.Process().memory_info().rss) >> 20


if __name__ == "__main__":
    if sys.argv[1] == "app":
        sys.exit(follow_as_the_app(sys.argv[2], Path(sys.argv[3])))
    hwm = int(sys.argv[4]) if len(sys.argv) > 4 else None
    sys.exit(follow_by_address(Path(sys.argv[2]), Path(sys.argv[3]), hwm))
