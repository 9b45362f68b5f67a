"""Show what a run is, what it logs, what can be changed in it, and what was."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from helm_sdk._cli.input_format import input_in_words
from helm_sdk._cli.output import (
    absolute,
    clean,
    compact,
    json_option,
    moment,
    number,
    print_json,
    print_table,
    run_argument,
    shorten,
)
from helm_sdk._cli.report import Report, ReportedEvent
from helm_sdk.policy.spec import PEOPLE
from helm_sdk.protocol.history import CommandRecord
from helm_sdk.record.runs import find_run

EXAMPLE = "helmctl show latest"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    run_argument(parser)
    json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print it."""
    report = Report(find_run(absolute(args.home), args.run))
    if args.json:
        print_json(report.as_json())
        return 0
    _head(report)
    _config(report)
    _streams(report)
    _media(report)
    _controls(report)
    _processes(report)
    _changes(report)
    for kind in ("checkpoint", "capture", "warning"):
        _events(f"{kind}s", report.of_kind(kind))
    _step_notes(report.folder.step_notes)
    return 0


def _head(report: Report) -> None:
    folder, record = report.folder, report.folder.record
    print(clean(f"{shorten(folder.name)} ({record.run_id}) in {shorten(record.project)}"))
    print(clean(f"  {report.state_text}, began {moment(record.created)} on {record.host or 'this machine'}"))
    print(clean(f"  {folder.path}"))
    if folder.tags:
        print(clean(f"  tags: {shorten(', '.join(folder.tags), 120)}"))
    if folder.notes:
        print(clean(f"  notes: {shorten(folder.notes)}"))
    if record.command:
        print(clean(f"  command: {' '.join(record.command)}"))
    if record.git is not None and record.git.commit:
        dirty = ", changed since" if record.git.dirty else ""
        print(clean(f"  git: {record.git.commit[:12]}{dirty}"))
    if report.lost_points:
        print(f"  {report.lost_points} points were lost")
    for problem in report.problems:
        print(clean(f"  {problem}"))


def _config(report: Report) -> None:
    rows = [(name, compact(value, 80)) for name, value in _flat(report.folder.record.config)]
    if rows:
        print("\nconfig")
        print_table(("NAME", "VALUE"), rows, "  ")


def _streams(report: Report) -> None:
    print(f"\nstreams ({len(report.streams)})")
    if report.streams:
        heads = ("NAME", "POINTS", "LAST STEP", "LAST", "NON-FINITE", "PROCESS")
        rows = [
            (
                line.name,
                str(line.count),
                str(line.last_step),
                number(line.last_value),
                str(line.non_finite or ""),
                line.process,
            )
            for line in report.streams
        ]
        print_table(heads, rows, "  ")


def _media(report: Report) -> None:
    if report.media:
        print(f"\nmedia ({len(report.media)})")
        rows = [
            (line.name, line.type, str(line.count), str(line.last_step), str(line.bytes), line.process)
            for line in report.media
        ]
        print_table(("NAME", "TYPE", "VALUES", "LAST STEP", "BYTES", "PROCESS"), rows, "  ")


def _controls(report: Report) -> None:
    print(f"\ncontrols ({len(report.controls)})")
    for view in report.controls:
        capability = view.capability
        print(clean(f"  {shorten(capability.name)}  {compact(view.current, 80)}"))
        where = " or ".join(capability.safe_points)
        print(clean(f"    takes {input_in_words(capability)}"))
        print(
            clean(
                f"    at {where or 'its safe point'} in {', '.join(view.processes)}, {view.revision} changes"
            )
        )
        if capability.requires_approval:
            print("    needs approval")
        if view.unavailable:
            print(clean(f"    unavailable: {view.unavailable}"))


def _processes(report: Report) -> None:
    print(f"\nprocesses ({len(report.statuses)})")
    rows = []
    for status in report.statuses:
        record = status.overview.record
        step = "" if status.overview.step is None else str(status.overview.step)
        where = f"{record.host} pid {record.pid}"
        rows.append((record.process, record.role, str(record.attempt), step, where, status.text))
    if rows:
        print_table(("NAME", "ROLE", "ATTEMPT", "STEP", "WHERE", "STATE"), rows, "  ")


def _who(change: CommandRecord) -> str:
    """Whose key it was, and through which program where that was not a person's hand."""
    via = change.began.body.via
    return f"{change.sender} via {via}" if via and via not in PEOPLE else change.sender


def _changes(report: Report) -> None:
    changes = report.history.all()
    print(f"\nchanges ({len(changes)})")
    if changes:
        print_table(("STEP", "CONTROL", "STATE", "VALUE", "BY", "REASON"), map(_change, changes), "  ")


def _change(change: CommandRecord) -> tuple[str, ...]:
    step = "" if change.step is None else str(change.step)
    state = f"{change.state}: {change.message}" if change.message else change.state
    value = compact(change.value, 60)
    return step, change.capability, state, value, _who(change), change.reason


def _events(title: str, happenings: list[ReportedEvent]) -> None:
    if happenings:
        print(f"\n{title} ({len(happenings)})")
        for found in happenings:
            step = "" if found.event.step is None else f"step {found.event.step}  "
            print(clean(f"  {moment(found.event.time)}  {step}{event_in_words(found.event.body)}"))


def _step_notes(notes: Mapping[int, str]) -> None:
    if notes:
        print(f"\nnotes on steps ({len(notes)})")
        for step, text in notes.items():
            print(clean(f"  step {step}  {shorten(text, 200)}"))


def event_in_words(body: Mapping[str, Any]) -> str:
    """Return the parts of an event that people read."""
    return ", ".join(
        f"{key} {shorten(value) if isinstance(value, str) else compact(value, 60)}"
        for key, value in body.items()
    )


def _flat(config: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in config.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value
