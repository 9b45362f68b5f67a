"""Follow a run live: the newest values of its streams, its changes, checkpoints and warnings.

Ends when the run does. With --json every batch is a line of its own and no point is left out.
"""

from __future__ import annotations

import argparse
import struct
import sys
import time
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from helm_sdk._cli.output import absolute, clean, json_option, number, plain, run_argument, to_json_text
from helm_sdk._cli.show import event_in_words
from helm_sdk._cli.watch_rules import RuleWatch, load
from helm_sdk.client import BatchUpdate, FinishedUpdate, LinkUpdate, RunClient, Update
from helm_sdk.keys import Keys, KeysError, load_keys
from helm_sdk.protocol.messages import Batch, Event, PointGroup, StreamDef
from helm_sdk.record.runs import find_run

EXAMPLE = "helmctl watch latest --stream 'train/*'"
_QUIET_KINDS = ("span", "joined", "media")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    run_argument(parser)
    parser.add_argument(
        "--stream",
        action="append",
        default=[],
        metavar="PATTERN",
        help="only such streams; * stands for any text",
    )
    parser.add_argument(
        "--rules",
        nargs="?",
        type=Path,
        const=Path(),
        metavar="FILE",
        help="act by the rules of a file, else the project's",
    )
    parser.add_argument("--all", action="store_true", help="from the beginning, not from now on")
    parser.add_argument("--every", type=float, default=1.0, metavar="S", help="seconds between lines (1)")
    parser.add_argument("--timeout", type=float, metavar="S", help="stop after so many seconds")
    json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print until the run ends."""
    folder = find_run(absolute(args.home), args.run)
    ended = folder.state().ended
    rules = None
    if args.rules is not None:
        rules = load(args.rules if args.rules != Path() else None, folder.record.project)
    keys: Keys | str
    try:
        keys = load_keys()
    except KeysError as error:
        keys = str(error)
        print(f"helmctl: {error}", file=sys.stderr)
    history = args.all or ended or bool(rules)
    with RunClient(folder, keys=keys, history=history, via="helmctl") as client:
        watcher = _Watcher(args, None if rules is None else RuleWatch(rules, folder, client))
        until = None if args.timeout is None else time.monotonic() + args.timeout
        while not watcher.over(client) and (until is None or time.monotonic() < until):
            for update in client.poll(min(args.every, 0.25)):
                watcher.apply(update)
            watcher.rules_turn(client)
            watcher.flush()
        watcher.close()
        watcher.flush(last=True)
        if not args.json and client.losses.missing:
            print(
                f"{client.losses.missing} batches did not come live, {client.losses.repaired} were read again"
            )
    return 0


class _Watcher:
    """Gathers what comes and writes a line at a time."""

    def __init__(self, args: argparse.Namespace, rules: RuleWatch | None) -> None:
        self._rules = rules
        self._said_before = args.all or rules is None  # history is for the rules alone
        self._json, self._patterns, self._every = args.json, args.stream, args.every
        self._names: dict[tuple[str, int], dict[int, str]] = {}
        self._values: dict[str, float] = {}
        self._step: int | None = None
        self._written = 0.0

    def apply(self, update: Update) -> None:
        """Look at one update."""
        if self._rules is not None:
            self._rules.apply(update)
        if isinstance(update, BatchUpdate):
            if update.history and not self._said_before:
                self._learn(update.process, update.attempt, update.batch.streams)
                return
            self._batch(update.process, update.attempt, update.batch)
        elif isinstance(update, FinishedUpdate):
            self.flush(last=True)
            message = f"{update.finished.outcome}: {update.finished.message}".rstrip(": ")
            self._print("finished", message, update.process, update.finished)
        elif isinstance(update, LinkUpdate):
            if update.snapshot is not None:
                self._learn(update.process, update.snapshot.attempt, update.snapshot.streams)
            self._print("link", f"{update.state}: {update.text}", update.process, {"state": update.state})

    def over(self, client: RunClient) -> bool:
        """Return True when nothing more will come."""
        return client.over

    def rules_turn(self, client: RunClient) -> None:
        """Tell what fired."""
        for line in [] if self._rules is None else self._rules.turn(self.over(client)):
            if self._json:
                self._format("rule", "", {"text": line})
            else:
                self.flush(last=True)
                print(clean(line), flush=True)

    def close(self) -> None:
        """Start nothing more."""
        if self._rules is not None:
            self._rules.close()

    def flush(self, last: bool = False) -> None:
        """Write the newest values when it is time."""
        now = time.monotonic()
        if not self._values or (not last and now - self._written < self._every):
            return
        self._written = now
        values = "  ".join(f"{name} {number(value)}" for name, value in self._values.items())
        print(clean(f"step {self._step}  {values}"), flush=True)
        self._values.clear()

    def _batch(self, process: str, attempt: int, batch: Batch) -> None:
        names = self._learn(process, attempt, batch.streams)
        for group in batch.groups:
            self._points(process, attempt, group, names)
        for event in batch.events:
            if self._json or event.kind not in _QUIET_KINDS:
                self._event(process, attempt, event)

    def _learn(self, process: str, attempt: int, streams: Iterable[StreamDef]) -> dict[int, str]:
        """Return the names of an attempt's streams; a further x value is none of its own, but for --json."""
        names = self._names.setdefault((process, attempt), {})
        names.update((stream.id, stream.name) for stream in streams if self._json or stream.kind != "axis")
        return names

    def _points(self, process: str, attempt: int, group: PointGroup, names: dict[int, str]) -> None:
        rows = group.rows
        steps = struct.unpack(f"<{rows}q", group.steps)
        known = {index: names.get(stream, "") for index, stream in enumerate(group.streams)}
        chosen = {index: name for index, name in known.items() if name and self._matches(name)}
        columns = {
            name: struct.unpack_from(f"<{rows}d", group.values, index * rows * 8)
            for index, name in chosen.items()
        }
        if self._json:
            times = struct.unpack(f"<{rows}d", group.times)
            if columns:
                entry = {"steps": steps, "times": times, "values": columns}
                self._format("points", process, {"attempt": attempt, **entry})
        elif rows:
            self._values.update((name, column[-1]) for name, column in columns.items())
            self._step = steps[-1] if columns else self._step

    def _event(self, process: str, attempt: int, event: Event) -> None:
        if self._json:
            self._format("event", process, {"attempt": attempt, "event": event})
            return
        self.flush(last=True)
        step = "" if event.step is None else f"step {event.step}  "
        if event.kind == "command":
            body = event.body
            message = f"{body.get('capability')} {body.get('state')} {body.get('message', '')}".rstrip()
        else:
            message = f"{event.kind}: {event_in_words(event.body)}"
        print(clean(f"{step}{message}"), flush=True)

    def _print(self, kind: str, text: str, process: str, more: Any) -> None:
        if self._json:
            self._format(kind, process, {kind: more})
        elif kind == "finished" or "refused" in text or "lost" in text:
            print(clean(f"{process} {text}"), flush=True)

    def _format(self, kind: str, process: str, more: dict[str, Any]) -> None:
        print(to_json_text(plain({"kind": kind, "process": process, **more})), flush=True)

    def _matches(self, name: str) -> bool:
        return not self._patterns or any(fnmatch(name, pattern) for pattern in self._patterns)
