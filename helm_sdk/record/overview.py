"""The overview of a process file, read in one transaction: its writer, last number, and stream figures."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from helm_sdk.protocol.messages import ProcessRecord
from helm_sdk.record.history import HistoryReader, chunk_locations
from helm_sdk.record.source import ProcessFileAccess
from helm_sdk.record.stats import StreamStats, StreamSummary, add_groups
from helm_sdk.record.tables import read_process, read_sets, read_stats, read_streams

_HOST_STREAMS = "system/"


@dataclass(frozen=True)
class Overview:
    """The overview of one process file."""

    record: ProcessRecord
    last_seq: int
    streams: tuple[StreamSummary, ...]

    @property
    def step(self) -> int | None:
        """The last step of the loop, None before the first; streams of the host have steps of their own."""
        own = [summary for summary in self.streams if not summary.stream.name.startswith(_HOST_STREAMS)]
        return max((summary.last_step for summary in own), default=None)


def read_overview(source: ProcessFileAccess) -> Overview:
    """Return the overview, with the figures of the table and the rows since."""
    with source.reading() as db:
        record, last_seq, stats_seq = read_process(db)
        table, streams = figures(db, stats_seq, last_seq), read_streams(db)
    summaries = []
    for stream in streams.values():
        stats = table.get(stream.id)
        if stats is not None and stream.kind != "axis":
            summaries.append(stats.summary(stream))
    return Overview(record, last_seq, tuple(summaries))


def figures(db: sqlite3.Connection, stats_seq: int, last_seq: int) -> dict[int, StreamStats]:
    """Return the present figures of each stream: those in the table, updated by the rows since."""
    table = read_stats(db)
    if stats_seq < last_seq:
        sets = read_sets(db)
        locations = chunk_locations(db, sets, stats_seq, last_seq)
        history = HistoryReader(sets, frozenset(), set())
        add_groups(table, history.groups(db, locations, stats_seq, last_seq))
    return table
