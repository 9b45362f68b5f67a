"""Read a process file, also while its writer lives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from helm_sdk.protocol.messages import Batch, Catalogue, Event, ProcessRecord, StreamDef
from helm_sdk.record.history import HistoryReader, chunk_locations, read_catalogues, read_events
from helm_sdk.record.overview import Overview, read_overview
from helm_sdk.record.packed_columns import floats, integers
from helm_sdk.record.source import ProcessFileAccess
from helm_sdk.record.stats import StreamSummary
from helm_sdk.record.tables import read_process, read_sets, read_streams

_ALL = 2**62
PAGE_BYTES = 1 << 20


class ProcessReader:
    """A reader of one process file. Each call is one short read; nothing stays open between calls.

    Raises RecordError when the file does not exist, DamagedFile when it is not one of Helm's, NewerFormat
    when a newer Helm wrote it. Chunks with a wrong checksum are left out; `damaged` has their ids.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damaged: set[int] = set()
        self._source = ProcessFileAccess(path)
        self._record, self._last_seq, _ = self._process()

    @property
    def record(self) -> ProcessRecord:
        """The process that writes the file, read again at each access."""
        self._record, self._last_seq, _ = self._process()
        return self._record

    @property
    def last_seq(self) -> int:
        """The last sequence number on disk, read again at each access."""
        self._record, self._last_seq, _ = self._process()
        return self._last_seq

    def batches(
        self, after_seq: int = 0, upto_seq: int | None = None, limit_bytes: int = PAGE_BYTES
    ) -> Iterator[Batch]:
        """Yield everything of after_seq < seq <= upto_seq in order, in batches of about `limit_bytes`.

        upto_seq None: up to the last number when the first batch is read. The batches follow without a gap
        (batch.start is one more than the seq of the batch before), up to upto_seq or the last number.
        """
        history: HistoryReader | None = None
        while True:
            with self._source.reading() as db:
                record, last_seq, _ = read_process(db)
                upto_seq = last_seq if upto_seq is None else min(upto_seq, last_seq)
                if after_seq >= upto_seq:
                    return
                sets = read_sets(db)
                axes = frozenset(s.id for s in read_streams(db).values() if s.kind == "axis")
                if history is None:
                    history = HistoryReader(sets, axes, self.damaged)
                history.sets, history.axes = sets, axes
                batch = history.batch(db, after_seq, upto_seq, limit_bytes, record.process, record.attempt)
            yield batch
            after_seq = batch.seq

    def page(self, after_seq: int, upto_seq: int, limit_bytes: int = PAGE_BYTES) -> list[Batch]:
        """Return the next batch, of about `limit_bytes` and at least one number; an empty list at the end."""
        for batch in self.batches(after_seq, upto_seq, limit_bytes):
            return [batch]
        return []

    def streams(self) -> list[StreamDef]:
        """Return the newest definition of each stream, in the order of their first definitions."""
        with self._source.reading() as db:
            return list(read_streams(db).values())

    def catalogues(self) -> dict[str, Catalogue]:
        """Return the newest catalogue of each kind."""
        with self._source.reading() as db:
            return {catalogue.kind: catalogue for catalogue in read_catalogues(db, 0, _ALL)}

    def events(self, kind: str | None = None, after_seq: int = 0, upto_seq: int | None = None) -> list[Event]:
        """Return events of after_seq < seq <= upto_seq in order, all or of one kind."""
        with self._source.reading() as db:
            return read_events(db, after_seq, _ALL if upto_seq is None else upto_seq, kind)

    def points(self, name: str) -> Iterator[tuple[int, float, float]]:
        """Yield (step, value, unix time) of each point of a stream, in the order of the log."""
        after, upto = 0, self.last_seq
        while after < upto:
            found, after = self._rows_after(name, after, upto)
            yield from found

    def summary(self) -> list[StreamSummary]:
        """Return the figures of each stream that is no axis, without reading its points."""
        return list(self.overview().streams)

    def overview(self) -> Overview:
        """Return the writer, last number and stream figures, read in one transaction."""
        return read_overview(self._source)

    def close(self) -> None:
        """Remove the private copy of the file, if one was made."""
        self._source.close()

    def __enter__(self) -> ProcessReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _process(self) -> tuple[ProcessRecord, int, int]:
        with self._source.reading() as db:
            return read_process(db)

    def _rows_after(self, name: str, after: int, upto: int) -> tuple[list[tuple[int, float, float]], int]:
        """Return rows of a stream after a sequence number, and the number up to which they reach."""
        with self._source.reading() as db:
            ids = {stream.id for stream in read_streams(db).values() if stream.name == name}
            sets = {key: streams for key, streams in read_sets(db).items() if ids.intersection(streams)}
            locations = chunk_locations(db, sets, after, upto)
            reach, rows = upto, 0
            for location in locations:
                rows += location.rows
                if rows > _ROWS_AT_ONCE:
                    reach = min(upto, location.last_seq)
                    break
            within = [location for location in locations if location.first_seq <= reach]
            groups = HistoryReader(sets, frozenset(), self.damaged).groups(db, within, after, reach)
        found: list[tuple[int, float, float]] = []
        for group in groups:
            for index, stream in enumerate(group.streams):
                if stream in ids:
                    size = group.rows * 8
                    column = floats(group.values[index * size : (index + 1) * size])
                    found += zip(integers(group.steps), column, floats(group.times), strict=True)
        return found, reach


_ROWS_AT_ONCE = 100_000
