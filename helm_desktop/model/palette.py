"""The entries of the command palette, and the search for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Kind = Literal["command", "control", "setting", "run", "metric"]
MOST = 60  # entries that are listed; a longer search text finds the others
_Index = QModelIndex | QPersistentModelIndex
_ORDER: tuple[Kind, ...] = ("control", "command", "setting", "run", "metric")
_BREAKS = " /_.-:·"


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One entry of the palette: something to open or to do."""

    kind: Kind
    key: str  # identifies the entry for the controller that acts on it
    text: str
    note: str = ""  # shown at the right: its keys, value or state
    also: str = ""  # further search words that are not shown


def find(entries: Sequence[PaletteEntry], text: str, most: int = MOST) -> list[PaletteEntry]:
    """Return the entries that have every word, best first: the whole text, a beginning of it, inside words.

    A word may be the kind of an entry, such as "run". Without words, all entries match in their order.
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
    """Return how well an entry matches, 0 is best; None when it does not match."""
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
    """Return True when a word of the name, other than the first, begins with this word."""
    return any(f"{mark}{word}" in name for mark in _BREAKS)


class PaletteModel(QAbstractListModel):
    """The entries that match the search, as rows of a list."""

    EntryRole = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[PaletteEntry, ...] = ()
        self.found: list[PaletteEntry] = []

    def set_entries(self, entries: Sequence[PaletteEntry]) -> None:
        """Set all entries, and show them without a search."""
        self._entries = tuple(entries)
        self.narrow("")

    def narrow(self, text: str) -> None:
        """Show only entries that match a search text."""
        self.beginResetModel()
        self.found = find(self._entries, text)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of rows, for Qt."""
        return 0 if parent.isValid() else len(self.found)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text, the text for screen readers, or the entry itself under EntryRole."""
        if not index.isValid() or index.row() >= len(self.found):
            return None
        entry = self.found[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return entry.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (entry.kind, entry.text, entry.note) if part)
        return entry if role == self.EntryRole else None
