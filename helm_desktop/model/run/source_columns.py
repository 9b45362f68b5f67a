"""The columns of the tables of sources: the text of each cell, and the key to sort by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, TypeVar

from helm_desktop.format import ago, plural, step
from helm_desktop.model.run.sources import (
    ControlSource,
    DeliveryCounts,
    ProcessSource,
    StreamSource,
    delivery_text,
)

Row = TypeVar("Row")
Key = float | str
NOT_KNOWN = "not known"


def _nothing(_: object) -> str:
    return ""


@dataclass(frozen=True)
class SourceColumn(Generic[Row]):
    """One column. Rows whose key is None (not known) are last in both sort orders."""

    title: str
    text: Callable[[Row], str]
    key: Callable[[Row], Key | None]
    sample: str  # a typical text, for the width
    figures: bool = False
    tip: Callable[[Row], str] = _nothing  # text that is too long for the cell
    searched: bool = False


def _moment(seconds: float) -> str:
    """Return a time (unix seconds) as "18 Nov 12:04:31" in the local time zone."""
    moment = datetime.fromtimestamp(seconds).astimezone()
    return f"{moment.day} {moment:%b %H:%M:%S}"


def _at(at_step: int | None, age: float | None) -> str:
    parts = [f"step {step(at_step)}"] if at_step is not None else []
    return ", ".join([*parts, *([ago(age)] if age is not None else [])])


# Streams ---------------------------------------------------------------------------------------


def _stream_tip(row: StreamSource) -> str:
    series = row.series
    unit = f", in {series.unit}" if series.unit else ""
    axis = ", an axis that charts can use" if series.kind == "axis" else ""
    return f"{row.name}{unit}{axis}"


def _spacing(row: StreamSource) -> str:
    if not row.points:
        return "no points yet"
    return row.spacing.text if row.spacing is not None else "one step so far"


def _spacing_key(row: StreamSource) -> float | None:
    return row.spacing.steps if row.spacing is not None else None


def _last_write(row: StreamSource) -> str:
    return _at(row.last_step, row.age) if row.points else "not yet"


def _last_write_tip(row: StreamSource) -> str:
    return _moment(row.last_time) if row.last_time is not None else ""


def _lost(row: StreamSource) -> str:
    most = row.lost_at_most
    if most is None:
        return NOT_KNOWN
    return f"up to {most:,}" if most else "0"


def _lost_tip(row: StreamSource) -> str:
    most = row.lost_at_most
    if most is None:
        return f"The lost points of {row.process} are not known until its history has been read"
    if not most:
        return f"{row.process} lost no point"
    why = "its disk was full or too slow"
    return f"{row.process} lost {plural(most, 'point')} ({why}). Their streams are not recorded"


def _repaired(delivery: DeliveryCounts | None) -> str:
    if delivery is None:
        return NOT_KNOWN
    if not delivery.missing:
        return "0"
    if delivery.repaired == delivery.missing:
        return plural(delivery.repaired, "batch", "batches")
    return f"{delivery.repaired:,} of {plural(delivery.missing, 'batch', 'batches')}"


def _stream_repaired(row: StreamSource) -> str:
    return _repaired(row.delivery)


def _delivery_key(row: StreamSource | ProcessSource) -> float | None:
    return row.delivery.repaired if row.delivery is not None else None


def _stream_delivery_tip(row: StreamSource) -> str:
    return delivery_text(row.delivery, row.process)


STREAMS: Final[tuple[SourceColumn[StreamSource], ...]] = (
    SourceColumn(
        "Name",
        lambda row: row.name,
        lambda row: row.name,
        "health/layer12/update_ratio",
        searched=True,
        tip=_stream_tip,
    ),
    SourceColumn("Written by", lambda row: row.process, lambda row: row.process, "rank-100", searched=True),
    SourceColumn("Spacing", _spacing, _spacing_key, "about every 100 steps"),
    SourceColumn(
        "Last write",
        _last_write,
        lambda row: row.last_time,
        "step 100,000, 10 min 30 s ago",
        tip=_last_write_tip,
    ),
    SourceColumn("Points", lambda row: f"{row.points:,}", lambda row: row.points, "1,000,000", figures=True),
    SourceColumn("Lost", _lost, lambda row: row.lost_at_most, "up to 1,000", figures=True, tip=_lost_tip),
    SourceColumn(
        "Repaired",
        _stream_repaired,
        _delivery_key,
        "10 of 12 batches",
        figures=True,
        tip=_stream_delivery_tip,
    ),
)


# Controls --------------------------------------------------------------------------------------


def _available(row: ControlSource) -> str:
    return f"no: {row.blocked}" if row.blocked else "yes"


def _change(row: ControlSource) -> str:
    if row.change_time is None:
        return "none"
    when = _at(row.change_step, row.age)
    return f"{when}: {row.change}" if row.change and when else row.change or when


CONTROLS: Final[tuple[SourceColumn[ControlSource], ...]] = (
    SourceColumn("Name", lambda row: row.name, lambda row: row.name, "set_learning_rate", searched=True),
    SourceColumn("Declared by", lambda row: row.provider, lambda row: row.provider, "trainer", searched=True),
    SourceColumn(
        "Process",
        lambda row: ", ".join(row.processes),
        lambda row: ", ".join(row.processes),
        "rank-0, rank-1",
        searched=True,
    ),
    SourceColumn(
        "Safe point",
        lambda row: ", ".join(row.safe_points) or "none named",
        lambda row: ", ".join(row.safe_points) or None,
        "before_forward",
    ),
    SourceColumn("Available", _available, _available, "no: the run has ended before", tip=_available),
    SourceColumn(
        "Last change",
        _change,
        lambda row: row.change_time,
        "step 100,000, 10 min 30 s ago: 3.00e-3",
        tip=_change,
    ),
)


# Processes -------------------------------------------------------------------------------------


def _link(row: ProcessSource) -> str:
    return row.link or NOT_KNOWN


def _link_tip(row: ProcessSource) -> str:
    return row.link_text or "The state of the connection to this process is not known yet"


def _process_delivery_tip(row: ProcessSource) -> str:
    return delivery_text(row.delivery, row.name)


def _points_lost(row: ProcessSource) -> str:
    return NOT_KNOWN if row.lost is None else f"{row.lost:,}"


def _missed(row: ProcessSource) -> str:
    return NOT_KNOWN if row.delivery is None else f"{row.delivery.missing:,}"


def _fetched(row: ProcessSource) -> str:
    return NOT_KNOWN if row.delivery is None else f"{row.delivery.repaired:,}"


PROCESSES: Final[tuple[SourceColumn[ProcessSource], ...]] = (
    SourceColumn("Name", lambda row: row.name, lambda row: row.name, "rank-100", searched=True),
    SourceColumn(
        "Role", lambda row: row.role or NOT_KNOWN, lambda row: row.role or None, "evaluator", searched=True
    ),
    SourceColumn(
        "Host",
        lambda row: row.host or NOT_KNOWN,
        lambda row: row.host or None,
        "machine-100",
        tip=lambda row: row.host,
        searched=True,
    ),
    SourceColumn("Pid", lambda row: str(row.pid), lambda row: row.pid, "1000000"),
    SourceColumn("Attempt", lambda row: str(row.attempt), lambda row: row.attempt, "10"),
    SourceColumn("State", lambda row: row.state or NOT_KNOWN, lambda row: row.state or None, "interrupted"),
    SourceColumn("Joined", lambda row: _moment(row.joined), lambda row: row.joined, "30 Nov 12:04:31"),
    SourceColumn("Link", _link, lambda row: row.link or None, "reconnecting", tip=_link_tip),
    SourceColumn("Points lost", _points_lost, lambda row: row.lost, "1,000,000", figures=True),
    SourceColumn(
        "Batches lost",
        _missed,
        lambda row: row.delivery.missing if row.delivery is not None else None,
        "10,000",
        figures=True,
        tip=_process_delivery_tip,
    ),
    SourceColumn("Repaired", _fetched, _delivery_key, "10,000", figures=True, tip=_process_delivery_tip),
)
