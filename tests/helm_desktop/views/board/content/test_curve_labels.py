"""How many curves a chart has, of what, and what each is called."""

import numpy as np
import pytest

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series.series_model import Series
from helm_desktop.views.board.content.content import ChartContent

EXPERTS = "moe/layer{layer}/expert{expert}/load"


def logged(name: str, *processes: str) -> Series:
    """A point by each of these processes."""
    series = Series(name)
    for process in processes or ("rank-0",):
        series.append(process, 1, np.array([1]), np.array([1.0]), np.array([0.5]))
    return series


def content(spec: ChartSpec, *series: Series) -> ChartContent:
    """What a chart of them shows."""
    made = ChartContent()
    made.set_spec(spec, {one.name: one for one in series})
    made.refresh()
    return made


def layers(*processes: str) -> list[Series]:
    """Three layers' streams."""
    return [logged(f"health/layer{layer}/ratio", *processes) for layer in (0, 2, 10)]


@pytest.mark.parametrize(
    ("series", "pattern", "said"),
    [
        (layers(), "health/layer{layer}/ratio", "3 layers"),
        (layers("rank-0", "rank-1"), "health/layer{layer}/ratio", "3 layers × 2 ranks"),
        ([logged("loss", "rank-0", "rank-1")], "loss", "2 ranks"),
        ([logged("loss", "rank-0", "eval")], "loss", "2 processes"),
        (
            [logged(f"moe/layer{a}/expert{b}/load") for a in (0, 1) for b in (0, 1, 2)],
            EXPERTS,
            "2 layers × 3 experts",
        ),
        ([logged("eval/web"), logged("eval/code")], "eval/{entry}", "2 entries"),
    ],
)
def test_that_the_header_says_how_many_of_what(series: list[Series], pattern: str, said: str) -> None:
    assert content(ChartSpec(series=(pattern,)), *series).curves.summary() == said


def test_that_series_without_a_variable_are_counted_as_series() -> None:
    both = content(ChartSpec(series=("train/loss", "eval/loss")), logged("train/loss"), logged("eval/loss"))
    assert both.curves.summary() == "2 series"
    assert [strand.name for strand in both.curves.all()] == ["train/loss", "eval/loss"]


def test_that_a_number_is_told_with_its_variable_and_a_word_alone() -> None:
    numbered = content(ChartSpec(series=("health/layer{layer}/ratio",)), *layers())
    assert [strand.name for strand in numbered.curves.all()] == ["layer 0", "layer 2", "layer 10"]
    spelled = content(ChartSpec(series=("eval/{source}",)), logged("eval/web"), logged("eval/code"))
    assert [strand.name for strand in spelled.curves.all()] == ["code", "web"]
    mixed = content(
        ChartSpec(series=(EXPERTS,)), logged("moe/layer0/expert7/load"), logged("moe/layer1/expert7/load")
    )
    assert [strand.name for strand in mixed.curves.all()] == ["layer 0 · expert 7", "layer 1 · expert 7"]


def test_that_names_drop_what_all_begin_with_where_no_variable_tells_them_apart() -> None:
    names = ("optim/lr/muon", "optim/lr/adamw")
    made = content(ChartSpec(series=names), *(logged(name) for name in names))
    assert [strand.name for strand in made.curves.all()] == ["muon", "adamw"]
