"""Two edits of one board joined: nothing of either is lost, and undo takes back one's own."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helm_desktop.model.board import edits as edits
from helm_desktop.model.board.board_model import BoardModel
from helm_desktop.model.board.layout import BoardLayout, arranged
from helm_desktop.model.board.merge import merged
from helm_desktop.model.chart.spec import ChartSpec

NAMES = tuple(f"{prefix}/m{number}" for prefix in ("train", "eval", "optim") for number in range(5))
BASE = arranged(BoardLayout(), NAMES)
Steps = list[tuple[int, int, int]]
EDITS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 40), st.integers(0, 40)), max_size=6)


def edited(layout: BoardLayout, steps: Steps, mark: str) -> BoardLayout:
    """A reader's edits: the numbers choose what is done to what."""
    for kind, one, other in steps:
        if homes(layout):
            layout = done(layout, kind, one, other, mark)
    return layout


def done(layout: BoardLayout, kind: int, one: int, other: int, mark: str) -> BoardLayout:
    """One edit."""
    pages = layout.pages or ()
    sections = [section for page in pages for section in page.sections]
    charts = list(homes(layout))
    page, section = pages[one % len(pages)], sections[other % len(sections)]
    chart = charts[one % len(charts)]
    match kind:
        case 0:
            return edits.move_chart(layout, chart, section.id, "")
        case 1:
            return edits.remove_chart(layout, chart)
        case 2:
            return edits.add_chart(layout, ChartSpec(series=("a",), title=mark), section.id)
        case 3:
            return edits.resize_chart(layout, chart, 1 + one % 6, 1 + other % 4)
        case 4:
            return edits.rename_page(layout, page.id, f"{mark} {other}")
        case 5:
            return edits.add_page(layout, mark)
        case 6:
            return edits.set_folded(layout, [section.id], bool(one % 2))
        case 7:
            return layout.with_(smoothing=one / 100)
        case _:
            return edits.merge_section(layout, section.id)


def homes(layout: BoardLayout) -> Counter[str]:
    """How often each chart stands on the board."""
    return Counter(chart for page in layout.pages or () for chart in page.charts)


@given(st.sampled_from([BASE, BoardLayout()]), EDITS, EDITS)
def test_that_no_chart_is_lost_or_doubled(base: BoardLayout, here: Steps, there: Steps) -> None:
    mine, theirs = edited(BASE, here, "mine"), edited(BASE, there, "theirs")
    both = merged(base, mine, theirs)
    before, own, other, found = homes(BASE), homes(mine), homes(theirs), homes(both)
    for chart in {*own, *other}:
        away = chart in before and (chart not in own or chart not in other)
        assert found[chart] == (0 if away else 1), chart
    assert not set(found) - {*own, *other}


@given(EDITS, EDITS)
def test_that_undo_brings_a_chart_back_that_was_taken_away_here(here: Steps, there: Steps) -> None:
    model = BoardModel()
    model.open("p", BoardLayout())
    model.set_names(NAMES)
    if not model.arrange("edit", lambda layout: edited(layout, here, "mine")):
        return
    base = model.layout
    model.rebase(base, edited(base, there, "theirs"))
    now = Counter(chart for page in model.pages for chart in page.charts)
    model.stack.undo()
    after = Counter(chart for page in model.pages for chart in page.charts)
    assert set(after.values()) <= {1}
    own, other = homes(base), homes(edited(base, there, "theirs"))
    for name in NAMES:
        assert (name in after) == (name not in own or name in other), name
    model.stack.redo()
    assert Counter(chart for page in model.pages for chart in page.charts) == now


@given(EDITS)
def test_that_one_sided_edits_are_taken_as_they_are(steps: Steps) -> None:
    after = edited(BASE, steps, "mine")
    assert merged(BASE, after, BASE) == after
    assert merged(BASE, BASE, after) == after
    assert merged(BASE, after, after) == after


def test_that_edits_of_different_things_are_both_there() -> None:
    first, second = (page for page in edits.add_page(BASE, "More").pages or ())
    base = BASE.with_(pages=(first, second))
    mine = edits.rename_page(base, first.id, "Mine").with_(smoothing=0.5)
    theirs = edits.resize_chart(edits.rename_page(base, second.id, "Theirs"), "train/m0", 3, 2).with_(
        x="wall"
    )
    both = merged(base, mine, theirs)
    assert [page.title for page in both.pages or ()] == ["Mine", "Theirs"]
    assert (both.smoothing, both.x, both.charts["train/m0"].columns) == (0.5, "wall", 3)
    own = edits.resize_chart(mine, "train/m0", 2, 2)
    assert merged(base, own, theirs).charts["train/m0"].columns == 2, "of the same thing, mine"


@pytest.mark.parametrize("theirs", [BoardLayout(smoothing=0.9), BoardLayout(x="wall", smoothing=0.5)])
def test_that_undo_takes_back_what_was_done_here_alone(theirs: BoardLayout) -> None:
    model = BoardModel()
    model.open("p", BoardLayout())
    model.set_names(NAMES)
    model.change("smoothing", lambda layout: layout.with_(smoothing=0.5))
    model.change("resize", lambda layout: edits.resize_chart(layout, "train/m0", 3, 1))
    base = model.layout
    changed: list[bool] = []
    model.edited.connect(lambda: changed.append(True))
    model.rebase(base, base.with_(x=theirs.x, smoothing=theirs.smoothing))
    assert not changed, "what another window did is not written again"
    assert (model.layout.x, model.layout.smoothing) == (theirs.x, theirs.smoothing)
    model.stack.undo()
    assert "train/m0" not in model.layout.charts
    assert (model.layout.x, model.layout.smoothing) == (theirs.x, theirs.smoothing)
    model.stack.undo()
    assert (model.layout.x, model.layout.smoothing) == (theirs.x, 0.0)
    model.stack.redo()
    model.stack.redo()
    assert (model.layout.x, model.layout.smoothing) == (theirs.x, theirs.smoothing)
    assert model.layout.charts["train/m0"].columns == 3
