"""What a process file says of itself in one short look: who wrote it, how far, and the figures."""

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
    """One process file."""

    record: ProcessRecord
    last_seq: int
    streams: tuple[StreamSummary, ...]

    @property
    def step(self) -> int | None:
        """The last step of the loop; what the host is asked every few seconds counts for itself."""
        ours = [summary for summary in self.streams if not summary.stream.name.startswith(_HOST_STREAMS)]
        return max((summary.last_step for summary in ours), default=None)


def read_overview(source: ProcessFileAccess) -> Overview:
    """Return the figures in the tables, and the few rows since."""
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
    """Return the figures of each stream as of now: those in the table, and the rows since."""
    table = read_stats(db)
    if stats_seq < last_seq:
        sets = read_sets(db)
        places = chunk_locations(db, sets, stats_seq, last_seq)
        add_groups(table, HistoryReader(sets, frozenset(), set()).groups(db, places, stats_seq, last_seq))
    return table
