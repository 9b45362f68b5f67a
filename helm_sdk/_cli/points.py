"""Print every point of a stream exactly, in the order of the log.

Values and times are written so that reading them back gives the very same number; what is not finite is
nan, inf or -inf. Attempts follow each other, and processes within them. Exits with 1 when a part of the
run could not be read; what could be is printed all the same.
"""

from __future__ import annotations

import argparse
import csv
import difflib
import math
import sys
from collections.abc import Iterator
from contextlib import ExitStack

from helm_sdk._cli.output import (
    UsageMistake,
    absolute,
    clean,
    json_option,
    open_readers,
    plain,
    run_argument,
    to_json_text,
)
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.runs import find_run

EXAMPLE = "helmctl points latest train/loss --csv > loss.csv"

Row = tuple[int, float, float, int, str]
_HEADS = ("step", "value", "time", "attempt", "process")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    run_argument(parser)
    parser.add_argument("name", metavar="NAME", help="the stream's name, as helmctl show lists it")
    parser.add_argument("--process", metavar="P", help="only of this process")
    parser.add_argument("--attempt", type=int, metavar="N", help="only of this attempt")
    parser.add_argument("--csv", action="store_true", help="step,value,time,attempt,process with a header")
    json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print them as they are read."""
    folder = find_run(absolute(args.home), args.run)
    with ExitStack() as stack:
        readers, unread = open_readers(folder)
        for reader in readers:
            stack.enter_context(reader)
        names = {stream.name for reader in readers for stream in reader.streams()}
        if args.name not in names:
            raise UsageMistake(f"{folder.name} has no stream {args.name}{_nearest(args.name, names)}")
        rows = _rows(readers, args)
        if args.json:
            _print_json(rows)
        elif args.csv:
            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow(_HEADS)
            writer.writerows((step, text(value), text(time), *rest) for step, value, time, *rest in rows)
        else:
            for step, value, _, attempt, process in rows:
                print(f"{step:>10}  {text(value):<24} {process} attempt {attempt}")
        unread += [
            f"{reader.path.name}: {len(reader.damaged)} damaged chunks were left out, see helmctl verify"
            for reader in readers
            if reader.damaged
        ]
    for problem in unread:
        print(clean(f"helmctl: {problem}"), file=sys.stderr)
    return int(bool(unread))


def text(value: float) -> str:
    """Return a float so that reading it gives the same one."""
    return repr(value)


def _rows(readers: list[ProcessReader], args: argparse.Namespace) -> Iterator[Row]:
    for reader in readers:
        record = reader.record
        if args.process in (None, record.process) and args.attempt in (None, record.attempt):
            for step, value, time in reader.points(args.name):
                yield step, value, time, record.attempt, record.process


def _print_json(rows: Iterator[Row]) -> None:
    sys.stdout.write("[")
    for number, row in enumerate(rows):
        entry = dict(zip(_HEADS, row, strict=True))
        exact = entry if math.isfinite(row[1]) else plain(entry)
        sys.stdout.write(("," if number else "") + "\n" + to_json_text(exact))
    sys.stdout.write("\n]\n")


def _nearest(name: str, names: set[str]) -> str:
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        return f"; did you mean {', '.join(near)}?"
    return f"; it has {', '.join(sorted(names)[:8])}" if names else "; it has logged nothing yet"
