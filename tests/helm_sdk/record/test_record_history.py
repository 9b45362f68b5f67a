"""What comes back is what was written: every bit, in order, cut anywhere, before and after merging."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from helm_sdk.protocol.messages import Batch, Catalogue, Event, StreamDef
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.writer import ProcessWriter
from helpers.record_files import batch, defined, group, nan_with_payload, process_record, rows_of

NUMBERS = st.one_of(
    st.sampled_from([0.0, -0.0, float("inf"), float("-inf"), nan_with_payload(7), nan_with_payload(0xBEEF)]),
    st.floats(),
)
SETS = ((1,), (2,), (1, 2), (2, 3), (3,), (1, 2, 3))


@st.composite
def runs(draw: st.DrawFn) -> list[Batch]:
    """A few batches whose groups share streams and cross."""
    found = [batch(1, streams=defined("loss", "acc", "a b/ü"))]
    for seq in range(2, draw(st.integers(3, 14))):
        groups = []
        for _ in range(draw(st.integers(0, 4))):
            streams = draw(st.sampled_from(SETS))
            rows = draw(st.integers(1, 3))
            steps = draw(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=rows, max_size=rows))
            columns = [draw(st.lists(NUMBERS, min_size=rows, max_size=rows)) for _ in streams]
            groups.append(group(streams, steps, columns))
        events = [Event(id=seq, kind="note", time=float(seq), body={"n": seq})] if draw(st.booleans()) else []
        found.append(batch(seq, *groups, events=events))
    return found


def _commit_in(writer: ProcessWriter, batches: Sequence[Batch], sizes: Sequence[int]) -> None:
    at = 0
    for size in sizes:
        writer.commit(batches[at : at + size])
        at += size
    writer.commit(batches[at:])


def _check_everything(path: Path, batches: Sequence[Batch], cut: int, limit: int) -> None:
    last = batches[-1].seq
    with ProcessReader(path) as reader:
        for bounds in ((0, last), (0, cut), (cut, last)):
            back = list(reader.batches(*bounds, limit))
            wanted = [each for each in batches if bounds[0] < each.seq <= bounds[1]]
            assert rows_of(back) == rows_of(wanted)
            assert [event for each in back for event in each.events] == [
                event for each in wanted for event in each.events
            ]
            assert [each.start for each in back] == [bounds[0] + 1, *(each.seq + 1 for each in back[:-1])][
                : len(back)
            ]
            if wanted:
                assert back[-1].seq == bounds[1]


@settings(deadline=None, max_examples=40)
@given(runs(), st.lists(st.integers(1, 4), max_size=4), st.data())
def test_that_any_cut_gives_the_same_points_before_and_after_merging(
    batches: list[Batch], sizes: list[int], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, batches[-1].seq))
    limit = data.draw(st.sampled_from([1, 100, 1 << 20]))
    with tempfile.TemporaryDirectory() as name:
        writer = ProcessWriter(Path(name), process_record())
        try:
            _commit_in(writer, batches, sizes)
            _check_everything(writer.path, batches, cut, limit)
            while writer.merge_slice(final=True):
                pass
            _check_everything(writer.path, batches, cut, limit)
        finally:
            writer.close()
        _check_everything(writer.path, batches, cut, limit)


def test_that_merging_keeps_the_order_of_a_stream_that_is_in_two_sets(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    writer.commit([batch(1, streams=defined("loss", "acc"))])
    for step in range(200):
        one = group([1], [step], [[float(step)]])
        two = group([1, 2], [step], [[step + 0.5], [0.1]])
        writer.commit([batch(step + 2, one, two)])
        writer.merge_slice()
    writer.close()
    with ProcessReader(writer.path) as reader:
        values = [value for _, value, _ in reader.points("loss")]
    assert values == [step + half for step in range(200) for half in (0.0, 0.5)]


def test_that_merging_leaves_few_and_full_chunks(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    writer.commit([batch(1, streams=defined("loss"))])
    for seq in range(2, 1002):
        writer.commit([batch(seq, group([1], list(range(seq * 8, seq * 8 + 8)), [[1.0] * 8]))])
        writer.merge_slice()
    assert not writer.merge_slice()
    count = writer._db.execute("SELECT count(*) FROM chunks").fetchone()[0]
    assert count < 64
    writer.close()
    with ProcessReader(writer.path) as reader:
        assert len(next(reader.batches()).groups) <= 3
        assert reader.summary()[0].count == 8000


def test_that_bytes_per_point_stay_under_twelve_in_grouped_series(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    streams = list(range(1, 101))
    writer.commit([batch(1, streams=[StreamDef(id=number, name=f"s{number}") for number in streams])])
    for seq in range(2, 402):
        steps = list(range(seq * 10, seq * 10 + 10))
        writer.commit([batch(seq, group(streams, steps, [[number / 7.0] * 10 for number in streams]))])
        writer.merge_slice()
    writer.close()
    assert writer.path.stat().st_size / (400 * 10 * 100) < 9


def test_that_a_page_reaches_as_far_as_its_limit_and_never_stands_still(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    writer.commit([batch(1, streams=defined("loss"))])
    writer.commit([batch(seq, group([1], list(range(100)), [[0.5] * 100])) for seq in range(2, 102)])
    writer.close()
    with ProcessReader(writer.path) as reader:
        after, pages = 0, 0
        while page := reader.page(after, 101, 10_000):
            assert sum(len(g.values) * 3 for each in page for g in each.groups) <= 10_000
            after, pages = page[-1].seq, pages + 1
        assert after == 101
        assert pages > 20
        assert reader.page(101, 500) == []
        assert reader.page(50, 60, 1)[0].seq == 51


def test_that_only_the_newest_catalogue_is_kept_and_comes_at_its_number(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    for seq, revision in ((1, 1), (2, 2), (3, 3)):
        plan = Catalogue(kind="plan", revision=revision, body={"step": 600 + revision, "curves": []})
        writer.commit([Batch(process="rank-0", attempt=1, seq=seq, catalogues=(plan,))])
    with ProcessReader(writer.path) as reader:
        assert reader.catalogues()["plan"].body["step"] == 603
        assert [c for each in reader.batches(0, 2) for c in each.catalogues] == []
        assert [c.revision for each in reader.batches(2) for c in each.catalogues] == [3]
    writer.close()


def test_that_a_stream_defined_again_keeps_its_newest_definition(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    writer.commit([batch(1, streams=defined("my.loss", "my_loss"))])
    writer.commit([batch(2, streams=[StreamDef(id=1, name="my.loss", unit="nats", better="lower")])])
    with ProcessReader(writer.path) as reader:
        assert [(each.name, each.unit) for each in reader.streams()] == [("my.loss", "nats"), ("my_loss", "")]
        assert [len(each.streams) for each in reader.batches(0, 2, 1)] == [2, 1]
    writer.close()


def test_that_events_are_given_by_kind(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path, process_record())
    events = [
        Event(id=1, kind="note", time=1.0, step=3, body={"text": "a\x00b", "n": float("nan")}),
        Event(id=2, kind="checkpoint", time=2.0, body={"bytes": 2**60, "raw": b"\x00\xff"}),
    ]
    writer.commit([batch(1, events=events)], durable=True)
    with ProcessReader(writer.path) as reader:
        assert [event.id for event in reader.events()] == [1, 2]
        assert reader.events("checkpoint") == [events[1]]
        assert reader.events("note")[0].body["text"] == "a\x00b"
    writer.close()
