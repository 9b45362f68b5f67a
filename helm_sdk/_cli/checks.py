"""What helmctl doctor looks at, each as one finding."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from helm_sdk._cli.finding import BROKEN, NOTE, OK, Finding, package_version

_LEAST_FREE = 200 << 20
_LITTLE_FREE = 2 << 30
_ROUND_TRIP_MS = 3000


def examine(home: Path | None) -> list[Finding]:
    """Return every finding; one that cannot be made is broken, and the others go on."""
    from helm_sdk._cli.devices import gpu_findings, qt_findings
    from helm_sdk.record import layout

    folder = layout.home() if home is None else home
    checks: list[Callable[[], list[Finding]]] = [
        _python,
        _package,
        _sockets,
        _keys,
        lambda: _folder(folder),
        lambda: _disk(folder),
        lambda: _runs(folder),
        _torch,
        gpu_findings,
        qt_findings,
    ]
    findings: list[Finding] = []
    for check in checks:
        try:
            findings += check()
        except Exception as error:
            name = getattr(check, "__name__", "check").strip("_")
            findings.append(Finding(name, BROKEN, f"could not be looked at: {type(error).__name__}: {error}"))
    return findings


def _python() -> list[Finding]:
    return [Finding("python", OK, f"{platform.python_version()} on {platform.platform()}")]


def _package() -> list[Finding]:
    import helm_sdk

    where = Path(helm_sdk.__file__ or "").parent
    ours, other = package_version("helm-desktop"), package_version("helm-sdk")
    if other:
        text = (
            f"another project's helm-sdk {other} is installed and also brings a package helm_sdk: "
            "pip uninstall helm-sdk, then reinstall helm-desktop"
        )
        return [Finding("helm_sdk", BROKEN, text)]
    message = f"helm-desktop {ours}" if ours else "not installed, run from its source"
    return [Finding("helm_sdk", OK, f"{message}, imported from {where}")]


def _sockets() -> list[Finding]:
    import zmq

    text = f"ZeroMQ {zmq.zmq_version()}, pyzmq {zmq.pyzmq_version()}"
    if not zmq.has("curve"):
        return [Finding("sockets", BROKEN, f"{text} has no CURVE: nothing could be encrypted")]
    context = zmq.Context()
    try:
        public, secret = zmq.curve_keypair()
        server, client = context.socket(zmq.ROUTER), context.socket(zmq.DEALER)
        server.curve_server, server.curve_secretkey, server.curve_publickey = True, secret, public
        own_public, own_secret = zmq.curve_keypair()
        client.curve_publickey, client.curve_secretkey, client.curve_serverkey = (
            own_public,
            own_secret,
            public,
        )
        port = server.bind_to_random_port("tcp://127.0.0.1")
        client.connect(f"tcp://127.0.0.1:{port}")
        client.send(b"hello")
        if not server.poll(_ROUND_TRIP_MS):
            return [Finding("sockets", BROKEN, f"{text}: nothing came through an encrypted loopback socket")]
        return [Finding("sockets", OK, f"{text}, encrypted over loopback")]
    except zmq.ZMQError as error:
        return [Finding("sockets", BROKEN, f"{text}: a loopback socket does not open: {error}")]
    finally:
        context.destroy(linger=0)


def _keys() -> list[Finding]:
    from helm_sdk.keys import KeysError, load_keys, trusted

    try:
        keys = load_keys()
    except KeysError as error:
        return [Finding("keys", BROKEN, str(error))]
    others = trusted(keys.folder)
    who = f"you and {', '.join(others)}" if others else "you alone"
    return [Finding("keys", OK, f"in {keys.folder}; {who} may watch and steer your runs")]


def _folder(home: Path) -> list[Finding]:
    from helm_sdk.record import layout

    place = _nearest(home)
    if os.access(place, os.W_OK | os.X_OK):
        made = "" if home.is_dir() else " (made by the first run)"
        return [Finding("folder", OK, f"runs go to {home}{made}"), _sqlite(place)]
    fallback = layout.fallback_home()
    return [Finding("folder", NOTE, f"{home} may not be written; runs go to {fallback} instead")]


def _sqlite(place: Path) -> Finding:
    with tempfile.TemporaryDirectory(prefix=".helm-doctor-", dir=place) as folder:
        try:
            db = sqlite3.connect(Path(folder) / "try.helm")
            try:
                mode = db.execute("PRAGMA journal_mode=WAL").fetchone()[0]
                db.execute("CREATE TABLE t (x)")
            finally:
                db.close()
        except sqlite3.Error as error:
            return Finding("sqlite", BROKEN, f"a file cannot be written there: {error}")
    if mode != "wal":
        return Finding("sqlite", NOTE, f"{sqlite3.sqlite_version} keeps no write-ahead log there ({mode})")
    return Finding("sqlite", OK, f"{sqlite3.sqlite_version}, with a write-ahead log")


def _disk(home: Path) -> list[Finding]:
    from helm_sdk._cli.output import size

    free = shutil.disk_usage(_nearest(home)).free
    text = f"{size(free)} free for runs"
    state = BROKEN if free < _LEAST_FREE else NOTE if free < _LITTLE_FREE else OK
    return [Finding("disk", state, text)]


def _runs(home: Path) -> list[Finding]:
    from helm_sdk.record.host import process_gone
    from helm_sdk.record.live import live_entries

    entries = live_entries(home)
    living = [entry for entry in entries if not process_gone(entry)]
    deaf = [entry for entry in living if not entry.publish]
    text = f"{len(living)} {'process lives' if len(living) == 1 else 'processes live'}" + (
        f", {len(deaf)} of them without sockets" if deaf else ""
    )
    return [Finding("live", NOTE if deaf else OK, text)]


def _torch() -> list[Finding]:
    found = package_version("torch")
    if not found:
        return [
            Finding("torch", NOTE, 'not installed: pip install "helm-desktop[torch,system]" for the trainer')
        ]
    return [Finding("torch", OK, f"{found}")]


def _nearest(path: Path) -> Path:
    """Return the folder itself or the nearest one above it that is there."""
    for place in (path, *path.parents):
        if place.is_dir():
            return place
    return Path(sys.prefix)
