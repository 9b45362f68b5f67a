"""What the command palette finds, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Kind = Literal["command", "control", "setting", "run", "metric"]
MOST = 60  # of what fits; whoever wants another one types on
_Index = QModelIndex | QPersistentModelIndex
_ORDER: tuple[Kind, ...] = ("control", "command", "setting", "run", "metric")
_BREAKS = " /_.-:·"


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One thing that can be gone to or done."""

    kind: Kind
    key: str  # what it is to whoever does it
    text: str
    note: str = ""  # at the right: its keys, its value, how it stands
    also: str = ""  # words that find it and are not shown


def find(entries: Sequence[PaletteEntry], text: str, most: int = MOST) -> list[PaletteEntry]:
    """Those that hold every word, best first: as typed, at the beginning, at the beginning of a word, within.

    A word may be the kind itself, such as "run". Without words, all in their order.
    """
    words = text.lower().split()
    if not words:
        return list(entries[:most])
    found = (
        (rank, _ORDER.index(entry.kind), len(entry.text), place)
        for place, entry in enumerate(entries)
        if (rank := _rank(entry, words)) is not None
    )
    return [entries[place] for *_, place in nsmallest(most, found)]


def _rank(entry: PaletteEntry, words: list[str]) -> int | None:
    """Return how well it fits, 0 is best; None when it does not fit."""
    name = entry.text.lower()
    whole = " ".join(words)
    if name == whole:
        return 0
    if name.startswith(whole):
        return 1
    worst = 2
    for word in words:
        at = name.find(word)
        if at < 0:
            if word not in entry.also.lower() and not entry.kind.startswith(word):
                return None
            worst = max(worst, 4)
        elif at > 0 and not _begins(name, word):
            worst = max(worst, 3)
    return worst


def _begins(name: str, word: str) -> bool:
    """Return True when a word of the name begins so."""
    return any(f"{mark}{word}" in name for mark in _BREAKS)


class PaletteModel(QAbstractListModel):
    """The rows that are found."""

    EntryRole = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[PaletteEntry, ...] = ()
        self.found: list[PaletteEntry] = []

    def set_entries(self, entries: Sequence[PaletteEntry]) -> None:
        """All that there is."""
        self._entries = tuple(entries)
        self.narrow("")

    def narrow(self, text: str) -> None:
        """Only what fits."""
        self.beginResetModel()
        self.found = find(self._entries, text)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Qt's."""
        return 0 if parent.isValid() else len(self.found)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text, the words for screen readers, or the entry itself under EntryRole."""
        if not index.isValid() or index.row() >= len(self.found):
            return None
        entry = self.found[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return entry.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (entry.kind, entry.text, entry.note) if part)
        return entry if role == self.EntryRole else None
