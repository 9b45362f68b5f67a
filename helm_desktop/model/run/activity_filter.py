"""A filter of the activity by words and kinds, and its rows as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel

from helm_desktop.model.run.activity import ActivityEntry, ActivityModel

EVERYTHING: Final = "everything"
ERRORS: Final = "errors"
FILTERS: Final = {
    EVERYTHING: frozenset[str](),
    "changes": frozenset({"change"}),
    "checkpoints": frozenset({"checkpoint"}),
    "captures": frozenset({"capture"}),
    "rules": frozenset({"rule"}),
    "notes": frozenset({"note"}),
    "joins": frozenset({"process"}),
    ERRORS: frozenset[str](),
}
_MARKS = {"change": "◆", "checkpoint": "▮", "rule": "▲"}


class ActivityFilter(QSortFilterProxyModel):
    """The rows of the activity that are of one kind and have every word."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: list[str] = []
        self._kind = EVERYTHING

    def narrow(self, text: str, kind: str) -> None:
        """Show the rows of a kind that have every word of a text; a number also matches its step."""
        self._words = text.lower().split()
        self._kind = kind if kind in FILTERS else EVERYTHING
        self.invalidate()

    def entries(self) -> list[ActivityEntry]:
        """Return the entries that are shown, newest first."""
        rows = (self.index(row, 0).data(ActivityModel.EntryRole) for row in range(self.rowCount()))
        return [row for row in rows if isinstance(row, ActivityEntry)]

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:
        """Return True for a row that is shown, for Qt."""
        found = self.sourceModel().index(row, 0, parent).data(ActivityModel.EntryRole)
        if not isinstance(found, ActivityEntry):
            return False
        if self._kind == ERRORS and not found.bad:
            return False
        if FILTERS[self._kind] and found.kind not in FILTERS[self._kind]:
            return False
        text = f"{found.text} {found.kind}".lower()
        step = "" if found.step is None else str(found.step)
        return all(word in text or word.replace(",", "") == step for word in self._words)


def as_markdown(rows: Sequence[ActivityEntry]) -> str:
    """Return the rows as a Markdown table, oldest first."""
    lines = ["| step | | what happened |", "|---:|---|---|"]
    for row in reversed(rows):
        step = "" if row.step is None else f"{row.step:,}"
        text = row.text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
        lines.append(f"| {step} | {_MARKS.get(row.kind, '')} | {text} |")
    return "\n".join(lines) + "\n"
