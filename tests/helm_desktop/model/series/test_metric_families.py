"""Names that belong together."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from helm_desktop.model.series.metric_families import families
from helm_desktop.model.series.name_patterns import matches


def test_that_layers_are_a_family_with_their_number_as_facet() -> None:
    names = ["train/loss", *(f"health/layer{n}/update_ratio" for n in (10, 2, 0)), "perf/step_time_s"]
    loss, layers, pace = families(names)
    assert (loss.pattern, loss.alone, pace.alone) == ("train/loss", True, True)
    assert layers.pattern == "health/layer{layer}/update_ratio"
    assert layers.facets == {"layer": ("0", "2", "10")}
    assert layers.label(1) == "layer 2"


def test_that_the_components_of_a_mixture_are_sources() -> None:
    names = ["data/mix/web", "data/mix/code", "eval/loss/web", "eval/loss/code", "train/loss", "train/acc"]
    found = families(names, [["web", "code", "math"]])
    assert [one.pattern for one in found] == [
        "data/mix/{source}",
        "eval/loss/{source}",
        "train/loss",
        "train/acc",
    ]
    assert found[0].label(1) == "code"


def test_that_words_that_groups_share_are_sources_unless_they_are_statistics() -> None:
    words = [f"{group}/{word}" for group in ("data/mix", "eval/loss") for word in ("web", "code", "math")]
    assert [one.pattern for one in families(words)] == ["data/mix/{source}", "eval/loss/{source}"]
    stats = [f"{group}/{word}" for group in ("grad", "act") for word in ("mean", "std", "max")]
    assert all(one.alone for one in families(stats))


def test_that_two_numbers_are_two_facets() -> None:
    (family,) = families([f"moe/layer{n}/expert{m}/load" for n in range(2) for m in range(3)])
    assert family.pattern == "moe/layer{layer}/expert{expert}/load"
    assert list(family.facets) == ["layer", "expert"]
    assert family.label(4) == "layer 1 · expert 1"


def test_that_twelve_thousand_names_are_sorted_into_families_at_once() -> None:
    names = [f"health/layer{n % 500}/m{n // 500}/x{n}" for n in range(12_345)]
    began = time.perf_counter()
    families(names)
    assert time.perf_counter() - began < 5, "no more than a guard against the quadratic"


PARTS = st.lists(
    st.sampled_from(["a", "b2", "10", "layer3", "h.4", "{x}", "loss", "0"]), min_size=1, max_size=4
)


@given(st.lists(PARTS.map("/".join), max_size=30, unique=True))
def test_that_every_name_is_in_one_family_that_its_pattern_fits(names: list[str]) -> None:
    found = families(names)
    assert sorted(name for one in found for name in one.names) == sorted(names)
    for one in found:
        assert all(len(values) == len(one.names) for values in one.facets.values())
        if not one.alone and "{x}" not in one.names[0] and "{" in one.pattern:
            assert set(one.names) <= {match.name for match in matches(one.pattern, names)}
