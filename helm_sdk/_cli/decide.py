"""What helmctl approve and helmctl cancel share: find the command, ask the run, tell its answer."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from helm_sdk._cli.output import (
    UsageMistake,
    absolute,
    clean,
    compact,
    json_option,
    print_json,
    print_table,
    shorten,
)
from helm_sdk._cli.report import change_as_json
from helm_sdk._cli.send import EXIT
from helm_sdk.client import AnswerUpdate, RefusalUpdate, RunClient
from helm_sdk.keys import load_keys
from helm_sdk.protocol.history import CommandHistory, CommandRecord
from helm_sdk.record.run import RunFolder
from helm_sdk.record.runs import find_run

Ask = Callable[[RunClient, str], list[str]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN, ID and how long to wait."""
    parser.add_argument("run", metavar="RUN", help="id, the beginning of one, name, path, or latest")
    parser.add_argument(
        "id", metavar="ID", nargs="?", help="the command's id or its beginning; without: list"
    )
    parser.add_argument("--reason", default="", metavar="T", help="why; it is kept with the command")
    parser.add_argument("--timeout", type=float, default=15.0, metavar="S", help="how long at most (15)")
    json_option(parser)


def decide(args: argparse.Namespace, states: frozenset[str], ask: Ask) -> int:
    """Ask the run about the one command that is meant; without an id list those in one of `states`."""
    folder = find_run(absolute(args.home), args.run)
    waiting = [record for record in _history(folder).open() if record.state in states]
    if args.id is None:
        _list(args, waiting)
        return 0
    command_id = _meant(args.id, waiting)
    state, message = _answer(folder, command_id, args.timeout, ask)
    if args.json:
        print_json({"id": command_id, "state": state, "message": message})
    else:
        print(clean(f"{state}: {message}" if message else state))
    return EXIT[state] if state in ("refused", "unreachable", "timeout") else 0


def _answer(folder: RunFolder, command_id: str, timeout: float, ask: Ask) -> tuple[str, str]:
    """Return the state that the run says the command has now, and its sentence."""
    refused = ""
    with RunClient(folder, keys=load_keys(), history=False, via="helmctl") as client:
        if not client.alive:
            return "unreachable", f"{folder.name} takes no requests: {folder.state_text()}"
        open_requests = set(ask(client, command_id))
        until = time.monotonic() + timeout
        while open_requests and time.monotonic() < until:
            for update in client.poll(0.25):
                if isinstance(update, AnswerUpdate) and update.request in open_requests:
                    return str(update.event.body.get("state")), str(update.event.body.get("message") or "")
                if isinstance(update, RefusalUpdate) and update.request in open_requests:
                    open_requests.discard(update.request)
                    refused = update.message
    return ("refused", refused) if refused else ("timeout", "the run did not answer")


def _history(folder: RunFolder) -> CommandHistory:
    history = CommandHistory()
    for reader in folder.readers():
        for event in reader.events("command"):
            history.add(event, reader.record.process, reader.record.attempt)
        history.begin(reader.record.process, reader.record.attempt)
        reader.close()
    return history.ended(folder.state().ended)


def _meant(text: str, waiting: list[CommandRecord]) -> str:
    found = sorted({record.id for record in waiting if record.id.startswith(text)})
    if text in found:
        return text
    if len(found) > 1:
        raise UsageMistake(f"{text} is the beginning of {len(found)} commands: {', '.join(found[:5])}")
    return found[0] if found else text  # the run says what it knows of it


def _list(args: argparse.Namespace, waiting: list[CommandRecord]) -> None:
    if args.json:
        print_json([change_as_json(record) for record in waiting])
    elif waiting:
        rows = [
            (
                record.id,
                record.capability,
                compact(record.input, 40),
                record.sender,
                shorten(record.reason, 60),
            )
            for record in waiting
        ]
        print_table(("ID", "CONTROL", "INPUT", "BY", "REASON"), rows)
    else:
        print("nothing waits")
