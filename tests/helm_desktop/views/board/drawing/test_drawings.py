from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.chart.spec import DRAWS, ChartSpec, DerivedCurve, Draw
from helm_desktop.model.media.histograms import Histograms, LoggedHistogram
from helm_desktop.model.media.media_model import MediaItem
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.series_model import Series
from helm_desktop.theme import ThemeManager, figure_font
from helm_desktop.views.board.canvas.colour_map import table
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.board.drawing.histogram import HistogramOverTime
from helpers.charts import columns_of, logged, near, pixels, point, saved, shown

LAYERS = [
    logged(f"health/layer{layer}/update_ratio", np.full(50, 10.0 ** -(layer + 1))) for layer in (0, 2, 4)
]
PATTERN = "health/layer{layer}/update_ratio"


@pytest.fixture(autouse=True)
def _themed(theme: ThemeManager) -> None:
    """Charts wear the theme."""


def row_place(chart: ChartView, value: str) -> QPoint:
    """Where a row's label is."""
    rect, (low, high) = chart.plot.pixels.picture_rect(), chart.ranges.y.shown
    place = chart.renderer.drawing.row_place(value)
    assert place is not None
    return QPointF(rect.left() - 20, rect.top() + (high - place) / (high - low) * rect.height()).toPoint()


def heatmap(qtbot: QtBot, **parts: object) -> ChartView:
    """Three layers as rows."""
    spec = ChartSpec(series=(PATTERN,), draw="heatmap", log_y=True).with_(**parts)
    return shown(qtbot, *LAYERS, spec=spec)


