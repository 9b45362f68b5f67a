import pytest

from helm_desktop.model.chart.spec import DRAW_LABELS, DRAWS, ChartSpec, DerivedCurve


def test_that_a_spec_comes_back_as_it_was_kept() -> None:
    spec = ChartSpec(
        series=("health/layer{layer}/update_ratio",),
        derived=(DerivedCurve('"a" - "b"'),),
        draw="heatmap",
        x="tokens",
        smoothing=0.9,
        y_range=(0.0, 1.5),
        ranks="band",
    )
    assert ChartSpec.decode(spec.encode()) == spec
    assert ChartSpec().encode() == b"{}"


def test_that_parts_of_a_later_version_are_passed_over() -> None:
    assert ChartSpec.decode(b'{"series": ["loss"], "sparkle": 3}') == ChartSpec(series=("loss",))


def test_that_the_heading_stands_for_what_is_shown() -> None:
    assert ChartSpec(series=("a",)).heading == "a"
    assert ChartSpec(series=("a", "b", "c"), derived=(DerivedCurve("a - b"),)).heading == "a, b and 2 more"
    assert ChartSpec(series=("a",), title="Loss").heading == "Loss"


def test_that_the_header_says_what_was_made_of_the_points() -> None:
    assert ChartSpec(series=("a",)).drawing_text == ""
    assert ChartSpec(series=("a",), ranks="band").drawing_text == "mean of ranks with band"
    assert ChartSpec(series=("a",), x="tokens", ranks="max").drawing_text == "over tokens, greatest of ranks"
    assert ChartSpec(series=("a",), draw="heatmap").drawing_text == "heatmap rows"


def test_that_values_that_cannot_be_are_refused_in_words() -> None:
    with pytest.raises(ValueError, match=r"smoothing is 1\.0, it must be 0 or more and less than 1"):
        ChartSpec(smoothing=1.0)
    with pytest.raises(ValueError, match="lower end"):
        ChartSpec(y_range=(1.0, 1.0))


def test_that_every_way_to_draw_has_words() -> None:
    assert set(DRAW_LABELS) == set(DRAWS)
