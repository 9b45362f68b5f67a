"""Verify names each thing that is not as it was written, and nothing else."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from helm_sdk.protocol.messages import Catalogue, Event
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.run import create_run
from helm_sdk.record.verify import verify
from helm_sdk.record.writer import ProcessWriter
from helpers.record_files import batch, defined, group, process_record, run_record


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run with two sets of streams, an event and a catalogue."""
    path = create_run(tmp_path, run_record("20261129-120000-abcdef")).path
    writer = ProcessWriter(path, process_record())
    writer.commit([batch(1, streams=defined("loss", "acc"), events=[Event(id=1, kind="note", time=1.0)])])
    for seq in range(2, 40):
        rows = group([1], [seq, seq + 100], [[0.5, 0.25]])
        writer.commit([batch(seq, rows, group([2], [seq], [[1.0]]))])
    facts = Catalogue(kind="facts", revision=1, body={"device": "cpu"})
    writer.commit([batch(40).__class__(process="rank-0", attempt=1, seq=40, catalogues=(facts,))])
    writer.close()
    return path


def _change(folder: Path, statement: str) -> None:
    with sqlite3.connect(folder / "a1-rank-0.helm") as db:
        db.execute(statement)
    db.close()


def test_that_a_whole_folder_has_no_problem(folder: Path) -> None:
    assert verify(folder) == []


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE chunks SET body = zeroblob(length(body)) WHERE set_id = 1", "bytes have changed"),
        ("UPDATE chunks SET last_seq = 12 WHERE set_id = 1", "is not cut as it says"),
        ("UPDATE chunks SET set_id = 9 WHERE set_id = 2", "unknown set of streams"),
        ("DELETE FROM chunks WHERE set_id = 2", "acc has 0 points where 38 were written"),
        ("DELETE FROM streams WHERE id = 2", "streams that are not defined"),
        ("UPDATE process SET last_seq = 20", "after the last number 20"),
        ("UPDATE events SET body = x'00'", "the note of number 1 has changed"),
        ("UPDATE catalogues SET body = x'c1'", "the facts of number 40 has changed"),
    ],
)
def test_that_each_kind_of_damage_is_named(folder: Path, statement: str, what: str) -> None:
    _change(folder, statement)
    problems = verify(folder)
    assert any(what in problem.what for problem in problems), problems
    assert {problem.file for problem in problems} == {"a1-rank-0.helm"}
    assert all(problem.advice for problem in problems)


def test_that_a_rotten_chunk_is_left_out_and_the_rest_is_read(folder: Path) -> None:
    _change(folder, "UPDATE chunks SET body = zeroblob(length(body)) WHERE set_id = 1")
    with ProcessReader(folder / "a1-rank-0.helm") as reader:
        assert len(list(reader.points("acc"))) == 38
        assert list(reader.points("loss")) == []
        assert len(reader.damaged) == 1
        assert list(reader.batches())[-1].seq == 40


def test_that_files_that_are_not_what_they_should_be_are_named(folder: Path) -> None:
    (folder / "run.json").unlink()
    (folder / "user.json").write_text("[]")
    (folder / "a2-rank-0.helm").write_bytes(b"\0" * 100)
    assert [problem.file for problem in verify(folder)] == ["run.json", "user.json", "a2-rank-0.helm"]


def test_that_a_log_that_is_still_needed_is_told_but_is_no_damage(folder: Path) -> None:
    writer = ProcessWriter(folder, process_record(attempt=2))
    problems = verify(folder)
    assert [(problem.file, problem.damage) for problem in problems] == [("a2-rank-0.helm-wal", False)]
    writer.close()
    assert verify(folder) == []
