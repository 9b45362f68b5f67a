"""Rules of a project in the configuration folder; what they did, in the run's rules.json."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

import msgspec

from helm_sdk.protocol.messages import Message
from helm_sdk.record import layout
from helm_sdk.record.errors import DamagedFile
from helm_sdk.record.json_file import read_plain, write_plain
from helm_sdk.record.lock import FileLock
from helm_sdk.rules.actions import ActionResult
from helm_sdk.rules.firing import Firing
from helm_sdk.rules.labels import firing_words
from helm_sdk.rules.spec import Rule, RuleError, RuleFile, Send, parse_rules

FIRED_FILE: Final = "rules.json"
_KEPT: Final = 2000
_WAIT_SECONDS: Final = 5.0


class DoneRecord(Message, frozen=True, kw_only=True):
    """One action of a firing and what came of it."""

    do: str
    ok: bool
    text: str
    at: float


class FiredRecord(Message, frozen=True, kw_only=True):
    """A rule that fired while somebody watched."""

    key: str
    rule: str
    title: str
    text: str
    process: str
    attempt: int
    time: float
    step: int | None = None
    streams: tuple[str, ...] = ()
    done: tuple[DoneRecord, ...] = ()


class FiredFile(Message, frozen=True, kw_only=True):
    """rules.json."""

    format: int = 1
    fired: tuple[FiredRecord, ...] = ()


def rules_path(project: str) -> Path:
    """Return where the rules of a project are kept."""
    return layout.config_home() / "rules" / f"{layout.safe_name(project)}.json"


def read_rules(path: Path) -> tuple[Rule, ...]:
    """Return the rules in a file; none when there is no such file. Raises RuleError or a RecordError."""
    plain = read_plain(path)
    if plain is None:
        return ()
    try:
        return parse_rules(plain)
    except RuleError as error:
        raise RuleError(f"{path} holds no rules: {error}") from None


def write_rules(path: Path, rules: tuple[Rule, ...]) -> None:
    """Replace the file. Raises a RecordError."""
    write_plain(path, msgspec.to_builtins(RuleFile(rules=rules)))


def read_fired(folder: Path) -> tuple[FiredRecord, ...]:
    """Return what rules have done in a run. Raises a RecordError."""
    plain = read_plain(folder / FIRED_FILE)
    return () if plain is None else _convert(folder, plain).fired


def record_firing(folder: Path, firing: Firing, done: tuple[ActionResult, ...] = ()) -> FiredRecord:
    """Add a firing or what came of it, under a lock: two programs lose nothing of each other's."""
    path = folder / FIRED_FILE
    with FileLock(layout.lock_file(path), "another program", wait_s=_WAIT_SECONDS):
        known = {record.key: record for record in read_fired(folder)}
        record = known.get(firing.key) or _record(firing)
        record = msgspec.structs.replace(record, done=(*record.done, *map(_done, done)))
        known[firing.key] = record
        write_plain(path, msgspec.to_builtins(FiredFile(fired=tuple(known.values())[-_KEPT:])), sync=False)
    return record


def used(fired: tuple[FiredRecord, ...], now: float | None = None) -> dict[str, list[float]]:
    """Seconds since each rule has sent something, by its id."""
    at = time.time() if now is None else now
    ago: dict[str, list[float]] = {}
    for record in fired:
        ago.setdefault(record.rule, []).extend(
            at - done.at for done in record.done if done.do == "send" and done.ok
        )
    return {rule: times for rule, times in ago.items() if times}


def _record(firing: Firing) -> FiredRecord:
    return FiredRecord(
        key=firing.key,
        rule=firing.rule.id,
        title=firing.rule.title,
        text=firing_words(firing),
        process=firing.process,
        attempt=firing.attempt,
        time=firing.time,
        step=firing.step,
        streams=firing.streams[:20],
    )


def _done(done: ActionResult) -> DoneRecord:
    do = "send" if isinstance(done.action, Send) else type(done.action).__name__.lower()
    return DoneRecord(do=do, ok=done.ok, text=done.text, at=time.time())


def _convert(folder: Path, plain: dict[str, Any]) -> FiredFile:
    try:
        return msgspec.convert(plain, FiredFile)
    except msgspec.ValidationError as error:
        raise DamagedFile(f"{folder / FIRED_FILE} does not fit: {error}") from None
