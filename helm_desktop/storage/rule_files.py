"""The rules of a project on disk, shared with other windows: read when they change, written rule by rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from helm_desktop.storage.storage_thread import Storage
from helm_sdk.record.errors import RecordError
from helm_sdk.record.json_file import stamp_of
from helm_sdk.record.layout import lock_file
from helm_sdk.record.lock import FileLock
from helm_sdk.rules import Rule, RuleError

LOCK_SECONDS = 1.0  # that another window's write of the same rules is waited for
Stamp = tuple[int, int, int] | None


@dataclass(frozen=True)
class _Reading:
    """The rules in the file, None where they are as before or cannot be read, and what to tell of it."""

    stamp: Stamp
    rules: tuple[Rule, ...] | None
    said: str = ""


class RuleFiles(QObject):
    """Follow the rules of one project at a time."""

    read = Signal(object)  # the rules in the file, as a tuple
    notified = Signal(str)

    def __init__(self, storage: Storage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._storage = storage
        self._project = ""
        self._opened = 0  # how often a project was opened: answers for an earlier one are left out
        self._stamp: Stamp | str = "never"
        self._unkept: dict[str, None] = {}  # rules that could not be written yet, in the order of edits
        self._writing = 0
        self._looking = False

    def open(self, project: str) -> None:
        """Follow the rules of another project, or of none."""
        self._project, self._stamp = project, "never"
        self._opened += 1
        self._unkept.clear()
        self._writing, self._looking = 0, False
        self.check()

    def check(self) -> None:
        """Have the file read where it has changed."""
        if self._project and not self._looking and not self._writing:
            self._looking = True
            self._storage.run(partial(_check, self._project, self._stamp), partial(self._took, self._opened))

    def store(self, rule_id: str, rules: Iterable[Rule]) -> None:
        """Write one rule as it is among these, or take it out; what other windows wrote of others stays."""
        if not self._project:
            return
        mine = {rule.id: rule for rule in rules}
        self._unkept[rule_id] = None
        changes = {changed: mine.get(changed) for changed in self._unkept}
        self._writing += 1
        self._storage.run(
            partial(_store, self._project, changes),
            partial(self._kept, self._opened),
            partial(self._not_kept, self._opened),
        )

    def _took(self, opened: int, reading: _Reading) -> None:
        if opened != self._opened:
            return
        self._looking = False
        if self._writing:  # what is written now may not be in it
            return
        self._stamp = reading.stamp
        if reading.rules is not None:
            self.read.emit(reading.rules)
        if reading.said:
            self.notified.emit(reading.said)

    def _kept(self, opened: int, reading: _Reading) -> None:
        if reading.said:
            self.notified.emit(reading.said)
        if opened != self._opened:
            return
        self._writing -= 1
        if not self._writing:  # else a later change is not in it
            self._unkept.clear()
            self._stamp = reading.stamp
            self.read.emit(reading.rules)

    def _not_kept(self, opened: int, error: Exception) -> None:
        self.notified.emit(f"The rule holds until this window closes, it could not be kept: {error}")
        if opened == self._opened:
            self._writing -= 1


def _check(project: str, stamp: Stamp | str) -> _Reading:
    from helm_sdk.rules.store import read_rules, rules_path

    path = rules_path(project)
    now = stamp_of(path)
    if now == stamp:
        return _Reading(now, None)
    try:
        return _Reading(now, read_rules(path))
    except (RuleError, RecordError) as error:
        return _Reading(now, None, str(error))


def _store(project: str, changes: Mapping[str, Rule | None]) -> _Reading:
    from helm_sdk.rules.store import rules_path, write_rules

    path = rules_path(project)
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(lock_file(path), "another window", wait_s=LOCK_SECONDS):
        rules, message = _rules_in(path)
        kept = {rule.id: rule for rule in rules}
        for changed, rule in changes.items():
            if rule is not None:
                kept[changed] = rule
            else:
                kept.pop(changed, None)
        write_rules(path, tuple(kept.values()))
        return _Reading(stamp_of(path), tuple(kept.values()), message)


def _rules_in(path: Path) -> tuple[tuple[Rule, ...], str]:
    """Return the rules in the file, and what to tell. A file that holds none is never written over."""
    from helm_sdk.rules.store import read_rules

    try:
        return read_rules(path), ""
    except (RuleError, RecordError) as error:
        aside = path.with_suffix(".unread.json")
        path.replace(aside)
        return (), f"{error}; it was moved to {aside.name}, and rules are kept anew"
