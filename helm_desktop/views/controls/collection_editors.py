"""Editors of many values of one type: a list, a map, the points of a schedule."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from helm_desktop.model.series.decimal_text import as_sent
from helm_desktop.theme import set_look
from helm_desktop.views.controls.editor import MakeEditor, ValueEditor
from helm_desktop.views.controls.schedule_chart import ScheduleChart
from helm_sdk.protocol.kinds import MISSING, InvalidValue, ListOf, MapOf, Node, Scalar, Schedule, decimal_of


class _Row(QWidget):
    """Editors side by side and a button that takes the row out."""

    def __init__(self, editors: Sequence[ValueEditor], name: str) -> None:
        super().__init__()
        self.editors = tuple(editors)
        self.remove = QPushButton("×")
        self.remove.setAccessibleName(f"Remove {name}")
        self.remove.setToolTip(f"Remove {name}")
        self.remove.setFixedWidth(22)
        set_look(self.remove, "flat")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for editor in self.editors:
            row.addWidget(editor, 1)
        row.addWidget(self.remove)

    def values(self) -> list[Any]:
        """Return what stands in each; an empty field counts as empty text, which the check will refuse."""
        return ["" if (value := editor.value()) is MISSING else value for editor in self.editors]


class CollectionEditor(ValueEditor):
    """Rows that can be added and taken out; subclasses say what a row holds."""

    tall = True

    def __init__(
        self, nodes: Sequence[Node], name: str, make: MakeEditor, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.nodes = tuple(nodes)
        self._name = name
        self._make = make
        self.rows: list[_Row] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.add = QPushButton("+ Add")
        self.add.setAccessibleName(f"Add to {name}")
        self.add.setSizePolicy(self.add.sizePolicy().Policy.Maximum, self.add.sizePolicy().Policy.Fixed)
        self.add.clicked.connect(self._add_empty)
        self._column.addWidget(self.add)

    def show_value(self, value: Any) -> None:
        for row in self.rows:
            row.hide()
            row.deleteLater()
        self.rows.clear()
        for parts in self.parts_of(value):
            self._append(parts)

    def problem(self) -> str:
        for number, row in enumerate(self.rows, 1):
            for editor in row.editors:
                if message := editor.problem():
                    return message
                if editor.value() is MISSING:
                    return f"row {number} of {self._name} is empty"
        return ""

    def parts_of(self, value: Any) -> list[Sequence[Any]]:
        """Return the parts of each row that a value has."""
        raise NotImplementedError

    def _append(self, parts: Sequence[Any]) -> _Row:
        number = len(self.rows) + 1
        editors = [self._make(node, f"{self._name} {number}") for node in self.nodes]
        for editor, part in zip(editors, parts, strict=True):
            editor.set_value(part)
            editor.edited.connect(self.edited)
        row = _Row(editors, f"{self._name} {number}")
        row.remove.clicked.connect(self._remove_pressed)
        self.rows.append(row)
        self._column.insertWidget(self._column.count() - 1, row)
        return row

    def _add_empty(self) -> None:
        row = self._append([MISSING] * len(self.nodes))
        row.editors[0].setFocus()
        self.edited.emit()

    def _remove_pressed(self) -> None:
        button = self.sender()
        row = next(row for row in self.rows if row.remove is button)
        self.rows.remove(row)
        row.hide()
        row.deleteLater()
        self.edited.emit()


class ListEditor(CollectionEditor):
    """Values in order, one a row."""

    def __init__(self, node: ListOf, name: str, make: MakeEditor, parent: QWidget | None = None) -> None:
        super().__init__([node.item], name, make, parent)

    def read(self) -> Any:
        return [row.values()[0] for row in self.rows]

    def parts_of(self, value: Any) -> list[Sequence[Any]]:
        return [[item] for item in value] if isinstance(value, list | tuple) else []


class MapEditor(CollectionEditor):
    """A name and a value a row."""

    def __init__(self, node: MapOf, name: str, make: MakeEditor, parent: QWidget | None = None) -> None:
        super().__init__([Scalar("string"), node.value], name, make, parent)

    def read(self) -> Any:
        return {str(name): value for name, value in (row.values() for row in self.rows)}

    def problem(self) -> str:
        names = [str(row.values()[0]) for row in self.rows]
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        return f"{self._name} has {twice} twice" if twice is not None else super().problem()

    def parts_of(self, value: Any) -> list[Sequence[Any]]:
        return [[name, item] for name, item in value.items()] if isinstance(value, Mapping) else []


class ScheduleEditor(CollectionEditor):
    """The points on a small chart, and below it where and how much, one a row."""

    def __init__(self, node: Schedule, name: str, make: MakeEditor, parent: QWidget | None = None) -> None:
        at = Scalar("integer" if node.axis == "step" else "number", unit=node.axis)
        super().__init__([at, Scalar("number", node.bounds, node.unit)], name, make, parent)
        self.chart = ScheduleChart(node, name)
        self._column.insertWidget(0, self.chart)
        self.chart.moved.connect(self._read_point)
        self.chart.added.connect(self._read_all)
        self.chart.removed.connect(self._remove_point)
        self.edited.connect(self._draw)

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self._draw()

    def read(self) -> Any:
        return {"points": [dict(zip(("at", "value"), row.values(), strict=True)) for row in self.rows]}

    def parts_of(self, value: Any) -> list[Sequence[Any]]:
        points = value.get("points") if isinstance(value, Mapping) else None
        given = points if isinstance(points, list | tuple) else ()
        return [[point.get("at"), point.get("value")] for point in given if isinstance(point, Mapping)]

    def _draw(self) -> None:
        """What can be drawn of the rows; a row that is not filled in yet is left out."""
        points: dict[Decimal, Decimal] = {}
        for row in self.rows:
            try:
                at, value = (decimal_of(part, "") for part in row.values())
            except InvalidValue:
                continue
            points[at] = value
        self.chart.show_points(sorted(points.items()))

    def _row_of(self, index: int) -> int | None:
        """The row of a point on the chart; none while a row cannot be drawn, so that none is mistaken."""
        return index if len(self.rows) == len(self.chart.draft.keyframes) else None

    def _read_point(self, index: int) -> None:
        row, frame = self._row_of(index), self.chart.draft.keyframes[index]
        if row is not None:
            for editor, part in zip(self.rows[row].editors, (frame.at, frame.value), strict=True):
                editor.set_value(as_sent(part))
            self.edited.emit()

    def _read_all(self, _index: int) -> None:
        super().show_value(self.chart.draft.points())
        self.edited.emit()

    def _remove_point(self, index: int) -> None:
        row = self._row_of(index)
        if row is not None:
            self.rows[row].remove.click()
