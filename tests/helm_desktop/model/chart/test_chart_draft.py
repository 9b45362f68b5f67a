"""A chart while it is edited."""

from __future__ import annotations

import pytest

from helm_desktop.model.chart.chart_draft import ChartDraft, DraftError
from helm_desktop.model.chart.spec import ChartSpec

NAMES = [f"health/layer{n}/update_ratio" for n in (0, 2, 4, 10)] + ["loss/web", "loss/code", "train/loss"]


def draft(*series: str) -> ChartDraft:
    """Of a chart with these series."""
    return ChartDraft(ChartSpec(series=series), NAMES)


def values(of: ChartDraft) -> dict[str, list[str]]:
    """The values of each variable that are drawn."""
    return {one.name: [value.text for value in one.values if value.on] for one in of.variables()}


def test_that_a_clicked_part_becomes_a_variable_with_its_values() -> None:
    one = draft(NAMES[0])
    assert one.make_variable(0, len("health/layer")) == "layer"
    assert one.spec.series == ("health/layer{layer}/update_ratio",)
    assert values(one) == {"layer": ["0", "2", "4", "10"]}
    assert one.matches() == NAMES[:4]


def test_that_a_component_of_a_mixture_is_a_source() -> None:
    one = ChartDraft(ChartSpec(series=("loss/web",)), NAMES, ["web", "code"])
    assert one.make_variable(0, len("loss/")) == "source"
    assert values(one) == {"source": ["code", "web"]}


def test_that_names_that_the_pattern_catches_are_not_drawn_twice() -> None:
    one = draft(NAMES[0], NAMES[1], "train/loss")
    one.make_variable(0, len("health/layer"))
    assert one.spec.series == ("health/layer{layer}/update_ratio", "train/loss")


def test_that_values_are_left_out_and_come_back() -> None:
    one = draft("health/layer{layer}/update_ratio")
    one.switch_value("layer", "2", False)
    assert values(one) == {"layer": ["0", "4", "10"]}
    assert NAMES[1] not in one.matches()
    one.switch_value("layer", "2", True)
    one.switch_value("layer", "0", False)
    one.all_values()
    assert one.spec.left_out == ()
    for value in ("0", "2", "4"):
        one.switch_value("layer", value, False)
    with pytest.raises(DraftError, match="At least one value"):
        one.switch_value("layer", "10", False)


def test_that_variables_are_renamed_and_removed() -> None:
    one = draft("health/layer{layer}/update_ratio")
    one.rename_variable("layer", "depth")
    assert one.spec.series == ("health/layer{depth}/update_ratio",)
    with pytest.raises(DraftError, match="begins with a letter"):
        one.rename_variable("depth", "1 2")
    one.remove_variable("depth")
    assert one.spec.series == (NAMES[0],)
    assert one.variables() == []


def test_that_what_no_stream_fits_is_said() -> None:
    one = draft("train/loss")
    with pytest.raises(DraftError, match="No stream of this run is named nothing"):
        one.add_series("nothing")
    with pytest.raises(DraftError, match="matches gone"):
        one.add_series("gone/{x}")
    with pytest.raises(DraftError, match="already"):
        one.add_series("train/loss")
    with pytest.raises(DraftError, match="separators"):
        one.make_variable(0, len("train"))
    one.add_series("loss/{source}")
    assert one.matches() == ["train/loss", "loss/code", "loss/web"]
    with pytest.raises(DraftError):
        one.replace_series(0, "nothing")
    assert one.spec.series == ("train/loss", "loss/{source}")
    one.replace_series(0, "loss/web")
    assert one.spec.series == ("loss/web", "loss/{source}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"train/loss" -', "missing"),
        ("", "empty"),
        ("gone / 2", "No stream of this run is named gone"),
        ('"train/loss")', "not expected"),
        ("train/loss * 2", "in quotes"),
    ],
)
def test_that_an_expression_says_what_is_wrong_with_it(text: str, words: str) -> None:
    one = draft("train/loss")
    assert words in one.problem_of(text)
    with pytest.raises(DraftError):
        one.set_derived(0, text)
    assert one.spec.derived == ()


def test_that_expressions_are_added_changed_and_removed() -> None:
    one = draft("train/loss")
    one.set_derived(0, '"train/loss" - "loss/web"')
    one.set_derived(1, 'mean("train/loss", 10)')
    one.set_derived(1, 'mean("train/loss", 20)')
    assert [derived.expression for derived in one.spec.derived] == [
        '"train/loss" - "loss/web"',
        'mean("train/loss", 20)',
    ]
    one.remove_derived(0)
    assert len(one.spec.derived) == 1


def test_that_a_draft_goes_back_and_on_again() -> None:
    one = draft("train/loss")
    before = one.spec
    one.set(log_y=True)
    one.push_undo(before)
    assert one.undo()
    assert one.spec == before
    assert one.redo()
    assert one.spec.log_y
    assert not one.redo()
    with pytest.raises(DraftError, match="smoothing"):
        one.set(smoothing=1.0)
