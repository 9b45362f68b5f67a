"""Open a process file for writing or for reading, and check its version."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from helm_sdk.record import migrations
from helm_sdk.record.errors import DamagedFile, NewerFormat, RecordError, from_sqlite

APPLICATION_ID: Final = 0x48454C4D  # "HELM"
BUSY_SECONDS: Final = 10.0
_CHECKPOINT_PAGES: Final = 16_000  # normally LogFolding comes long before

# With this trigger one statement commits a chunk and its sequence number.
_LAST_NUMBER: Final = """
    CREATE TEMP TRIGGER last_number AFTER INSERT ON main.chunks BEGIN
        UPDATE process SET last_seq = NEW.last_seq WHERE id = 1 AND last_seq < NEW.last_seq;
    END
"""


def open_writable(path: Path) -> sqlite3.Connection:
    """Return a connection for the one writer, with a write-ahead log and tables of the newest version."""
    try:
        db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise from_sqlite(error, path) from None
    try:
        version = version_of(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        if version < migrations.newest():
            db.execute("BEGIN IMMEDIATE")
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrations.migrate(db, version)
            db.execute("COMMIT")
        db.execute("PRAGMA temp_store = MEMORY")
        db.execute(_LAST_NUMBER)
    except sqlite3.Error as error:
        db.close()
        raise from_sqlite(error, path) from None
    except RecordError:
        db.close()
        raise
    return db


def open_readable(path: Path) -> sqlite3.Connection:
    """Return a read-only connection that never touches the writer's log."""
    db = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error:
        db.close()
        raise
    return db


def version_of(db: sqlite3.Connection, path: Path) -> int:
    """Return the version of the tables, 0 for an empty file. Raises NewerFormat or DamagedFile."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and application != APPLICATION_ID:
        raise DamagedFile(f"{path} is not a file of Helm")
    if version > migrations.newest():
        raise NewerFormat(
            f"{path} was written by a newer version of Helm (format {version}, this one reads up to "
            f"{migrations.newest()}): update helm-desktop"
        )
    return int(version)


@contextmanager
def transaction(db: sqlite3.Connection, path: Path, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
    """Run the block in one write transaction, rolled back on an error. An SQLite error becomes a RecordError.

    durable: sync the commit to the disk.
    """
    try:
        if durable:
            db.execute("PRAGMA synchronous = FULL")
        db.execute("BEGIN IMMEDIATE")
        yield db
        db.execute("COMMIT")
    except BaseException as error:
        with suppress(sqlite3.Error):
            if db.in_transaction:
                db.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise from_sqlite(error, path) from None
        raise
    finally:
        if durable:
            with suppress(sqlite3.Error):
                db.execute("PRAGMA synchronous = NORMAL")
