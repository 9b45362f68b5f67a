"""The activity of a run, newest first: changes, checkpoints, warnings, and processes that join or end."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from helm_desktop.format import number
from helm_desktop.format import size as size_words
from helm_desktop.model.controls.labels import schedule_text
from helm_sdk.protocol import commands
from helm_sdk.protocol.messages import Event
from helm_sdk.rules import Firing
from helm_sdk.rules.labels import firing_words

_LONGEST_PAIR = 40  # characters of the old and the new value together
_Index = QModelIndex | QPersistentModelIndex
COMMAND_KEY = "command/"
_MARKED = {"nonfinite", "skipped"}  # warnings of a step, which every chart marks with ▲


@dataclass(frozen=True)
class ActivityEntry:
    """One line of the activity: its step, its kind and its text."""

    key: str
    step: int | None
    time: float
    kind: str  # "change", "checkpoint", "capture", "rule", "note", "warning", "process"
    text: str
    bad: bool = False


class ActivityModel(QAbstractListModel):
    """The activity as rows, newest first. A command is one row, whose text follows its state."""

    EntryRole = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[ActivityEntry] = []  # oldest first; row 0 of the view is the last
        self._order: list[
            tuple[float, int]
        ] = []  # of each row: its first time, and its number in the order of arrival
        self._places: dict[str, tuple[float, int]] = {}  # the same by the key of the row
        self._arrived = 0

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of rows, for Qt."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text, or the whole entry under EntryRole."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[-1 - index.row()]
        if role == Qt.ItemDataRole.DisplayRole or role == Qt.ItemDataRole.ToolTipRole:
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.text if row.step is None else f"step {row.step}: {row.text}"
        if role == self.EntryRole:
            return row
        return None

    def entries(self) -> list[ActivityEntry]:
        """Return all entries, newest first."""
        return self._rows[::-1]

    def add(self, entry: ActivityEntry) -> None:
        """Add an entry, or replace the one with the same key."""
        known = self._places.get(entry.key)
        if known is not None:
            place = bisect_left(self._order, known)
            if entry.time >= self._rows[place].time:
                self._rows[place] = entry
                at = self.index(len(self._rows) - 1 - place)
                self.dataChanged.emit(at, at)
            return
        order = (entry.time, self._arrived)
        self._arrived += 1
        place = bisect_right(self._order, order)
        row = len(self._rows) - place
        self.beginInsertRows(QModelIndex(), row, row)
        self._rows.insert(place, entry)
        self._order.insert(place, order)
        self._places[entry.key] = order
        self.endInsertRows()

    def remove(self, key: str) -> None:
        """Remove the entry with this key, if there is one."""
        known = self._places.pop(key, None)
        if known is None:
            return
        place = bisect_left(self._order, known)
        row = len(self._rows) - 1 - place
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._rows[place], self._order[place]
        self.endRemoveRows()


def from_event(process: str, attempt: int, event: Event) -> ActivityEntry | None:
    """Return the entry for an event; None for events that are not shown, such as spans."""
    key = f"{process}/{attempt}/{event.id}"
    body = event.body
    if event.kind == "command":
        return _of_command(event)
    if event.kind == "checkpoint":
        return ActivityEntry(key, event.step, event.time, "checkpoint", _checkpoint_text(body))
    if event.kind == "joined":
        role = str(body.get("role", "")) or "trainer"
        return ActivityEntry(key, event.step or 0, event.time, "process", f"{process} joined as {role}")
    if event.kind == "finished":
        return _of_end(key, process, event)
    if event.kind == "warning" and str(body.get("what")) in _MARKED:
        return ActivityEntry(
            key, event.step, event.time, "rule", str(body.get("message") or body["what"]), True
        )
    if event.kind in {"capture", "note", "rule", "warning"}:
        text = str(body.get("text") or body.get("message") or body.get("name") or event.kind)
        sentence = f"captured {text}" if event.kind == "capture" and text != "capture" else text
        return ActivityEntry(key, event.step, event.time, event.kind, sentence, event.kind == "warning")
    return None


def from_firing(firing: Firing) -> ActivityEntry:
    """Return the entry for a rule that fired."""
    return ActivityEntry(f"rule/{firing.key}", firing.step, firing.time, "rule", fired_text(firing))


def fired_text(firing: Firing) -> str:
    """Return a text such as "Loss is not finite: train/loss is nan at step 37"."""
    return f"{firing.rule.title}: {firing_words(firing)}"


def _of_end(key: str, process: str, event: Event) -> ActivityEntry:
    outcome = str(event.body.get("outcome") or "finished")
    message = str(event.body.get("message") or "")
    text = f"{process} {outcome}: {message}" if message else f"{process} {outcome}"
    return ActivityEntry(key, event.step, event.time, "process", text, outcome == "failed")


def _of_command(event: Event) -> ActivityEntry:
    body = event.body
    state = str(body.get("state", ""))
    name = str(body.get("capability", ""))
    message = str(body.get("message") or "")
    if state in {commands.APPLIED, commands.CONFIRMED}:
        text = f"{name} {_change_text(name, body)}{_reason_text(body)}"
    elif state == commands.WAITING:
        text = f"{name} waiting for {body.get('safe_point') or 'its safe point'}"
    elif state == commands.AWAITING_APPROVAL:
        text = f"{name} requested by {body.get('sender') or 'somebody'}, awaits approval"
    else:
        text = f"{name} {state}: {message}" if message else f"{name} {state}"
    bad = state in {commands.REJECTED, commands.FAILED, commands.EXPIRED}
    return ActivityEntry(
        f"{COMMAND_KEY}{body.get('command_id')}", event.step, event.time, "change", text, bad
    )


def _change_text(name: str, body: Mapping[str, Any]) -> str:
    """Return a text such as "3.0e-3 → 1.5e-3" or "applied: web 40%, code 60%"."""
    value = body.get("new") if body.get("new") is not None else body.get("input")
    after, before = _short_value(name, value), _short_value(name, body.get("old"))
    if after and before and after != before and len(before) + len(after) < _LONGEST_PAIR:
        return f"{before} → {after}"
    return f"applied: {after}" if after else "applied"


def _short_value(name: str, value: Any) -> str:
    """Return a value as a text, without the name of its control."""
    if isinstance(value, Mapping) and len(value) == 1 and next(iter(value)) in (name, "value"):
        value = next(iter(value.values()))
    return value_text(value)


def _reason_text(body: Mapping[str, Any]) -> str:
    """Return the reason of the sender and who approved, each after a comma; empty without both."""
    reason, approver = str(body.get("reason") or ""), str(body.get("approver") or "")
    return (f", {reason}" if reason else "") + (f", approved by {approver}" if approver else "")


def _checkpoint_text(body: Mapping[str, Any]) -> str:
    size = body.get("bytes", body.get("size"))
    name = str(body.get("name") or "")
    saved = f"checkpoint {name} saved" if name and not name.startswith("step-") else "checkpoint saved"
    return f"{saved}, {size_words(size)}" if isinstance(size, int | float) else saved


def value_text(value: Any) -> str:
    """Return the input of a control as a short text: "web 40%, code 30%", "lr 1e-3", "0.5"."""
    if value is None or value == {}:
        return ""
    if isinstance(value, Mapping):
        weights = value.get("weights")
        if isinstance(weights, Mapping) and weights:
            inner = weights.get("weights")
            return _mixture_text(inner if isinstance(inner, Mapping) else weights)
        points = value.get("points")
        if len(value) == 1 and isinstance(points, list | tuple):
            return schedule_text(points)
        return ", ".join(f"{key} {value_text(item)}" for key, item in value.items() if item is not None)
    if isinstance(value, list | tuple):
        return ", ".join(value_text(item) for item in value)
    return number(value) if isinstance(value, float) else str(value)


def _mixture_text(weights: Mapping[str, Any]) -> str:
    try:
        parts = {str(name): float(share) for name, share in weights.items()}
    except (TypeError, ValueError):
        return ", ".join(f"{name} {share}" for name, share in weights.items())
    total = sum(parts.values()) or 1.0
    return ", ".join(f"{name} {share / total:.0%}" for name, share in parts.items())
