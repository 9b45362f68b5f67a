"""Send a change to a run's control, as the app does.

The run checks the input, writes the change to its folder and applies it at the control's safe point.
JSON may say NaN and Infinity: it is for the run to refuse them.
"""

from __future__ import annotations

import argparse
import json
import uuid
from typing import Any

from helm_sdk._cli.output import (
    UsageMistake,
    absolute,
    clean,
    compact,
    json_option,
    moment,
    print_json,
    run_argument,
)
from helm_sdk.protocol import commands
from helm_sdk.protocol.history import CommandRecord, Stage
from helm_sdk.protocol.messages import Command

EXAMPLE = """helmctl send latest lr '{"lr": "1e-3"}' --reason "loss is flat" --wait"""
EXIT = {
    commands.APPLIED: 0,
    commands.CONFIRMED: 0,
    commands.REJECTED: 3,
    commands.FAILED: 4,
    commands.EXPIRED: 5,
    commands.CANCELLED: 6,
    commands.SUPERSEDED: 7,
    "timeout": 8,
    "unreachable": 9,
    "refused": 10,
}
EPILOG = """

exit status:
  0   applied (without --wait: taken by the run)
  1   a mistake in what was asked, such as an unknown run or text that is no JSON
  2   wrong arguments
  3   rejected: the run refuses the input, the control or the revision
  4   failed: the handler raised, or the run ended first
  5   expired          6   cancelled          7   superseded
  8   timeout: it may still be applied later
  9   unreachable: the run does not live, does not answer or does not trust your key
  10  refused: the process would not take the request
"""
_TAKEN = frozenset({commands.RECEIVED, commands.AWAITING_APPROVAL, commands.WAITING})
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    run_argument(parser)
    parser.add_argument("control", metavar="CONTROL", help="the control's name, as helmctl show lists it")
    parser.add_argument("input", metavar="JSON", nargs="?", default="{}", help="its input ({} if none)")
    parser.add_argument("--reason", default="", metavar="T", help="why; it is kept with the change")
    parser.add_argument("--process", default="", metavar="P", help="one process, or all (else the first)")
    parser.add_argument(
        "--id", default="", metavar="U", help="an id of your own: sent twice, it is taken once"
    )
    parser.add_argument(
        "--expect-revision", type=int, metavar="N", help="reject it when the control changed since"
    )
    parser.add_argument("--expires", metavar="WHEN", help="30s, 5min, 2h after receipt; or a step: 1200")
    parser.add_argument(
        "--supersedes", default="", metavar="U", help="the id of a waiting change that it replaces"
    )
    parser.add_argument("--wait", action="store_true", help="wait until it is applied or cannot be any more")
    parser.add_argument(
        "--timeout", type=float, metavar="S", help="how long at most (60 s with --wait, else 15 s)"
    )
    json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Send it; with --wait print each state."""
    from helm_sdk.client import RunClient
    from helm_sdk.keys import load_keys
    from helm_sdk.record.runs import find_run

    command = _command(args)
    folder = find_run(absolute(args.home), args.run)
    state = folder.state()
    timeout = args.timeout if args.timeout is not None else (60.0 if args.wait else 15.0)
    talker = _Talker(quiet=args.json)
    with RunClient(folder, keys=load_keys(), history=False, via="helmctl") as client:
        if state.ended and not client.alive:
            why = f"{folder.name} takes no changes: {folder.state_text()}"
            return _report(args, command, "unreachable", why, [])
        outcome = client.send_and_wait(
            command, timeout, talker.print_state, until=None if args.wait else _TAKEN
        )
    return _report(args, command, outcome.state, outcome.message, outcome.records)


class _Talker:
    """Prints each state as it comes."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet

    def print_state(self, record: CommandRecord, stage: Stage) -> None:
        """One line for one state of one process."""
        if self._quiet:
            return
        print(clean(_state_text(record, stage)), flush=True)
        if stage.body.result is not None:
            print(clean(f"{'':<18}{compact(stage.body.result)}"), flush=True)


def _state_text(record: CommandRecord, stage: Stage) -> str:
    body = stage.body
    parts = []
    if stage.step is not None:
        parts.append(f"step {stage.step}")
    if stage.state == commands.WAITING and body.safe_point:
        parts.append(f"for {body.safe_point}")
    if stage.state == commands.APPLIED and body.new is not None:
        parts.append(f"{compact(body.old, 60)} → {compact(body.new, 60)}")
    if stage.state == commands.CONFIRMED and body.ran_at is not None:
        parts.append(f"ran at {body.ran_at:.6g}")
    if body.message:
        parts.append(body.message)
    return f"{stage.state:<18}{record.process}  {', '.join(parts)}".rstrip()


def _report(
    args: argparse.Namespace, command: Command, state: str, message: str, records: list[CommandRecord]
) -> int:
    taken = not args.wait and state in _TAKEN
    status = 0 if taken else EXIT.get(state, EXIT["timeout"])
    if args.json:
        entry = {
            "id": command.id,
            "control": command.capability,
            "state": state,
            "message": message,
            "exit_status": status,
            "processes": [_process(record) for record in records],
        }
        print_json(entry)
    elif status and not (records and message == records[-1].message and _was_said(records)):
        print(clean(f"{state}: {message}" if message else state))
    return status


def _was_said(records: list[CommandRecord]) -> bool:
    """Return True when a state line has told the message; what readers derive has no line of its own."""
    return not any(record.ended for record in records)


def _process(record: CommandRecord) -> dict[str, Any]:
    states = [
        {"state": stage.state, "step": stage.step, "time": stage.time, "at": moment(stage.time)}
        for stage in record.track
    ]
    return {
        "process": record.process,
        "state": record.state,
        "step": record.step,
        "message": record.message,
        "old": record.applied.body.old if record.applied else None,
        "new": record.applied.body.new if record.applied else None,
        "result": record.result,
        "sender": record.sender,
        "approver": record.approver,
        "states": states,
    }


def _command(args: argparse.Namespace) -> Command:
    try:
        value = json.loads(args.input)
    except (ValueError, RecursionError) as error:
        raise UsageMistake(f"this is no JSON: {error}") from None
    expires_step, expires_in = _expiry(args.expires)
    return Command(
        id=args.id or str(uuid.uuid4()),
        capability=args.control,
        input=value,
        process=args.process,
        reason=args.reason,
        expires_step=expires_step,
        expires_in=expires_in,
        expect_revision=args.expect_revision,
        supersedes=args.supersedes,
    )


def _expiry(text: str | None) -> tuple[int | None, float | None]:
    """(step, seconds): a bare number is a step, one with a unit is time."""
    if text is None:
        return None, None
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = text[len(digits) :].strip()
    try:
        if not unit:
            return int(digits), None
        return None, float(digits) * _SECONDS[unit]
    except (ValueError, KeyError):
        raise UsageMistake(f"{text} is no time such as 30s, 5min or 2h, and no step") from None
