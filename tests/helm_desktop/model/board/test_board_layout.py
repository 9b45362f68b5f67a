"""The layout of a board: places by rule, edits, and every one of them undone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helm_desktop.model.board import edits as edits
from helm_desktop.model.board.board_model import BoardModel
from helm_desktop.model.board.layout import BoardLayout, arranged, resolve
from helm_desktop.model.board.shown_board import BadPattern, finder, shown
from helm_desktop.model.chart.spec import ChartSpec, DerivedCurve

NAMES = tuple([f"train/m{n}" for n in range(4)] + [f"health/layer{n}/ratio" for n in range(10)] + ["loss"])
MANY = tuple([f"health/{n}" for n in range(40)] + [f"system/{n}" for n in range(12)] + ["train/loss"])


def board(names: tuple[str, ...] = NAMES) -> BoardModel:
    """The board of a run with these streams."""
    model = BoardModel()
    model.set_names(names)
    return model


def titles(model: BoardModel) -> list[tuple[str, list[str]]]:
    """Pages with the titles of their sections."""
    return [(page.title, [section.title for section in page.sections]) for page in model.shown()]


def section(model: BoardModel, title: str) -> str:
    """The id of a section."""
    return next(one.id for page in model.pages for one in page.sections if one.title == title)


def test_that_an_untouched_board_follows_the_rules_as_streams_come() -> None:
    model = board(NAMES[:12])
    assert titles(model) == [("Overview", ["train and health"])]
    model.set_names(NAMES)
    assert titles(model) == [("Overview", ["train", "loss", "health"])] or len(titles(model)[0][1]) == 3
    model.set_names(MANY)
    assert [page for page, _ in titles(model)] == ["Overview", "health", "system"]
    assert model.is_default


def test_that_charts_move_between_sections_and_pages() -> None:
    model = board(MANY)
    model.arrange(
        "move", lambda layout: edits.move_chart(layout, "system/3", section(model, "health"), "health/1")
    )
    health = next(page for page in model.pages if page.title == "health")
    assert health.charts[:3] == ("health/0", "system/3", "health/1")
    assert "system/3" not in next(page for page in model.pages if page.title == "system").charts
    model.stack.undo()
    assert model.is_default


def test_that_streams_that_come_later_join_their_prefix_and_removed_ones_stay_away() -> None:
    model = board(NAMES)
    model.arrange("remove", lambda layout: edits.remove_chart(layout, "train/m1"))
    model.arrange("rename", lambda layout: edits.rename_section(layout, section(model, "health"), "Layers"))
    model.set_names((*NAMES, "health/layer10/ratio", "eval/acc"))
    charts = {one.title: one.charts for page in model.pages for one in page.sections}
    assert charts["Layers"][-1] == "health/layer10/ratio"
    assert charts["eval"] == ("eval/acc",)
    assert "train/m1" not in charts["train"]


def test_that_a_large_prefix_that_comes_to_a_large_board_gets_a_page() -> None:
    model = board(MANY)
    model.arrange("add page", lambda layout: edits.add_page(layout, "Mine"))
    model.set_names((*MANY, *(f"grad/{n}" for n in range(12))))
    assert [page.title for page in model.pages] == ["Overview", "health", "system", "Mine", "grad"]


def test_that_a_sibling_without_the_streams_keeps_the_chart_and_does_not_draw_it() -> None:
    model = board(NAMES)
    both = ChartSpec(series=("train/m0", "train/m1"), title="Both")
    model.set_spec("train/m0", both)
    model.set_names(("train/m1", "x"))
    assert "train/m0" in model.shown()[0].charts, "one of its streams is there"
    model.set_names(("x",))
    assert model.shown()[0].charts == ("x",)
    assert model.chart("train/m0").spec == both
    model.arrange("add page", lambda layout: edits.add_page(layout, "Mine"))
    model.set_names(NAMES)
    assert model.chart("train/m0").spec == both
    assert "train/m0" in [chart for page in model.shown() for chart in page.charts]


def test_that_a_page_without_any_stream_of_the_run_is_not_shown_but_an_empty_one_is() -> None:
    model = board(MANY)
    model.arrange("add page", lambda layout: edits.add_page(layout, "Mine"))
    model.set_names(("train/loss",))
    assert [page.title for page in model.shown()] == ["Overview", "Mine"]
    model.set_names(MANY)
    assert len(model.shown()) == 4


def test_that_pinned_charts_stand_above_and_hidden_ones_are_counted() -> None:
    model = board()
    model.change("pin", lambda layout: edits.set_chart(layout, "health/layer3/ratio", pinned=True))
    model.change("hide", lambda layout: edits.set_chart(layout, "train/m0", hidden=True))
    page = model.shown()[0]
    assert (page.sections[0].title, page.sections[0].charts) == ("Pinned", ("health/layer3/ratio",))
    train = next(one for one in page.sections if one.title == "train")
    assert train.text == "3 charts, 1 hidden"
    assert "train/m0" in model.shown(hidden_too=True)[0].charts
    assert model.layout.pages is None, "neither takes the places out of the rules' hands"


def test_that_sections_merge_and_fold() -> None:
    model = board()
    first, second = (one.id for one in model.pages[0].sections[:2])
    model.arrange("merge", lambda layout: edits.merge_section(layout, second))
    assert len(model.pages[0].sections) == 2
    assert model.pages[0].sections[0].id == first
    model.change("fold", lambda layout: edits.set_folded(layout, [first], True))
    assert model.layout.folded == (first,)


def test_that_what_the_board_says_holds_for_charts_that_say_nothing() -> None:
    model = board()
    model.set_spec("loss", ChartSpec(series=("loss",), smoothing=0.5, x="wall"))
    model.change("smoothing", lambda layout: layout.with_(smoothing=0.9, x="relative"))
    assert (model.spec("loss").smoothing, model.spec("loss").x) == (0.5, "wall")
    assert (model.spec("train/m0").smoothing, model.spec("train/m0").x) == (0.9, "relative")


def test_that_a_gesture_is_undone_at_once() -> None:
    model = board()
    for weight in (0.1, 0.2, 0.3):
        model.change("smoothing", lambda layout, w=weight: layout.with_(smoothing=w), gesture=7)  # type: ignore[misc]
    assert model.stack.count() == 1
    model.stack.undo()
    assert model.layout.smoothing == 0


def test_that_an_edit_that_changes_nothing_is_none() -> None:
    model = board()
    assert not model.arrange("move", lambda layout: edits.move_chart(layout, "loss", "no such section"))
    assert not model.set_spec("loss", ChartSpec(series=("loss",)))
    assert model.stack.count() == 0


def test_that_series_are_added_once() -> None:
    model = board()
    assert model.add_series("loss", ["train/m0", "loss", "train/m0"]) == ["train/m0"]
    assert model.chart("loss").spec.series == ("loss", "train/m0")
    made = model.add_chart(ChartSpec(derived=(DerivedCurve("loss * 2"),)))
    assert made in model.shown()[0].charts


def test_that_a_search_takes_words_or_an_expression() -> None:
    find = finder("LAYER ratio")
    assert find is not None
    assert find("health/layer3/ratio")
    assert not find("health/layer3")
    pattern = finder("layer[12]/", regex=True)
    assert pattern is not None
    assert [name for name in NAMES if pattern(name)] == ["health/layer1/ratio", "health/layer2/ratio"]
    model = board()
    assert model.shown(pattern)[0].charts == ("health/layer1/ratio", "health/layer2/ratio")
    assert finder("  ") is None
    with pytest.raises(BadPattern, match="is no regular expression"):
        finder("(", regex=True)


EDITS = st.sampled_from(
    [
        "add page", "rename page", "remove page", "move page", "add section", "rename section", "merge",
        "remove section", "move section", "fold", "move", "duplicate", "remove", "resize", "hide", "pin",
        "spec", "add chart", "add series", "smoothing", "x", "reset", "undo", "redo", "streams", "sibling",
    ]
)  # fmt: skip


def late(model: BoardModel) -> set[int]:
    """Numbers that late streams have been named after."""
    return {int(name[4:].partition("/")[0]) for name in model.names if name.startswith("late")}


def perform(model: BoardModel, edit: str, pick: int) -> None:
    """One edit of a kind, on whatever `pick` chooses."""
    pages = model.pages
    page = pages[pick % len(pages)].id if pages else ""
    sections = [one.id for one_page in pages for one in one_page.sections] or [""]
    charts = [chart for one_page in pages for chart in one_page.charts] or ["gone"]
    part, chart, other = (
        sections[pick % len(sections)],
        charts[pick % len(charts)],
        charts[-pick % len(charts)],
    )
    work = {
        "add page": lambda at: edits.add_page(at, f"P{pick}"),
        "rename page": lambda at: edits.rename_page(at, page, f"Q{pick}"),
        "remove page": lambda at: edits.remove_page(at, page),
        "move page": lambda at: edits.move_page(at, page, pick % 3),
        "add section": lambda at: edits.add_section(at, page, f"S{pick}"),
        "rename section": lambda at: edits.rename_section(at, part, f"T{pick}"),
        "merge": lambda at: edits.merge_section(at, part),
        "remove section": lambda at: edits.remove_section(at, part),
        "move section": lambda at: edits.move_section(at, part, pick % 5 - 2),
        "move": lambda at: edits.move_chart(at, chart, part, other),
        "duplicate": lambda at: edits.duplicate_chart(at, chart),
        "remove": lambda at: edits.remove_chart(at, chart),
    }
    change = {
        "fold": lambda at: edits.set_folded(at, [part], pick % 2 == 0),
        "resize": lambda at: edits.resize_chart(at, chart, pick % 9, pick % 7),
        "hide": lambda at: edits.set_chart(at, chart, hidden=not at.chart(chart).hidden),
        "pin": lambda at: edits.set_chart(at, chart, pinned=not at.chart(chart).pinned),
        "smoothing": lambda at: at.with_(smoothing=pick / 100),
        "x": lambda at: at.with_(x=("step", "wall", "relative")[pick % 3]),
    }
    if edit in work:
        model.arrange(edit, work[edit])
    elif edit in change:
        model.change(edit, change[edit])
    elif edit == "spec":
        model.set_spec(chart, ChartSpec(series=(chart,), title=f"t{pick}"))
    elif edit == "add chart":
        model.add_chart(ChartSpec(series=("loss",)), part)
    elif edit == "add series":
        model.add_series(chart, [NAMES[pick % len(NAMES)]])
    elif edit == "streams":
        model.set_names((*model.names, *(f"late{pick}/{n}" for n in range(pick) if pick not in late(model))))
    elif edit == "sibling":
        model.set_names(NAMES[pick % 9 :] if pick % 2 else MANY)
    elif edit == "reset":
        model.reset()
    else:
        getattr(model.stack, edit)()


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(EDITS, st.integers(0, 60)), max_size=25))
def test_that_any_sequence_of_edits_undone_gives_the_layout_before(sequence: list[tuple[str, int]]) -> None:
    model = board()
    before = model.layout
    for edit, pick in sequence:
        perform(model, edit, pick)
        everything = [chart for page in model.pages for chart in page.charts]
        assert len(everything) == len(set(everything)), "a chart stands in one place"
        gone = set(model.layout.placed) if model.layout.pages is not None else set()
        assert set(model.names) <= set(everything) | gone, "every stream has had its place"
        ids = [one.id for page in model.pages for one in page.sections]
        assert len(ids) == len(set(ids))
        shown(model.pages, model.layout, model.names)
    after = model.layout
    while model.stack.canUndo():
        model.stack.undo()
    assert model.layout == before
    while model.stack.canRedo():
        model.stack.redo()
    if sequence and all(edit not in ("undo", "redo") for edit, _ in sequence):
        assert model.layout == after


def test_that_new_streams_of_an_arranged_board_are_placed_alike_each_time() -> None:
    layout = arranged(BoardLayout(), NAMES)
    later = (*NAMES, "new/a", "train/z")
    assert resolve(layout, later) == resolve(layout, later)
    again = arranged(layout, later)
    assert again.pages == resolve(layout, later)
    assert resolve(again, later) == again.pages
