"""List runs, the newest first."""

from __future__ import annotations

import argparse

from helm_sdk._cli.output import absolute, json_option, moment, number, print_json, print_table
from helm_sdk.protocol.peer import RunState
from helm_sdk.record.runs import list_runs

EXAMPLE = "helmctl runs --state live"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    parser.add_argument("--project", metavar="P", help="only this project")
    parser.add_argument(
        "--state", choices=[state.value for state in RunState], help="only runs in this state"
    )
    parser.add_argument(
        "--metric", metavar="NAME", help="the stream whose last value is shown (else the loss)"
    )
    parser.add_argument("--archived", action="store_true", help="show archived runs too")
    json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print them."""
    runs = [
        run
        for run in list_runs(absolute(args.home), args.project, args.metric)
        if args.state in (None, run.state.value) and (args.archived or not run.archived)
    ]
    if args.json:
        print_json(runs)
        return 0
    if not runs:
        print("no runs")
        return 0
    heads = ("STATE", "NAME", "PROJECT", "STEP", "LAST", "BEGAN", "ID")
    rows = []
    for found in runs:
        step = "" if found.step is None else str(found.step)
        last = f"{found.metric} {number(found.value)}" if found.metric else ""
        rows.append(
            (found.state.value, found.name, found.project, step, last, moment(found.created), found.run_id)
        )
    print_table(heads, rows)
    return 0
