"""What hands do to an editor: anything at all, or fill in one value; by keys and by mouse."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from helm_desktop.views.controls.collection_editors import CollectionEditor, ScheduleEditor
from helm_desktop.views.controls.editor import ValueEditor
from helm_desktop.views.controls.fields import (
    ChoiceEditor,
    DurationEditor,
    NumberEditor,
    SwitchEditor,
    TextEditor,
)
from helm_desktop.views.controls.form import RecordForm
from helm_desktop.views.controls.mixture_editor import MixtureEditor
from helm_desktop.views.controls.raw import RawEditor
from helm_desktop.views.controls.schedule_chart import ScheduleChart
from helm_sdk.protocol.kinds import MISSING, MapOf, Mixture, Node, Record, Schedule
from helm_sdk.protocol.questions import same

NUMBERS = ("0.50", "3", "-1", "x", "", "1e-400", "1 h 30 min", "0.1000000000000000000001", "7e-2")
TEXTS = ("", "note", " two ", "web", "b")
JSONS = ("", "{", '{"a": 1}', "NaN", "[" * 60, '{"tensors": ["a"], "stage": "after_step", "take": ["mean"]}')


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """The left button, in the middle or at a place."""
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at or QPoint())


def write(field: QLineEdit, text: str) -> None:
    """Types over what stands there."""
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClicks(field, text)


def drag(bar: QWidget, start: float, end: float) -> None:
    """Press, move in steps and release, as a hand does; both places as shares of the width."""

    def place(part: int) -> QPoint:
        return QPoint(round((start + (end - start) * part / 10) * bar.width()), bar.height() // 2)

    QTest.mouseMove(bar, place(0))
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=place(0))
    for part in range(11):
        QTest.mouseMove(bar, place(part))
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=place(10))


def anything(editor: ValueEditor, draw: random.Random) -> None:
    """One thing that a hand can do to an editor or a part of it."""
    match editor:
        case NumberEditor(slider=slider) if (
            slider is not None and not slider.isHidden() and draw.random() < 0.3
        ):
            QTest.keyClick(slider, draw.choice([Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_PageUp]))
        case NumberEditor() if draw.random() < 0.2:
            QTest.keyClick(editor.field, draw.choice([Qt.Key.Key_Up, Qt.Key.Key_Down]))
        case NumberEditor() | DurationEditor():
            write(editor.field, draw.choice(NUMBERS))
        case TextEditor():
            write(editor.field, draw.choice(TEXTS))
        case SwitchEditor():
            click(editor.switch)
        case ChoiceEditor():
            choose(editor, draw.randrange(len(editor.values)))
        case MixtureEditor():
            _mix(editor, draw)
        case RawEditor():
            write_json(editor, draw.choice(JSONS))
        case RecordForm():
            _form(editor, draw)
        case ScheduleEditor() if draw.random() < 0.4:
            _chart(editor.chart, draw)
        case CollectionEditor():
            if not editor.rows or draw.random() < 0.4:
                click(editor.add)
            elif draw.random() < 0.2:
                click(draw.choice(editor.rows).remove)
            else:
                anything(draw.choice(draw.choice(editor.rows).editors), draw)


def choose(editor: ChoiceEditor, place: int) -> None:
    """Clicks the segment, or walks the list by keys."""
    if editor.segments is not None:
        click(editor.segments.button(editor.values[place]))
    elif editor.combo is not None:
        QTest.keyClick(editor.combo, Qt.Key.Key_Home)
        for _ in range(place):
            QTest.keyClick(editor.combo, Qt.Key.Key_Down)


def write_json(editor: RawEditor, text: str) -> None:
    """Unlocks the text and types."""
    if not editor.button.isHidden():
        click(editor.button)
    area: QPlainTextEdit = editor.text
    area.selectAll()
    QTest.keyClick(area, Qt.Key.Key_Delete)
    QTest.keyClicks(area, text)


def _mix(editor: MixtureEditor, draw: random.Random) -> None:
    bar, row = editor.draft_bar, draw.choice(editor.rows.rows)
    match draw.randrange(6):
        case 0:
            drag(bar, draw.random(), draw.random())
        case 1:
            QTest.keyClick(bar, draw.choice([Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Down]))
        case 2:
            write(row.draft, draw.choice(["0", "12.5", "100", "33.3%", "x", "-1"]))
            QTest.keyClick(row.draft, Qt.Key.Key_Return)
        case 3:
            click(row.lock)
        case 4:
            click(editor.even)
        case _:
            click(editor.reset)


def _chart(chart: ScheduleChart, draw: random.Random) -> None:
    place = QPoint(draw.randint(60, 200), draw.randint(12, 80))
    if draw.random() < 0.5:
        QTest.mouseDClick(chart, Qt.MouseButton.LeftButton, pos=place)
    else:
        QTest.keyClick(chart, draw.choice([Qt.Key.Key_Right, Qt.Key.Key_Delete]))


def _form(form: RecordForm, draw: random.Random) -> None:
    if form.choice is not None and draw.random() < 0.3:
        click(form.choice.button(draw.choice(form.choices)))
    elif shown := [row for row in form.rows.values() if not row.editor.isHidden()]:
        row = draw.choice(shown)
        if row.left_out is not None and draw.random() < 0.2:
            click(row.left_out)
        elif row.none is not None and draw.random() < 0.4:
            click(row.none)
        elif row.none is None or not row.none.isChecked():
            anything(row.editor, draw)


def fill_in(editor: ValueEditor, node: Node, value: Any) -> None:
    """Enters a value that fits into an editor in which nothing was entered yet."""
    match editor:
        case NumberEditor() | DurationEditor():
            write(editor.field, str(value))
        case TextEditor():
            write(editor.field, value or "x")
            if not value:
                QTest.keyClick(editor.field, Qt.Key.Key_Backspace)
        case SwitchEditor():
            for _ in range(1 if editor.switch.isChecked() != value else 2):
                click(editor.switch)
        case ChoiceEditor():
            choose(editor, next(at for at, own in enumerate(editor.values) if same(own, value)))
        case RawEditor():
            write_json(editor, json.dumps(value))
        case MixtureEditor():
            assert isinstance(node, Mixture)
            _fill_mixture(editor, value["weights"])
        case RecordForm():
            assert isinstance(node, Record)
            _fill_form(editor, node, value)
        case CollectionEditor():
            _fill_rows(editor, node, value)


def _fill_mixture(editor: MixtureEditor, weights: Mapping[str, Any]) -> None:
    """From the first to the last, each locked once it has its share."""
    total = sum(float(weight) for weight in weights.values())
    for name, row in list(zip(editor.names, editor.rows.rows, strict=True))[:-1]:
        write(row.draft, f"{100 * float(weights[name]) / total:.1f}")
        QTest.keyClick(row.draft, Qt.Key.Key_Return)
        click(row.lock)


def _fill_form(form: RecordForm, node: Record, value: Mapping[str, Any]) -> None:
    if form.choice is not None:
        click(form.choice.button(next(name for name in form.choices if value.get(name) is not None)))
    for part in node.fields:
        row = form.rows[part.name]
        if part.name in value and not row.editor.isHidden():
            if value[part.name] is None and row.none is not None:
                click(row.none)
            else:
                if row.left_out is not None and row.left_out.isChecked():
                    click(row.left_out)
                fill_in(row.editor, part.type, value[part.name])
            if row.none is not None and row.value() is MISSING:  # nothing in it had to be filled in
                click(row.none)
                click(row.none)


def _fill_rows(editor: CollectionEditor, node: Node, value: Any) -> None:
    if isinstance(node, Schedule):
        parts: list[tuple[Any, ...]] = [(point["at"], point["value"]) for point in value["points"]]
    else:
        parts = list(value.items()) if isinstance(node, MapOf) else [(item,) for item in value]
    for row in list(editor.rows):  # of a default
        click(row.remove)
    for entry in parts:
        click(editor.add)
        row = editor.rows[-1]
        for own, kind, item in zip(row.editors, editor.nodes, entry, strict=True):
            fill_in(own, kind, item)
