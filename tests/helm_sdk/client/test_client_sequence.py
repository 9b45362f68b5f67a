"""Whatever is lost, repeated or late: each number once and in order."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from helm_sdk._client.sequence import BatchSequence
from helm_sdk.protocol.messages import Batch


def _batch(first: int, last: int | None = None) -> Batch:
    return Batch(process="rank-0", attempt=1, seq=last or first, first=first if last else 0)


def _joined(batches: list[Batch], have: int = 0) -> int:
    for batch in batches:
        assert batch.start == have + 1
        have = batch.seq
    return have


@settings(max_examples=300, deadline=None)
@given(
    script=st.lists(
        st.one_of(
            st.tuples(st.sampled_from(["live", "lose"]), st.integers(1, 5)),
            st.tuples(st.just("history"), st.integers(1, 7)),
            st.tuples(st.sampled_from(["heartbeat", "repeat"]), st.just(1)),
        ),
        max_size=60,
    ),
    bound=st.sampled_from([0, 250, 100_000]),
)
def test_that_any_story_delivers_each_number_once_in_order(script: list[tuple[str, int]], bound: int) -> None:
    line = BatchSequence("rank-0", 1, buffer_bytes=bound)
    written, out = 0, []
    for what, count in script:
        if what in ("live", "lose"):
            for _ in range(count):
                written += 1
                out += line.live(_batch(written), 100) if what == "live" else []
        elif what == "heartbeat":
            line.on_last_number(written)
        elif what == "repeat" and written:
            out += line.live(_batch(written), 100)
        elif what == "history" and line.behind:
            after, upto = line.missing_range
            out += line.history(_batch(after + 1, min(upto, after + count)))
        assert line.buffered_bytes <= bound
    line.on_last_number(written)
    while line.behind:
        after, upto = line.missing_range
        out += line.history(_batch(after + 1, upto))

    assert _joined(out) == line.have == written
    assert line.losses.repaired == line.losses.missing


def test_that_history_of_a_run_is_no_loss() -> None:
    line = BatchSequence("rank-0", 1)
    line.exists(100)

    assert line.live(_batch(101), 10) == []
    assert _joined(line.history(_batch(1, 100))) == 101
    assert line.losses.gaps == 0


def test_that_a_far_number_does_not_hold_up_what_comes_in_order() -> None:
    line = BatchSequence("rank-0", 1)
    line.live(_batch(2**50), 10)

    assert [batch.seq for batch in line.live(_batch(1), 10)] == [1]
    assert [batch.seq for batch in line.live(_batch(2), 10)] == [2]
    assert line.behind


def test_that_giving_up_goes_on_with_what_is_there() -> None:
    line = BatchSequence("rank-0", 1)
    line.live(_batch(1), 10)
    line.live(_batch(5), 10)

    assert [batch.seq for batch in line.skip_missing()] == [5]
    assert not line.behind
    assert (line.losses.missing, line.losses.repaired) == (3, 0)


def test_that_skipping_leaves_out_only_what_was_before() -> None:
    line = BatchSequence("rank-0", 1)
    line.live(_batch(8), 10)
    line.live(_batch(9), 10)

    assert [batch.seq for batch in line.skip(8)] == [9]


def test_that_many_holes_are_counted_without_growing() -> None:
    line = BatchSequence("rank-0", 1)
    for seq in range(2, 8000, 2):
        line.live(_batch(seq), 10)
    line.history(_batch(1, 8000))

    assert line.losses.missing == line.losses.repaired == 3998
