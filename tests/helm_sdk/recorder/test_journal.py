"""The journal: what one batch brings never stops what comes after it."""

from pathlib import Path

import pytest

from helm_sdk._recorder.journal import Journal
from helm_sdk._recorder.live import process_record
from helm_sdk.protocol.messages import Batch, Event
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.writer import ProcessWriter


def test_that_what_cannot_be_stored_is_left_out_alone_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writer = ProcessWriter(tmp_path, process_record("r", "rank-0", "trainer", 1, 0.0))
    journal = Journal(writer, "rank-0", 1, lambda action: action())
    published: list[Batch] = []
    told: list[str] = []
    for step in (1, 1 << 63, 3):
        # SQLite has no unsigned integer of 64 bits; each in a batch of its own
        journal.add([Event(id=step % 100, kind="note", time=0.0, step=step, body={"text": "x" * 60_000})])
    journal.later(lambda: told.append("answered"))
    assert journal.commit(published.append)
    assert journal.clean
    writer.close()
    with ProcessReader(writer.path) as reader:
        assert [event.step for event in reader.events()] == [1, 3]
        assert reader.last_seq == 3
    assert [len(batch.events) for batch in published] == [1, 0, 1]
    assert told == ["answered"]
    assert capsys.readouterr().err.count("left out") == 1
