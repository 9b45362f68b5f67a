"""The guide's part 5 on a real window: how a board is laid out, a variable, heatmap rows, their buttons."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.board.editor.editor import ChartEditor
from helpers.charts import pixels
from helpers.desktop import desktop
from helpers.qt_leaks import no_qt_leaks
from helpers.scripts import SCRIPTS, Script, start

__all__ = ["no_qt_leaks"]

pytestmark = pytest.mark.usefixtures("no_qt_leaks")

RATIO = "health/layer0/update_ratio"
LOOP = """
import helm_sdk
run = helm_sdk.init("rules", name="laid out")
for step in range(20):
    run.log({name: float(step) for name in NAMES}, step=step)
run.finish()
"""


def log(scripts: list[Script], home: Path, names: list[str]) -> None:
    """A run that logs these names."""
    scripts.append(start(LOOP.replace("NAMES", repr(names)), home=home))
    assert scripts[-1].finish() == 0, scripts[-1].lines


def layers(scripts: list[Script], home: Path, captures: str = "1") -> None:
    """The guide's model with its update ratios."""
    scripts.append(start(SCRIPTS / "layers.py", home=home, env={"CAPTURES": captures}))
    assert scripts[-1].finish() == 0, scripts[-1].lines


def wait_for_board(opened: Desktop, qtbot: QtBot) -> None:
    """Until every chart in sight is drawn."""
    qtbot.waitUntil(
        lambda: opened.current.session is not None and opened.current.session.complete, timeout=30_000
    )
    qtbot.waitUntil(
        lambda: opened.regions.board.cells.drawn and bool(opened.regions.board.chart_reports()),
        timeout=30_000,
    )


def laid_out(opened: Desktop) -> list[tuple[str, str, int]]:
    """Each page's sections with how many charts they have."""
    return [
        (plan.title, section.title, len(section.charts))
        for plan in opened.regions.board.pages.shown
        for section in plan.sections
    ]


def chart_of(opened: Desktop, name: str, qtbot: QtBot) -> ChartView:
    """A chart, scrolled to and drawn."""
    board = opened.regions.board
    board.current.show(name)
    chart = board.charts.chart(name)
    assert chart is not None
    qtbot.waitUntil(lambda: not chart.renderer.dirty and chart.isVisible(), timeout=10_000)
    return chart


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """With the mouse."""
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at or widget.rect().center())


def edit(opened: Desktop, chart: ChartView, qtbot: QtBot) -> ChartEditor:
    """Opens the editor with ✎."""
    click(chart.header.edit)
    editor = opened.editor.editor
    assert editor is not None
    qtbot.waitUntil(editor.isVisible)
    return editor


def click_part(editor: ChartEditor, start: int) -> None:
    """Clicks the part of the first name that begins there."""
    field = editor.panel.series.rows[0].field
    click(field, field.place_of(start).center().toPoint())


