"""Metrics as a tree of two levels: families, and below each its names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from helm_desktop.format import figure, plural
from helm_desktop.model.board.metric_drag import METRICS, metrics_data
from helm_desktop.model.board.shown_board import Find
from helm_desktop.model.series.metric_families import MetricFamily, families

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.model.series.series_model import Series

_Index = QModelIndex | QPersistentModelIndex
RANK = "rank"
Chosen = Mapping[str, Collection[str]]  # the values wanted of some facets

NamesRole = Qt.ItemDataRole.UserRole + 1  # every name that a row stands for
ValueRole = Qt.ItemDataRole.UserRole + 2
SeriesRole = Qt.ItemDataRole.UserRole + 3


class FamilyRow:
    """A family as far as the search leaves it, and which of its members."""

    __slots__ = ("family", "members")

    def __init__(self, family: MetricFamily, members: Sequence[int]) -> None:
        self.family = family
        self.members = members

    @property
    def names(self) -> list[str]:
        """The names that are left."""
        return [self.family.names[at] for at in self.members]

    @property
    def flat(self) -> bool:
        """Whether it is shown as a name and not as a family."""
        return self.family.alone


class MetricTree(QAbstractItemModel):
    """Values are read when they are painted. A member's index bears its row's number plus one."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self._families: list[MetricFamily] = []
        self.rows: list[FamilyRow] = []
        self._find: Find | None = None
        self._chosen: Chosen = {}

    def set_session(self, session: Session | None) -> None:
        """Another run."""
        self._session = session
        self.group()

    def group(self) -> None:
        """Sort the run's names into families anew."""
        session = self._session
        names = session.streams.names if session is not None else []
        self._families = families(names, self._sources())
        self._filter()

    def search(self, find: Find | None, chosen: Chosen) -> None:
        """Show what a search and the facets leave."""
        self._find, self._chosen = find, chosen
        self._filter()

    def values_changed(self, first: int, last: int) -> None:
        """Values of these top rows are to be painted anew."""
        if self.rows:
            last = min(last, len(self.rows) - 1)
            self.dataChanged.emit(self.index(first, 0), self.index(last, 0), [ValueRole])

    @property
    def count(self) -> int:
        """Names that are left by the search."""
        return sum(len(row.members) for row in self.rows)

    @property
    def total(self) -> int:
        """Every name of the run."""
        return sum(len(family.names) for family in self._families)

    def facets(self) -> dict[str, list[str]]:
        """Return every facet with its values."""
        found: dict[str, dict[str, None]] = {}
        for family in self._families:
            for facet, values in family.facets.items():
                found.setdefault(facet, {}).update(dict.fromkeys(values))
        ranks = self._ranks()
        if len(ranks) > 1:
            found[RANK] = dict.fromkeys(ranks)
        return {facet: sorted(values, key=_natural) for facet, values in found.items()}

    def _ranks(self) -> list[str]:
        session = self._session
        return [facts.process for facts in session.processes] if session is not None else []

    def _sources(self) -> list[list[str]]:
        if self._session is None:
            return []
        mixtures = [control.mixture for control in self._session.controls.controls]
        return [list(mixture[1].components) for mixture in mixtures if mixture is not None]

    def _filter(self) -> None:
        self.beginResetModel()
        rows = []
        for family in self._families:
            members = range(len(family.names))
            kept: Sequence[int] = members
            if self._find is not None or self._chosen:
                kept = [at for at in members if self._keeps(family, at)]
            if kept:
                rows.append(FamilyRow(family, kept))
        self.rows = rows
        self.endResetModel()

    def _keeps(self, family: MetricFamily, at: int) -> bool:
        name = family.names[at]
        for facet, wanted in self._chosen.items():
            if facet == RANK:
                series = self.series(name)
                if series is None or not set(series.processes()) & set(wanted):
                    return False
            elif facet not in family.facets or family.facets[facet][at] not in wanted:
                return False
        return self._find is None or self._find(name)

    def series(self, name: str) -> Series | None:
        """Return a name's series."""
        return self._session.store.series.get(name) if self._session is not None else None

    # Qt ------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        """Qt's."""
        if not 0 <= row < self.rowCount(parent) or column:
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: _Index = QModelIndex()) -> Any:  # noqa: B008
        """Qt's."""
        above = int(index.internalId()) if index.isValid() else 0
        return self.createIndex(above - 1, 0, 0) if above else QModelIndex()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Families, or the members of one."""
        if not parent.isValid():
            return len(self.rows)
        if int(parent.internalId()) or not 0 <= parent.row() < len(self.rows):
            return 0
        row = self.rows[parent.row()]
        return 0 if row.flat else len(row.members)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return a delegate that paints the rows."""
        return 1

    def names_at(self, index: _Index) -> list[str]:
        """Return the names that a row stands for."""
        if not index.isValid():
            return []
        above = int(index.internalId())
        if above:
            row = self.rows[above - 1]
            return [row.family.names[row.members[index.row()]]]
        return self.rows[index.row()].names

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row's label, last value and series."""
        if not index.isValid():
            return None
        names = self.names_at(index)
        if role == NamesRole:
            return names
        family = not int(index.internalId()) and not self.rows[index.row()].flat
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.rows[index.row()].family.pattern if family else names[0]
        if role == SeriesRole:
            return None if family else self.series(names[0])
        if role in (Qt.ItemDataRole.DisplayRole, ValueRole, Qt.ItemDataRole.AccessibleTextRole):
            text = self._text(index, names)
            value = self._value(names, family=family)
            if role == Qt.ItemDataRole.DisplayRole:
                return text
            return value if role == ValueRole else f"{text} {value}".strip()
        return None

    def _text(self, index: _Index, names: Sequence[str]) -> str:
        above = int(index.internalId())
        if above:
            row = self.rows[above - 1]
            return row.family.label(row.members[index.row()])
        row = self.rows[index.row()]
        return names[0] if row.flat else row.family.pattern

    def _value(self, names: Sequence[str], *, family: bool) -> str:
        if family:
            return plural(len(names), "name")
        series = self.series(names[0])
        value = series.last_value if series is not None else None
        return figure(value, series.unit) if series is not None and value is not None else ""

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Return the flags of a row: each can be selected and dragged."""
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:
        """Return what a dragged row is."""
        return [METRICS]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the dragged names; of a family its pattern."""
        return metrics_data([name for index in indexes for name in self.dragged_names(index)])

    def dragged_names(self, index: _Index) -> list[str]:
        """Return what is put on a chart: a name, or a whole family as its pattern."""
        names = self.names_at(index)
        if index.isValid() and not int(index.internalId()):
            row = self.rows[index.row()]
            if not row.flat and len(row.members) == len(row.family.names):
                return [row.family.pattern]
        return names


def _natural(text: str) -> tuple[int, int, str]:
    return (0, int(text), "") if text.isdecimal() else (1, 0, text)
