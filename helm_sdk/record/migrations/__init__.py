"""The steps that create and change the tables of a process file; `PRAGMA user_version` counts them."""

from __future__ import annotations

import sqlite3

from helm_sdk.record.migrations import step_0001, step_0002

STEPS: tuple[tuple[str, ...], ...] = (step_0001.SQL, step_0002.SQL)


def newest() -> int:
    """Return the version that this code writes."""
    return len(STEPS)


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Change the tables from `version` to the newest, within the caller's transaction."""
    for number, statements in enumerate(STEPS[version:], start=version + 1):
        for statement in statements:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {number}")
