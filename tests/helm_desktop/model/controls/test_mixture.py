import random
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helm_desktop.model.controls.mixture import (
    WHOLE,
    MixtureDraft,
    apportion,
    percent_text,
    shares_of,
    tenths_of,
)

NAMES = ("web", "code", "math", "books")
WEIGHTS = {"web": "0.4", "code": "0.3", "math": "0.2", "books": "0.1"}


def test_that_weights_become_tenths_of_a_percent() -> None:
    assert MixtureDraft(NAMES, WEIGHTS).tenths == (400, 300, 200, 100)
    assert MixtureDraft(("a", "b", "c"), {"a": "1", "b": 1, "c": 1.0}).tenths == (334, 333, 333)


def test_that_weights_need_not_sum_to_one() -> None:
    assert MixtureDraft(("a", "b"), {"a": "30", "b": "10"}).tenths == (750, 250)


def test_that_a_drag_changes_the_two_neighbours_only() -> None:
    draft = MixtureDraft(NAMES, WEIGHTS)
    draft.drag(0, 0.6)
    assert draft.tenths == (600, 100, 200, 100)
    draft.drag(0, 2.0)
    assert draft.tenths == (700, 0, 200, 100)
    draft.drag(1, 0.05)
    assert draft.tenths == (700, 50, 150, 100)


def test_that_a_typed_percentage_scales_the_others_that_are_free() -> None:
    draft = MixtureDraft(NAMES, WEIGHTS)
    draft.lock(3, True)
    draft.set_tenths(0, 650)
    assert draft.tenths == (650, 150, 100, 100)
    draft.set_tenths(0, 1000)
    assert draft.tenths == (900, 0, 0, 100)
    draft.set_tenths(0, 500)
    assert draft.tenths == (500, 200, 200, 100)
    draft.set_tenths(3, 0)
    assert draft.tenths == (500, 200, 200, 100)


def test_that_reset_and_even_leave_locked_components_alone() -> None:
    draft = MixtureDraft(NAMES, WEIGHTS)
    draft.drag(0, 0.5)
    draft.lock(0, True)
    draft.even()
    assert draft.tenths == (500, 167, 167, 166)
    draft.reset()
    assert draft.tenths[0] == 500
    draft.lock(0, False)
    draft.reset()
    assert draft.tenths == (400, 300, 200, 100)
    assert not draft.changed


def test_that_weights_are_written_as_short_decimals() -> None:
    draft = MixtureDraft(NAMES, WEIGHTS)
    assert draft.to_weights() == WEIGHTS
    draft.drag(0, 0.125)
    assert draft.to_weights()["web"] == "0.125"
    alone = MixtureDraft(("a", "b"), {"a": 1, "b": 0})
    assert alone.to_weights() == {"a": "1", "b": "0"}


@pytest.mark.parametrize(
    ("text", "tenths"),
    [("12.5", 125), ("12.5 %", 125), ("100", 1000), ("101", None), ("-1", None), ("x", None)],
)
def test_that_a_percentage_is_read_or_refused(text: str, tenths: int | None) -> None:
    assert tenths_of(text) == tenths


def test_that_percentages_read_tersely() -> None:
    assert [percent_text(700), percent_text(125)] == ["70%", "12.5%"]


def test_that_exact_shares_are_not_rounded() -> None:
    assert shares_of(("a", "b", "c"), {"a": 1, "b": 1, "c": 1}) == [1 / 3] * 3


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=64), st.integers(0, WHOLE))
def test_that_apportioning_loses_nothing(weights: list[int], total: int) -> None:
    shares = apportion(weights, total)
    assert sum(shares) == total
    assert min(shares) >= 0


ACTIONS = st.one_of(
    st.tuples(st.just("drag"), st.integers(0, 62), st.floats(-0.5, 1.5)),
    st.tuples(st.just("type"), st.integers(0, 63), st.integers(0, WHOLE)),
    st.tuples(st.just("lock"), st.integers(0, 63), st.booleans()),
    st.tuples(st.sampled_from(["even", "reset"]), st.just(0), st.just(0)),
)


def _act(draft: MixtureDraft, action: tuple[str, int, Any]) -> set[int]:
    """Does it; the components that it may change."""
    kind, index, value = action
    everything = set(range(len(draft.names)))
    if kind == "drag":
        index %= len(draft.names) - 1
        draft.drag(index, value)
        return {index, index + 1}
    if kind == "type":
        draft.set_tenths(index % len(draft.names), value)
        return everything
    if kind == "lock":
        draft.lock(index % len(draft.names), value)
        return set()
    (draft.even if kind == "even" else draft.reset)()
    return everything


def _does_what_was_asked(
    draft: MixtureDraft, action: tuple[str, int, Any], before: tuple[int, ...], held: set[int]
) -> None:
    """A deed that is possible is done, and not only harmless."""
    kind, index, value = action
    free = [place for place in range(len(before)) if place not in held]
    if kind == "drag":
        index %= len(before) - 1
        if not {index, index + 1} & held:
            room = before[index] + before[index + 1]
            assert draft.tenths[index] == min(max(round(value * WHOLE), 0), room)
    elif kind == "type":
        index %= len(before)
        if index not in held and len(free) > 1:
            assert draft.tenths[index] == min(value, sum(before[place] for place in free))
    elif kind == "lock":
        assert draft.is_locked(index % len(before)) == value
    elif kind == "even" and free:
        shares = [draft.tenths[place] for place in free]
        assert max(shares) - min(shares) <= 1
    elif kind == "reset" and not held:
        assert not draft.changed


@given(
    st.lists(st.integers(0, 1000), min_size=2, max_size=64).filter(any),
    st.lists(ACTIONS, max_size=40),
)
def test_that_any_sequence_keeps_the_sum_the_signs_and_the_locks(
    weights: list[int], actions: list[tuple[str, int, Any]]
) -> None:
    names = [f"c{number}" for number in range(len(weights))]
    draft = MixtureDraft(names, dict(zip(names, weights, strict=True)))
    for action in actions:
        before = draft.tenths
        held = {place for place in range(len(names)) if draft.is_locked(place)}
        may_change = _act(draft, action) - (held if action[0] != "lock" else set())
        assert sum(draft.tenths) == WHOLE
        assert min(draft.tenths) >= 0
        changed = {place for place in range(len(names)) if draft.tenths[place] != before[place]}
        assert changed <= may_change
    assert sum(Decimal(weight) for weight in draft.to_weights().values()) == 1


def test_that_ten_thousand_random_sequences_keep_every_promise() -> None:
    draw = random.Random(5)
    kinds = ("drag", "drag", "type", "lock", "even", "reset")
    for _ in range(10_000):
        count = draw.choice((2, 3, 4, 4, 8, 14)) if draw.random() < 0.97 else 64
        names = [f"c{number}" for number in range(count)]
        draft = MixtureDraft(names, {name: draw.randint(0, 50) for name in names})
        for _ in range(draw.randint(1, 5)):
            kind = draw.choice(kinds)
            value = draw.uniform(-0.2, 1.2) if kind == "drag" else draw.randint(0, WHOLE)
            action = kind, draw.randrange(count), draw.random() < 0.5 if kind == "lock" else value
            before = draft.tenths
            held = {place for place in range(count) if draft.is_locked(place)}
            may_change = _act(draft, action) - (held if kind != "lock" else set())
            assert sum(draft.tenths) == WHOLE
            assert min(draft.tenths) >= 0
            assert {place for place in range(count) if draft.tenths[place] != before[place]} <= may_change
            _does_what_was_asked(draft, action, before, held)