def rows_drawn(chart: ChartView) -> int:
    """How many stretches of colour lie below one another: between rows the card is seen."""
    image = pixels(chart)
    down = [image.pixelColor(image.width() // 3, y).name() for y in range(image.height())]
    return sum(colours for colours, _ in groupby(colour != chart.renderer.theme.card for colour in down))


PREFIXES = ("train", "health", "data", "optim")
CASES = {
    12: [("Overview", "All metrics", 12)],
    13: [
        ("Overview", "train", 4),
        ("Overview", "optim", 3),
        ("Overview", "health", 3),
        ("Overview", "data", 3),
    ],
}


@pytest.mark.parametrize("count", [12, 13])
def test_that_up_to_twelve_streams_are_one_section_and_more_a_section_a_prefix(
    count: int, qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    log(scripts, tmp_path, [f"{PREFIXES[n % 4]}/m{n}" for n in range(count)])
    with desktop(qapp, tmp_path) as opened:
        wait_for_board(opened, qtbot)
        assert laid_out(opened) == CASES[count]
        assert all(chart.visible for chart in opened.regions.board.chart_reports()) or count > 12


def test_that_past_forty_eight_streams_each_large_prefix_has_a_page(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    names = [f"health/layer{n}/ratio" for n in range(24)] + [f"system/gpu{n}/power" for n in range(12)]
    names += [f"optim/m{n}" for n in range(11)] + ["train/loss", "train/acc"]
    assert len(names) == 49
    log(scripts, tmp_path, names)
    with desktop(qapp, tmp_path) as opened:
        wait_for_board(opened, qtbot)
        board = opened.regions.board
        assert [board.head.tabs.tabText(at) for at in range(board.head.tabs.count())] == [
            "Overview",
            "health",
            "system",
        ]
        assert [count for _, _, count in laid_out(opened)] == [2, 11, 24, 12]
        click(board.head.tabs, board.head.tabs.tabRect(1).center())
        qtbot.waitUntil(lambda: board.cells.drawn)
        assert {chart.page for chart in board.chart_reports() if chart.visible} == {"health"}


def test_that_a_clicked_number_becomes_the_variable_and_rows_are_drawn_and_lead_to_the_model(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    layers(scripts, tmp_path)
    with desktop(qapp, tmp_path) as opened:
        wait_for_board(opened, qtbot)
        editor = edit(opened, chart_of(opened, RATIO, qtbot), qtbot)
        click(editor.panel.plus)
        click_part(editor, RATIO.index("0"))
        (variable,) = editor.edits.draft.variables()
        assert variable.name == "layer"
        assert [value.text for value in variable.values] == ["0", "2", "4"]
        assert list(editor.panel.variables.cards[0].chips) == ["0", "2", "4"]
        click(editor.panel.tiles.tiles["heatmap"])
        click(editor.done)
        qtbot.waitUntil(lambda: not editor.isVisible())
        chart = chart_of(opened, RATIO, qtbot)
        assert chart.content.title == "health/layer{layer}/update_ratio"
        drawing = chart.renderer.drawing
        assert drawing.rows
        assert rows_drawn(chart) == 3
        assert [label for _, label in drawing.y_ticks(0, 3, 120)] == ["layer 0", "layer 2", "layer 4"]

        place = drawing.row_place("2")
        assert place is not None
        assert chart.rows.enabled
        assert chart.rows.label.format(value="2") == "Inspect layer 2 in the model"
        height = chart.plot.canvas.inner().height()
        y = chart.plot.pixels.picture_rect().top() + height * (3 - place) / 3
        click(chart.plot.viewport(), QPoint(8, round(y)))
        details = opened.regions.details
        assert details.search.text() == "layer 2"
        assert details.tree.isVisible()
        assert details.found_lines() == ["Model.2.weight", "Model.2.bias"]

        QTest.keyClick(opened.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert opened.regions.board.model.is_default


def test_that_a_row_is_no_button_on_a_run_without_captures(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    layers(scripts, tmp_path, captures="0")
    with desktop(qapp, tmp_path) as opened:
        wait_for_board(opened, qtbot)
        editor = edit(opened, chart_of(opened, RATIO, qtbot), qtbot)
        click_part(editor, RATIO.index("0"))
        click(editor.panel.tiles.tiles["heatmap"])
        QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        chart = chart_of(opened, RATIO, qtbot)
        assert chart.renderer.drawing.rows
        assert not chart.rows.enabled
        before = opened.regions.details.search.text()
        click(chart.plot.viewport(), QPoint(8, round(chart.plot.pixels.picture_rect().center().y())))
        assert opened.regions.details.search.text() == before == ""


def test_that_the_board_of_one_run_serves_its_sibling_after_a_restart(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    log(scripts, tmp_path, ["train/a", "train/b"])
    with desktop(qapp, tmp_path) as opened:
        wait_for_board(opened, qtbot)
        chart = chart_of(opened, "train/a", qtbot)
        QTest.keyClick(chart, Qt.Key.Key_P)
        QTest.keyClick(opened.window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
        field = QApplication.focusWidget()
        assert field is not None
        QTest.keyClicks(field, "Mine")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert laid_out(opened)[0][1] == "Pinned"
    log(scripts, tmp_path, ["train/b", "train/c"])
    with desktop(qapp, tmp_path, "latest") as opened:
        wait_for_board(opened, qtbot)
        board = opened.regions.board
        qtbot.waitUntil(lambda: board.head.tabs.count() == 2)
        assert board.head.tabs.tabText(1) == "Mine"
        assert {chart.title for chart in board.chart_reports()} == {"train/b", "train/c"}
        assert board.model.chart("train/a").pinned, "kept for the run that has it"
        assert not QApplication.activePopupWidget() or isinstance(QApplication.activePopupWidget(), QMenu)