def test_that_a_heatmap_has_a_row_for_each_value_in_natural_order(qtbot: QtBot) -> None:
    chart = heatmap(qtbot)
    QApplication.processEvents()
    assert chart.plot.left.shown() == ["layer 0", "layer 2", "layer 4"]
    assert chart.header.figure.text() == "3 layers"
    image = pixels(chart)
    heights = [image.height() * (2 * row + 1) // 6 for row in range(3)]
    colours = [image.pixelColor(image.width() // 2, y).name() for y in heights]
    ends = [f"#{int(table()[at]) & 0xFFFFFF:06x}" for at in (-1, 0)]
    assert (colours[0], colours[2]) == tuple(ends)
    assert len(set(colours)) == 3
    assert chart.scale.accessibleName() == "Colours from 1.00e-5 to 0.1, logarithmic"
    assert chart.scale.isVisible()


def test_that_a_row_is_a_button_only_where_there_is_something_to_inspect(qtbot: QtBot) -> None:
    chart = heatmap(qtbot)
    viewport, place = chart.plot.viewport(), row_place(chart, "2")
    clicked: list[str] = []
    chart.rows.clicked.connect(clicked.append)
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert clicked == []
    chart.rows.set_buttons(True, "Inspect layer {value} in the model")
    QTest.mouseMove(viewport, place + QPoint(0, 2))
    QTest.mouseMove(viewport, place)
    assert viewport.cursor().shape() == Qt.CursorShape.PointingHandCursor
    assert viewport.toolTip() == "Inspect layer 2 in the model"
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    QTest.keyClick(chart, Qt.Key.Key_Down)
    QTest.keyClick(chart, Qt.Key.Key_Return)
    assert clicked == ["2", "4"]


def test_that_a_row_tells_its_value_and_marks_what_is_not_finite(qtbot: QtBot) -> None:
    values = np.full(50, 0.01)
    values[25] = np.nan
    odd = logged("health/layer1/update_ratio", values)
    chart = shown(qtbot, LAYERS[0], odd, spec=ChartSpec(series=(PATTERN,), draw="heatmap", log_y=True))
    assert chart.renderer.notice == "1 not finite"
    image = pixels(chart)
    lower = image.copy(0, image.height() // 2 + 4, image.width(), 12)
    assert np.mean(list(columns_of(lower, chart.renderer.theme.bad, 40))) == pytest.approx(
        25 / 49 * image.width(), abs=4
    )
    rect = chart.plot.pixels.picture_rect()
    at = QPointF(rect.center().x(), rect.top() + rect.height() * 0.25).toPoint()
    QTest.mouseMove(chart.plot.viewport(), at + QPoint(2, 2))
    QTest.mouseMove(chart.plot.viewport(), at)
    assert chart.pointer.tip_text().splitlines()[0].startswith("layer 0 · step 2")
    assert chart.pointer.tip_text().splitlines()[1] == "0.1"


def test_that_bars_are_as_long_as_the_last_values(qtbot: QtBot) -> None:
    group = [logged("loss/a", [9.0, 1.0]), logged("loss/b", [0.0, 2.0]), logged("loss/c", [1.0, np.nan])]
    chart = shown(qtbot, *group, spec=ChartSpec(series=("loss/{source}",), draw="bars"))
    QApplication.processEvents()
    assert chart.plot.left.shown() == ["a", "b", "c"]
    assert 3 <= len(chart.plot.bottom.shown()) <= 10
    image = pixels(chart)
    third = image.height() // 3
    lengths = [
        len(
            columns_of(
                image.copy(0, at * third + third // 2, image.width(), 2), chart.renderer.theme.curves[0]
            )
        )
        for at in range(3)
    ]
    assert lengths[1] == pytest.approx(2 * lengths[0], abs=4)
    assert lengths[2] < 4
    assert chart.renderer.notice == "1 not finite"


def test_that_a_scatter_has_a_dot_for_each_step_of_both(qtbot: QtBot) -> None:
    x, y = logged("x", [1.0, 2.0, 3.0, 4.0]), Series("y")
    y.append("trainer", 1, np.array([1, 3]), np.array([0.5, 1.5]), np.array([10.0, 30.0]))
    chart = shown(qtbot, x, y, spec=ChartSpec(series=("x", "y"), draw="scatter"))
    assert chart.header.figure.text() == "2 points"
    low, high = chart.ranges.x.shown
    assert low < 2.0 < 4.0 < high
    rect, (bottom, top) = chart.plot.pixels.picture_rect(), chart.ranges.y.shown
    at = QPointF(
        rect.left() + (4 - low) / (high - low) * rect.width(),
        rect.top() + (top - 30) / (top - bottom) * rect.height(),
    ).toPoint()
    QTest.mouseMove(chart.plot.viewport(), at + QPoint(1, 1))
    QTest.mouseMove(chart.plot.viewport(), at)
    assert chart.pointer.tip_text().splitlines() == ["step 3", "x 4.0", "y 30.0"]


def test_that_rows_have_room_for_their_names_from_the_first_picture_on(qtbot: QtBot) -> None:
    group = [logged(f"loss/{name}", [1.0]) for name in ("a", "encyclopedia_and_books")]
    chart = shown(qtbot, *group, spec=ChartSpec(series=("loss/{source}",), draw="bars"))
    wide = QFontMetricsF(figure_font(11)).horizontalAdvance("encyclopedia_and_books")
    assert wide < chart.plot.left_px < wide + 30


def test_that_dots_of_several_series_have_the_colours_of_the_legend(qtbot: QtBot) -> None:
    series = [logged(f"health/layer{layer}/norm", [1.0, 2.0, 4.0]) for layer in (0, 1, 2)]
    spec = ChartSpec(series=("health/layer{layer}/norm",), draw="scatter")
    chart = shown(qtbot, *series, spec=spec)
    names = {entry.name: entry.colour for entry in chart.legend.entries}
    assert list(names) == ["layer 1", "layer 2"], "layer 0 is x"
    click = chart.legend.place_of(chart.legend.entries[0].key)
    assert click is not None
    QTest.mouseClick(chart.legend, Qt.MouseButton.LeftButton, pos=click)
    image = pixels(chart)
    assert columns_of(image, names["layer 1"], 40)
    assert not columns_of(image, names["layer 2"], 40)
    assert list(names) == [entry.name for entry in chart.legend.entries]


def test_that_a_scatter_of_one_series_says_what_it_needs(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("x", [1.0]), spec=ChartSpec(series=("x",), draw="scatter"))
    assert columns_of(pixels(chart), chart.renderer.theme.quiet)


def test_that_a_histogram_over_time_shows_where_the_values_are(qtbot: QtBot) -> None:
    low, high = np.zeros(2_000), np.full(2_000, 10.0)
    low[1_000:], high[1_000:] = 8.0, 9.0
    group = [logged("a", low), logged("b", high)]
    chart = shown(qtbot, *group, spec=ChartSpec(series=("a", "b"), draw="histogram"))
    image = pixels(chart)
    lower = image.copy(0, image.height() * 4 // 5, image.width(), image.height() // 5 - 2)
    drawn = sorted(columns_of(lower, f"#{int(table()[-1]) & 0xFFFFFF:06x}", 60))
    assert drawn[0] <= 4
    assert drawn[-1] == pytest.approx(image.width() / 2, abs=8)


def test_that_logged_histograms_are_drawn_where_there_are_any(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("grads", [1.0]), spec=ChartSpec(series=("grads",), draw="histogram"))
    counts = np.array([0.0, 10.0, 0.0])
    edges = np.array([0.0, 1.0, 2.0, 3.0])
    chart.content.set_histograms(
        [Histograms.of(LoggedHistogram(step, counts, edges) for step in (0, 50, 100))]
    )
    chart.renderer.refresh()
    assert chart.ranges.x.shown[1] >= 100
    point(chart, 0.5)
    assert "100" in chart.pointer.tip_text() or "%" in chart.pointer.tip_text()
    rows = near(pixels(chart), f"#{int(table()[-1]) & 0xFFFFFF:06x}", 60).any(axis=1)
    assert 0.2 < rows.mean() < 0.5


def test_that_logged_histograms_alone_are_drawn_over_steps_or_say_so(qtbot: QtBot, tmp_path: Path) -> None:
    chart = shown(qtbot, spec=ChartSpec(series=("grads",)))
    edges, counts = np.array([-1.0, 0.0, 1.0, 10.0]), np.array([4.0, 5.0, 1.0])
    chart.content.set_histograms(
        [Histograms.of([LoggedHistogram(5, counts, edges), LoggedHistogram(1, counts * 2, edges)])]
    )
    for parts in ({}, {"log_y": True}, {"log_x": True}, {"log_x": False, "log_y": False}):
        chart.edits.change(**parts)
        assert isinstance(chart.renderer.drawing, HistogramOverTime)
        table = chart.renderer.drawing._table
        assert table is not None
        kept = 1.0 if chart.content.spec.log_y else 10.0  # a logarithmic axis begins above zero
        assert table[:, -1].sum() == pytest.approx(kept)
    chart.edits.change(x="relative")
    assert chart.ranges.x.shown == (0.0, 4.0), "from the first"
    assert isinstance(chart.renderer.drawing, HistogramOverTime)
    table = chart.renderer.drawing._table
    assert table is not None
    assert table[:, -1].sum() == pytest.approx(10.0)
    chart.edits.change(x="active")
    words = chart.renderer.drawing.view((0, 1), chart.size(), 1.0, chart.renderer.theme).words
    assert words.startswith("Logged histograms stand on steps or times")
    with pytest.raises(ValueError, match="from Media"):
        saved(chart, tmp_path / "a.csv")


def test_that_histograms_are_read_once_and_the_later_of_a_step_counts() -> None:
    asked: list[MediaItem] = []
    logged = Histograms(asked.append)
    items = [
        MediaItem(f"k{n}", "h", "histogram", step, n, "f", "p", {}) for n, step in enumerate((3, 1, 3, 2))
    ]
    for item in items:
        logged.add(item)
    assert logged.steps == [1, 2, 3]
    assert [logged.index_at(x) for x in (0, 1, 2.5, 9)] == [-1, 0, 1, 2]
    assert logged.at(2) is None
    assert asked == [items[2]]
    made = LoggedHistogram(3, np.array([1.0]), np.array([0.0, 1.0]))
    logged.set_content(items[0], made)
    assert logged.at(2) is None, "that one was replaced"
    logged.set_content(items[2], made)
    assert logged.at(2) is made
    logged.set_content(items[3], None)
    count = len(asked)
    assert logged.at(1) is None
    assert len(asked) == count, "what cannot be read is not asked for again"


def test_that_small_multiples_are_on_the_same_axes(qtbot: QtBot) -> None:
    chart = shown(qtbot, *LAYERS, spec=ChartSpec(series=(PATTERN,), draw="multiples", log_y=True))
    assert chart.header.figure.text().startswith("y ")
    rect = chart.plot.pixels.picture_rect()
    QTest.mouseMove(chart.plot.viewport(), (rect.topLeft() + QPointF(20, 30)).toPoint())
    QTest.mouseMove(chart.plot.viewport(), (rect.topLeft() + QPointF(21, 30)).toPoint())
    assert chart.pointer.tip_text().splitlines()[0] == "layer 0"
    assert "0.1 at step" in chart.pointer.tip_text()


def test_that_small_multiples_have_ticks_where_there_is_room(qtbot: QtBot) -> None:
    spec = ChartSpec(series=(PATTERN,), draw="multiples")
    grid = {}
    for size in ((420, 220), (900, 600)):
        chart = shown(qtbot, *LAYERS, spec=spec, size=size)
        image = pixels(chart)
        lines = near(image, chart.renderer.theme.line, 6).sum(axis=1) > image.width() / 3
        grid[size] = int(lines.sum())
    assert grid[420, 220] == 0
    assert grid[900, 600] >= 4, "two rows of pictures, each with its grid"


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("scene", ["nothing", "nan only", "one point", "huge", "many"])
def test_that_every_drawing_takes_odd_data_on_every_axis(qtbot: QtBot, draw: Draw, scene: str) -> None:
    scenes: dict[str, list[float] | Array] = {
        "nothing": [],
        "nan only": [np.nan, np.inf],
        "one point": [3.0],
        "huge": [1e308, -1e308, 5e-324, 0.0],
        "many": np.random.default_rng(0).standard_normal(5_000),
    }
    group = [logged(name, scenes[scene]) for name in ("loss/a", "loss/b")]
    chart = shown(qtbot, *group, spec=ChartSpec(series=("loss/{source}",), draw=draw))
    for x in ("step", "relative", "wall", "active", "loss/a", "gone"):
        for parts in ({}, {"log_y": True}, {"log_x": True, "log_y": True}, {"ignore_outliers": True}):
            spec = ChartSpec(series=("loss/{source}",), draw=draw, x=x).with_(**parts)
            chart.content.set_spec(spec)
            chart.renderer.refresh()
            point(chart, 0.4)
            for zoom in ((-1e18, 1e18), (2.0, 2.0000001)):
                chart.ranges.set_x(*zoom)
                chart.renderer.refresh()
                QApplication.processEvents()
            chart.ranges.set_follow()
    assert chart.content.title == "loss/{source}"


def test_that_a_band_lies_around_the_mean_of_the_ranks(qtbot: QtBot) -> None:
    series = logged("loss", np.full(100, 1.0), process="rank0")
    steps = np.arange(100)
    series.append("rank1", 1, steps, steps * 0.5, np.full(100, 3.0))
    chart = shown(qtbot, series, spec=ChartSpec(series=("loss",), ranks="band"))
    assert chart.header.figure.text() == "2.0"
    rows = np.flatnonzero((near(pixels(chart), chart.renderer.theme.card, 8) == 0).mean(axis=1) > 0.8)
    low, high = chart.ranges.y.shown
    assert len(rows) / (pixels(chart).height() - 4) == pytest.approx(2.0 / (high - low), abs=0.06)


def test_that_a_derived_curve_is_drawn_and_its_error_is_told(qtbot: QtBot) -> None:
    a, b = logged("a", [3.0, 4.0]), logged("b", [1.0, 1.0])
    chart = shown(qtbot, a, b, spec=ChartSpec(derived=(DerivedCurve("a - b", "gap"),)))
    assert chart.header.figure.text() == "3.0"
    chart.content.set_spec(ChartSpec(derived=(DerivedCurve("a -"),)))
    chart.renderer.refresh()
    assert chart.content.source.problems == ["a -: a series or a number is missing at the end"]
    point(chart, 0.5)


def test_that_notes_and_rules_are_told_by_hover(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.linspace(2, 1, 601)))
    chart.content.set_marks([Mark("note", 300, "warm-up ends"), Mark("rule", 300, "loss above 1.4")])
    chart.renderer.refresh()
    point(chart, 0.5)
    assert "step 300: warm-up ends" in chart.pointer.tip_text()
    assert "step 300: loss above 1.4" in chart.pointer.tip_text()
    chart.content.set_spec(chart.content.spec.with_(marks=False))
    chart.renderer.refresh()
    point(chart, 0.51)
    point(chart, 0.5)
    assert "warm-up" not in chart.pointer.tip_text()
