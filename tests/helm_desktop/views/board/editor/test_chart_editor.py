"""The chart editor by mouse and keys: each change is drawn at once, and all are applied as one edit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.actions.board import BOARD
from helm_desktop.app import Desktop
from helm_desktop.views.board.editor.editor import ChartEditor
from helpers.board import logged
from helpers.charts import point
from helpers.desktop import desktop, session_of

LAYERS = [f"health/layer{n}/ratio" for n in (0, 2, 4)]
NAMES = ["train/loss", "eval/loss", *LAYERS]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def opened(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    """A window with an open run whose updates come from the test."""
    with desktop(qapp, tmp_path) as made:
        made.current.show("folder")
        session = session_of(made)
        session.apply([logged(NAMES)])
        made.window.show_first_minute(False)
        qtbot.waitUntil(lambda: made.regions.board.cells.drawn)
        yield made


def edit(opened: Desktop, name: str, qtbot: QtBot) -> ChartEditor:
    """Open the chart editor with the key E and return it."""
    board = opened.regions.board
    board.current.show(name)
    chart = board.charts.chart(name)
    assert chart is not None
    QTest.keyClick(chart, Qt.Key.Key_E)
    editor = opened.editor.editor
    assert editor is not None
    qtbot.waitUntil(editor.isVisible)
    return editor


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """Click with the left button."""
    QTest.mouseClick(widget, LEFT, pos=at or widget.rect().center())


def drawn(editor: ChartEditor) -> list[str]:
    """Return the names of the series in the preview."""
    assert editor.preview.chart is not None
    return [series.name for series in editor.preview.chart.content.series]


def test_that_series_are_added_by_search_and_by_pattern(opened: Desktop, qtbot: QtBot) -> None:
    editor = edit(opened, "train/loss", qtbot)
    field = editor.panel.series.field
    QTest.keyClicks(field, "eval/loss")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert drawn(editor) == ["train/loss", "eval/loss"]
    qtbot.waitUntil(lambda: field.text() == "")
    QTest.keyClicks(field, "health/layer{{n}/ratio".replace("{{", "{"))
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert drawn(editor)[2:] == LAYERS
    QTest.keyClicks(field, "nothing here")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert editor.panel.problem.text() == "No stream of this run is named nothing here"
    click(editor.done)
    spec = opened.regions.board.model.chart("train/loss").spec
    assert spec.series == ("train/loss", "eval/loss", "health/layer{n}/ratio")
    assert opened.regions.board.model.stack.count() == 1


def test_that_a_part_is_chosen_by_keys_and_values_are_switched_off(opened: Desktop, qtbot: QtBot) -> None:
    editor = edit(opened, LAYERS[0], qtbot)
    click(editor.panel.plus)
    field = editor.panel.series.rows[0].field
    assert field.hasFocus()
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert drawn(editor) == LAYERS
    card = editor.panel.variables.cards[0]
    click(card.chips["2"])
    assert drawn(editor) == [LAYERS[0], LAYERS[2]]
    QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert drawn(editor) == LAYERS
    QTest.keyClick(
        editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert drawn(editor) == [LAYERS[0], LAYERS[2]]
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert not editor.isVisible()
    assert opened.regions.board.model.is_default, "leaving applies nothing"


@pytest.mark.parametrize("draw", ["lines", "heatmap", "multiples", "bars", "histogram", "scatter"])
def test_that_every_way_to_draw_is_drawn_at_once(draw: str, opened: Desktop, qtbot: QtBot) -> None:
    editor = edit(opened, LAYERS[0], qtbot)
    field = editor.panel.series.rows[0].field
    click(field, field.place_of(len("health/layer")).center().toPoint())
    click(editor.panel.tiles.tiles[draw])  # type: ignore[index]
    chart = editor.preview.chart
    assert chart is not None
    qtbot.waitUntil(lambda: not chart.renderer.dirty)
    assert chart.content.spec.draw == draw
    QTest.mouseMove(chart.plot.viewport(), chart.plot.viewport().rect().center())
    assert not chart.grab().isNull()


def test_that_the_fields_show_the_fitted_range_and_a_card_shows_the_colours(
    opened: Desktop, qtbot: QtBot
) -> None:
    editor = edit(opened, "train/loss", qtbot)
    options, preview = editor.panel.options, editor.preview
    chart = preview.chart
    assert chart is not None
    qtbot.waitUntil(lambda: not chart.renderer.dirty)
    assert (options.low.placeholderText(), options.high.placeholderText()) == ("0.0", "50.0")
    assert not preview.scale.isVisible()
    click(editor.panel.tiles.tiles["heatmap"])
    qtbot.waitUntil(preview.scale.isVisible)
    assert preview.scale.accessibleName() == "Colours from 0.0 to 49.0"
    assert not chart.scale.isVisible(), "the card shows it"
    assert options.high.placeholderText() == "49.0"
    click(options.log_y.button(True))
    qtbot.waitUntil(lambda: preview.scale.accessibleName() == "Colours from 1.0 to 49.0, logarithmic")
    click(editor.panel.tiles.tiles["lines"])
    qtbot.waitUntil(lambda: not preview.scale.isVisible())
    qtbot.waitUntil(lambda: options.high.placeholderText() == "56.2")  # 10 ** 1.75


def test_that_the_editor_shows_the_smoothing_of_the_board(opened: Desktop, qtbot: QtBot) -> None:
    opened.regions.board.edits.set_smoothing(0.9)
    editor = edit(opened, "train/loss", qtbot)
    slider = editor.panel.options.smoothing
    assert (slider.value(), slider.accessibleDescription()) == (0, "board 0.9")
    assert editor.preview.chart is not None
    assert editor.preview.chart.content.spec.smoothing == 0.9
    QTest.keyClick(slider, Qt.Key.Key_End)
    assert slider.accessibleDescription() == "0.999"
    assert editor.edits.draft.spec.smoothing == 0.999


def test_that_another_drawing_clears_the_values_under_the_pointer(opened: Desktop, qtbot: QtBot) -> None:
    editor = edit(opened, "train/loss", qtbot)
    chart = editor.preview.chart
    assert chart is not None
    qtbot.waitUntil(lambda: not chart.renderer.dirty)
    point(chart, 0.5)
    assert chart.pointer.tip_text()
    tile = editor.panel.tiles.tiles["lines"]
    tile.setFocus()
    QTest.keyClick(tile, Qt.Key.Key_Right)
    assert chart.content.spec.draw == "heatmap"
    assert not chart.pointer.tip_text()


def test_that_a_closed_editor_leaves_no_crosshair_behind(opened: Desktop, qtbot: QtBot) -> None:
    board = opened.regions.board
    other = board.charts.chart("eval/loss")
    assert other is not None
    editor = edit(opened, "train/loss", qtbot)
    chart = editor.preview.chart
    assert chart is not None
    qtbot.waitUntil(lambda: not chart.renderer.dirty)
    point(chart, 0.5)
    assert other.crosshair.step is not None
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert other.crosshair.step is None


def name_of(widget: QWidget | None) -> str:
    """Return the name that a screen reader reads out."""
    assert widget is not None, "the keys go nowhere"
    return widget.accessibleName() or (widget.text() if isinstance(widget, QPushButton) else "")


def press(key: Qt.Key, times: int = 1) -> None:
    """Press a key in the widget with the focus."""
    for _ in range(times):
        now = QApplication.focusWidget()
        assert now is not None, "the keys go nowhere"
        QTest.keyClick(now, key)
        QApplication.processEvents()  # what is new is laid out


def tab_to(name: str) -> None:
    """Press Tab until the widget with this name has the focus."""
    for _ in range(60):
        press(Qt.Key.Key_Tab)
        if name_of(QApplication.focusWidget()) == name:
            return
    raise AssertionError(f"Tab never came to {name}")


def test_that_the_keyboard_alone_makes_rows_of_layers(opened: Desktop, qtbot: QtBot) -> None:
    editor = edit(opened, LAYERS[0], qtbot)
    tab_to("+ Variable")
    press(Qt.Key.Key_Space)
    assert name_of(QApplication.focusWidget()) == f"Series {LAYERS[0]}"
    press(Qt.Key.Key_Return)
    assert drawn(editor) == LAYERS
    assert name_of(QApplication.focusWidget()) == "Series health/layer{layer}/ratio"
    tab_to("layer 2")
    press(Qt.Key.Key_Space)
    assert drawn(editor) == [LAYERS[0], LAYERS[2]]
    assert name_of(QApplication.focusWidget()) == "layer 2"
    tab_to("All values of layer, new ones too")
    press(Qt.Key.Key_Space)
    assert drawn(editor) == LAYERS
    tab_to("Draw as Lines")
    press(Qt.Key.Key_Right)
    assert name_of(QApplication.focusWidget()) == "Draw as Heatmap rows"
    tab_to("y scale: linear")
    press(Qt.Key.Key_Right)
    tab_to("Ignore outliers")
    press(Qt.Key.Key_Space)
    tab_to("Remove the variable layer")
    press(Qt.Key.Key_Space)
    assert drawn(editor) == LAYERS[:1]
    QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert drawn(editor) == LAYERS
    tab_to("Done")
    press(Qt.Key.Key_Space)
    assert not editor.isVisible()
    spec = opened.regions.board.model.chart(LAYERS[0]).spec
    assert (spec.series, spec.draw) == (("health/layer{layer}/ratio",), "heatmap")
    assert (spec.log_y, spec.ignore_outliers) == (True, True)
    assert name_of(QApplication.focusWidget()) == "Chart health/layer{layer}/ratio"


def test_that_keys_read_the_preview_and_open_the_model(opened: Desktop, qtbot: QtBot) -> None:
    opened.editor.set_inspects(True)
    editor = edit(opened, LAYERS[0], qtbot)
    click(
        editor.panel.series.rows[0].field,
        editor.panel.series.rows[0].field.place_of(len("health/layer")).center().toPoint(),
    )
    click(editor.panel.tiles.tiles["heatmap"])
    chart = editor.preview.chart
    assert chart is not None
    qtbot.waitUntil(lambda: not chart.renderer.dirty)
    tab_to("Chart health/layer{layer}/ratio")
    press(Qt.Key.Key_Down, 2)
    assert editor.preview._pointer.text().startswith("layer 2 · step 49")
    tab_to("Inspect layer 2 in the model")
    press(Qt.Key.Key_Space)
    assert opened.regions.details.search.text() == "layer 2"


def test_that_tab_reads_the_board_from_chart_to_chart(opened: Desktop, qtbot: QtBot) -> None:
    board = opened.regions.board
    board.head.pills.range.setFocus()
    found = []
    for _ in range(12):
        press(Qt.Key.Key_Tab)
        found.append(name_of(QApplication.focusWidget()))
    titles = [title for title in found if title.startswith("Chart ")]
    assert titles == [f"Chart {chart.title}" for chart in board.chart_reports()[: len(titles)]]
    assert len(titles) >= 3
    (section,) = board.pages.shown[0].sections
    assert found[:3] == [f"{section.title}, open", f"Menu of section {section.title}", titles[0]]
    assert found[3:5] == ["Edit chart", "Full window"]


def test_that_axes_options_and_title_are_parts_of_the_draft(opened: Desktop, qtbot: QtBot) -> None:
    editor = edit(opened, "train/loss", qtbot)
    options = editor.panel.options
    click(options.axis.button("relative"))
    click(options.log_y.button(True))
    click(options.ranks.button("band"))
    click(options.outliers)
    click(options.marks)
    for field, text in (
        (options.unit, "nats"),
        (options.title, "Loss"),
        (options.low, "1"),
        (options.high, "9"),
    ):
        field.setFocus()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Tab)
    QTest.keyClick(options.smoothing, Qt.Key.Key_End)
    spec = editor.edits.draft.spec
    assert (spec.x, spec.log_y, spec.ranks, spec.ignore_outliers, spec.marks) == (
        "relative",
        True,
        "band",
        True,
        False,
    )
    assert (spec.unit, spec.title, spec.y_range, spec.smoothing) == ("nats", "Loss", (1.0, 9.0), 0.999)
    options.low.setText("12")
    options.low.editingFinished.emit()
    assert "below the upper end" in editor.panel.problem.text()
    click(options.fit)
    assert editor.edits.draft.spec.y_range is None
    click(editor.done)
    assert opened.regions.board.charts.chart("train/loss").content.title == "Loss"  # type: ignore[union-attr]


def test_that_a_derived_curve_shows_what_is_wrong_until_it_is_mended(opened: Desktop, qtbot: QtBot) -> None:
    editor = edit(opened, "train/loss", qtbot)
    row = editor.panel.derived.rows[0]
    QTest.keyClicks(row.field, '"train/loss" - gone')
    assert row.problem.text() == "No stream of this run is named gone"
    row.field.clear()
    QTest.keyClicks(row.field, '"train/loss" - "eval/loss"')
    assert row.problem.isHidden()
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    assert drawn(editor)[1] == '"train/loss" - "eval/loss"'
    assert len(editor.panel.derived.rows) == 2


def test_that_a_duplicate_is_a_chart_of_its_own(opened: Desktop, qtbot: QtBot) -> None:
    editor = edit(opened, "train/loss", qtbot)
    click(editor.panel.tiles.tiles["bars"])
    click(editor.duplicate)
    model = opened.regions.board.model
    made = [chart for page in model.pages for chart in page.charts if chart not in NAMES]
    assert len(made) == 1
    assert model.chart(made[0]).spec.draw == "bars"
    assert model.chart("train/loss").spec.draw == "lines"


def test_that_a_new_chart_is_removed_when_it_is_left_empty(opened: Desktop, qtbot: QtBot) -> None:
    opened.regions.actions["new_chart"].trigger()
    editor = opened.editor.editor
    assert editor is not None
    assert editor.isVisible()
    assert not opened.regions.actions["undo"].isEnabled(), "its keys mean the draft now"
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert opened.regions.board.model.is_default
    opened.regions.actions["new_chart"].trigger()
    QTest.keyClicks(editor.panel.series.field, "eval/loss")
    QTest.keyClick(editor.panel.series.field, Qt.Key.Key_Return)
    click(editor.done)
    assert len(opened.regions.board.chart_reports()) == len(NAMES) + 1


def test_that_another_run_closes_the_editor(opened: Desktop, qtbot: QtBot) -> None:
    editor = edit(opened, "train/loss", qtbot)
    opened.regions.board.set_session(None)
    assert not editor.isVisible()
    assert editor.preview.chart is None


def test_that_every_action_of_the_board_does_something_or_says_why(opened: Desktop, qtbot: QtBot) -> None:
    board, actions = opened.regions.board, opened.regions.actions
    asking = {"save_board", "load_board", "edit_chart", "new_chart", "choose_x", "choose_smoothing"}
    for spec in BOARD:
        if spec.id not in asking:
            board.current.show("train/loss")
            actions[spec.id].setEnabled(True)
            actions[spec.id].trigger()
            if board.full.chart_id:
                board.full.leave()
            board.setFocus()
    board.pages.show_hidden(False)
    while board.model.stack.canUndo():
        board.model.stack.undo()
    assert board.model.is_default
    assert not actions["undo"].isEnabled()
    assert actions["redo"].text().startswith("Redo ")
