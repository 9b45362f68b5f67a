"""Check that a run folder is whole: every file opens, every checksum fits, nothing is missing.

Exits with 1 when something is damaged.
"""

from __future__ import annotations

import argparse

from helm_sdk._cli.output import absolute, clean, json_option, print_json, run_argument
from helm_sdk.record.recover import recover
from helm_sdk.record.run import RunFolder
from helm_sdk.record.runs import find_run
from helm_sdk.record.verify import verify

EXAMPLE = "helmctl verify latest"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    run_argument(parser)
    json_option(parser)
    parser.add_argument(
        "--recover",
        action="store_true",
        help="first put points that still wait in a file beside the run in their place",
    )


def run(args: argparse.Namespace) -> int:
    """Print each problem with what to do about it."""
    folder = find_run(absolute(args.home), args.run)
    points = _recovered(folder) if args.recover else 0
    problems = verify(folder.path)
    damaged = any(problem.damage for problem in problems)
    if args.json:
        print_json({"run_id": folder.run_id, "whole": not damaged, "problems": problems, "recovered": points})
        return int(damaged)
    if args.recover:
        print(f"{points:,} points were put in their place" if points else "no points were waiting")
    for problem in problems:
        word = "damaged" if problem.damage else "note"
        print(clean(f"{word}: {problem.file}: {problem.what} ({problem.advice})"))
    if not damaged:
        print(f"{folder.run_id} is whole")
    return int(damaged)


def _recovered(folder: RunFolder) -> int:
    return sum(recover(file.path) for file in folder.process_files())
