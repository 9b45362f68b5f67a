"""What of the activity is shown: words and kinds; and the same as Markdown."""

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
    """Shows the rows of one kind that hold every word."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: list[str] = []
        self._kind = EVERYTHING

    def narrow(self, text: str, kind: str) -> None:
        """Show those of a kind that hold each of the words; a number also finds its step."""
        self._words = text.lower().split()
        self._kind = kind if kind in FILTERS else EVERYTHING
        self.invalidate()

    def happenings(self) -> list[ActivityEntry]:
        """Return what is shown, newest first."""
        rows = (self.index(row, 0).data(ActivityModel.HappeningRole) for row in range(self.rowCount()))
        return [row for row in rows if isinstance(row, ActivityEntry)]

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:
        """Qt's."""
        found = self.sourceModel().index(row, 0, parent).data(ActivityModel.HappeningRole)
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
    """Return a table with the oldest line first, as a report wants it."""
    lines = ["| step | | what happened |", "|---:|---|---|"]
    for row in reversed(rows):
        step = "" if row.step is None else f"{row.step:,}"
        text = row.text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
        lines.append(f"| {step} | {_MARKS.get(row.kind, '')} | {text} |")
    return "\n".join(lines) + "\n"
