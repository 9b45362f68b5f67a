"""The runs of the home folder as rows of a list: a heading for each project, and its runs newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from helm_desktop.format import duration, number, plural
from helm_desktop.model.run.updates import RunRow
from helm_sdk.protocol.peer import RunState

_Index = QModelIndex | QPersistentModelIndex
_SETTINGS = ("lr", "learning_rate")


@dataclass(frozen=True)
class ProjectHeading:
    """A project, and the number of its runs that are shown."""

    project: str
    count: int

    @property
    def text(self) -> str:
        """The number of runs as a text: "5 runs"."""
        return plural(self.count, "run")


Row = RunRow | ProjectHeading


class RunsModel(QAbstractListModel):
    """The rows for a list view, whose selection and scroll position stay when only values change."""

    RowRole = Qt.ItemDataRole.UserRole + 1
    counted = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[RunRow, ...] = ()
        self._rows: list[Row] = []
        self._filter = ""
        self.loaded = False

    @property
    def total(self) -> int:
        """The number of all runs, without the filter."""
        return len(self._runs)

    @property
    def runs(self) -> tuple[RunRow, ...]:
        """All runs, without the filter."""
        return self._runs

    @property
    def filter_text(self) -> str:
        """The text that the runs are filtered by."""
        return self._filter

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of rows, for Qt."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name, the text for screen readers, or the row itself under RowRole."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == self.RowRole:
            return row
        if isinstance(row, ProjectHeading):
            return f"{row.project}, {row.text}" if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.name}, {row_text(row)}, {self.value_text(row)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{row.name}\n{row_text(row)}\n{row.run_id}"
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Return the flags of a row, for Qt: headings cannot be selected."""
        if index.isValid() and isinstance(self._rows[index.row()], ProjectHeading):
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def set_runs(self, runs: Sequence[RunRow]) -> None:
        """Set all runs."""
        self.loaded = True
        self._runs = tuple(runs)
        self._show()

    def set_filter(self, text: str) -> None:
        """Show only runs whose name, project, state, id or config has every word of a text."""
        self._filter = text.strip()
        self._show()

    def row_of(self, folder: str) -> int:
        """Return the row of a run; -1 when it is not shown."""
        for place, row in enumerate(self._rows):
            if isinstance(row, RunRow) and row.folder == folder:
                return place
        return -1

    def run_at(self, row: int) -> RunRow | None:
        """Return the run in a row; None for a heading or an unknown row."""
        found = self._rows[row] if 0 <= row < len(self._rows) else None
        return found if isinstance(found, RunRow) else None

    def value_text(self, row: RunRow) -> str:
        """Return the last value of the chosen metric as a text; empty without one."""
        return "" if row.value is None else number(row.value)

    def _show(self) -> None:
        rows = _grouped([run for run in self._runs if _matches(run, self._filter)])
        if [_identity(row) for row in rows] == [_identity(row) for row in self._rows]:
            for place, (old, new) in enumerate(zip(self._rows, rows, strict=True)):
                if old != new:
                    self._rows[place] = new
                    self.dataChanged.emit(self.index(place), self.index(place))
        else:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
        self.counted.emit(len(self._runs))


def _identity(row: Row) -> str:
    return f"# {row.project}" if isinstance(row, ProjectHeading) else row.folder


def _grouped(runs: Sequence[RunRow]) -> list[Row]:
    groups: dict[str, list[RunRow]] = {}
    for run in sorted(runs, key=lambda run: run.created, reverse=True):
        groups.setdefault(run.project, []).append(run)
    rows: list[Row] = []
    for project, members in groups.items():
        rows.append(ProjectHeading(project, len(members)))
        rows.extend(members)
    return rows


def _matches(run: RunRow, text: str) -> bool:
    if not text:
        return True
    settings = " ".join(f"{key}={value}" for key, value in run.config.items())
    searched = f"{run.name} {run.project} {run.state} {run.run_id} {settings}".casefold()
    return all(word in searched for word in text.casefold().split())


class NoSuchRun(Exception):
    """No run, or more than one, matches a text; the message is one sentence."""


def find_run(rows: Sequence[RunRow], text: str) -> RunRow:
    """Return the run of an id, a unique prefix of one, a name, or "latest". The newest row is first."""
    if not rows:
        raise NoSuchRun(f"There is no run {text}: there are no runs yet")
    if text == "latest":
        return rows[0]
    for found in (
        [row for row in rows if row.run_id == text],
        [row for row in rows if row.run_id.startswith(text)],
        [row for row in rows if row.name == text],
    ):
        if len(found) == 1:
            return found[0]
        if found:
            raise NoSuchRun(f"{text} matches several runs, {_named(found)}: give more of the id")
    raise NoSuchRun(f"There is no run {text}: the newest are {_named(rows)}")


def _named(rows: Sequence[RunRow]) -> str:
    return ", ".join(f"{row.run_id} ({row.name})" for row in rows[:5])


def row_text(run: RunRow) -> str:
    """Return a text such as "live · step 212 of 600 · lr 3e-3" or "finished · 600 steps · 1 min 4 s"."""
    state, step = run.state, run.step
    if state in {RunState.KILLED, RunState.FAILED, RunState.INTERRUPTED}:
        text = f"{state} at step {step}" if step is not None else f"{state} before its first step"
        return f"{text} · exit {run.exit_status}" if run.exit_status else text
    parts = [str(state)]
    if state is RunState.FINISHED:
        if step is not None:
            parts.append(plural(step + 1, "step"))
        if run.seconds is not None:
            parts.append(duration(run.seconds))
        return " · ".join(parts)
    if step is not None:
        parts.append(
            f"step {number(step)} of {number(run.plan_step)}" if run.plan_step else f"step {number(step)}"
        )
    for name in _SETTINGS:
        value = run.config.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            parts.append(f"{name} {_short(value)}")
            break
    return " · ".join(parts)


def _short(value: float) -> str:
    """Return a number without trailing zeros: 3e-3, not 3.00e-3."""
    mantissa, mark, exponent = number(value).partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{exponent}" if mark else mantissa
