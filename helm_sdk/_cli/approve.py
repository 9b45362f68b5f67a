"""Approve or refuse a change that waits for it; without an id list those that do."""

from __future__ import annotations

import argparse

from helm_sdk._cli import decide
from helm_sdk._cli.output import UsageMistake
from helm_sdk.client import RunClient
from helm_sdk.protocol.commands import AWAITING_APPROVAL

EXAMPLE = 'helmctl approve latest 3f2c --refuse --reason "wait for the evaluation"'
EPILOG = """

exit status: 0 done, 8 no answer in time, 9 unreachable, 10 the run would not take it (another key has to)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    decide.add_arguments(parser)
    parser.add_argument("--refuse", action="store_true", help="refuse it instead")


def run(args: argparse.Namespace) -> int:
    """Ask the run."""
    if args.refuse and args.id is None:
        raise UsageMistake("say which: helmctl approve RUN ID --refuse")

    def ask(client: RunClient, command_id: str) -> list[str]:
        return client.approve(command_id, not args.refuse, args.reason)

    return decide.decide(args, frozenset({AWAITING_APPROVAL}), ask)
