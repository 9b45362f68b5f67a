"""The rules by which a board is laid out."""

import pytest

from helm_desktop.model.board.default_layout import lay_out, prefix_of


def test_that_no_stream_is_no_page() -> None:
    assert lay_out([]) == ()


def test_that_up_to_twelve_streams_are_one_section() -> None:
    names = ["health/a", "train/loss", *[f"optim/{i}" for i in range(10)]]
    (page,) = lay_out(names)
    (section,) = page.sections
    assert page.title == "Overview"
    assert sorted(section.charts) == sorted(names)
    assert section.charts[0] == "train/loss"
    assert section.text == "12 charts"


def test_that_a_small_section_is_titled_by_its_prefixes() -> None:
    assert lay_out(["train/loss"])[0].sections[0].title == "train"
    assert lay_out(["train/loss", "optim/lr"])[0].sections[0].title == "train and optim"
    assert lay_out(["train/a", "optim/b", "perf/c"])[0].sections[0].title == "train, optim and perf"
    assert lay_out(["a/1", "b/1", "c/1", "d/1"])[0].sections[0].title == "All metrics"


@pytest.mark.parametrize("count", [13, 48])
def test_that_up_to_48_streams_have_a_section_per_prefix(count: int) -> None:
    names = [f"{'abc'[i % 3]}/{i}" for i in range(count)]
    (page,) = lay_out(names)
    assert [section.title for section in page.sections] == ["a", "b", "c"]
    assert sorted(page.charts) == sorted(names)


def test_that_over_48_streams_a_large_prefix_is_a_page() -> None:
    names = [f"health/{i}" for i in range(40)] + [f"train/{i}" for i in range(12)] + ["loose", "optim/lr"]
    pages = lay_out(names)
    assert [page.title for page in pages] == ["Overview", "train", "health"]
    assert sorted(pages[0].charts) == ["loose", "optim/lr"]
    assert len(pages[2].charts) == 40


def test_that_eleven_streams_are_not_a_large_prefix() -> None:
    names = [f"big/{i}" for i in range(40)] + [f"small/{i}" for i in range(11)]
    assert [page.title for page in lay_out(names)] == ["Overview", "big"]


def test_that_the_planned_rate_is_no_chart() -> None:
    assert lay_out(["optim/lr/planned", "optim/lr/group0"])[0].charts == ("optim/lr/group0",)


def test_that_a_plain_name_has_no_prefix() -> None:
    assert prefix_of("loss") == ""
    assert prefix_of("a/b/c") == "a"


def test_that_a_further_stream_moves_no_other() -> None:
    before = lay_out(["train/loss", "optim/lr"])[0].charts
    after = lay_out(["train/loss", "optim/lr", "train/acc"])[0].charts
    assert [name for name in after if name in before] == list(before)
