"""Withdraw a change that the run has not applied yet; without an id list those that wait."""

from __future__ import annotations

import argparse

from helm_sdk._cli import decide
from helm_sdk.client import RunClient
from helm_sdk.protocol.commands import OPEN

EXAMPLE = 'helmctl cancel latest 3f2c --reason "sent by mistake"'
EPILOG = """

exit status: 0 done, 8 no answer in time, 9 unreachable, 10 too late: it is applied or over
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    decide.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Ask the run."""

    def ask(client: RunClient, command_id: str) -> list[str]:
        return client.cancel(command_id, args.reason)

    return decide.decide(args, frozenset(OPEN), ask)
