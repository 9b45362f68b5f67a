"""helmctl: runs, their points and their controls from a shell, without a display."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

# One line each; a module is imported only when its subcommand is called.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "runs": ("helm_sdk._cli.runs", "list runs"),
    "show": ("helm_sdk._cli.show", "what a run is, logs and offers"),
    "points": ("helm_sdk._cli.points", "the exact points of a stream"),
    "watch": ("helm_sdk._cli.watch", "follow a run live"),
    "send": ("helm_sdk._cli.send", "send a change to a run's control"),
    "approve": ("helm_sdk._cli.approve", "approve or refuse a change that waits for it"),
    "cancel": ("helm_sdk._cli.cancel", "withdraw a change that has not been applied"),
    "policy": ("helm_sdk._cli.policy", "who may change what"),
    "verify": ("helm_sdk._cli.verify", "check that a run folder is whole"),
    "key": ("helm_sdk._cli.key", "who may watch and steer your runs"),
    "doctor": ("helm_sdk._cli.doctor", "what this machine can do, and why not"),
}
MISTAKE: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; the exit status. Mistakes are told in one line."""
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what a terminal has no letter for is escaped
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _dispatch(words)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read has had enough. What is buffered must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _dispatch(words: list[str]) -> int:
    if not words or words[0] not in COMMANDS:
        return _without_command(words)
    module = importlib.import_module(COMMANDS[words[0]][0])
    parser = argparse.ArgumentParser(
        prog=f"helmctl {words[0]}",
        description=module.__doc__,
        epilog=f"example:\n  {module.EXAMPLE}" + getattr(module, "EPILOG", ""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--home", type=Path, metavar="DIR", help="where runs are (else HELM_RUN_HOME, else your data folder)"
    )
    module.add_arguments(parser)
    args = parser.parse_args(words[1:])
    from helm_sdk._cli.output import UsageMistake
    from helm_sdk.keys import KeysError
    from helm_sdk.protocol.errors import ProtocolError
    from helm_sdk.record.errors import RecordError

    try:
        return int(module.run(args))
    except (UsageMistake, RecordError, KeysError, ProtocolError) as error:
        print(f"helmctl: {error}", file=sys.stderr)
        return MISTAKE
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        print(f"helmctl: {error.strerror or error}{where}", file=sys.stderr)
        return MISTAKE


def _without_command(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="helmctl",
        usage="helmctl COMMAND …",
        description="Runs, their points and their controls from a shell.\n\n"
        + "\n".join(f"  {name:<10}{text}" for name, (_, text) in COMMANDS.items()),
        epilog="RUN is an id, the beginning of one, a name, a path, or latest.\n\n"
        "example:\n  helmctl show latest",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="say which version this is")
    parser.add_argument("command", nargs="?", metavar="COMMAND", help="one of those above; each has --help")
    args, _ = parser.parse_known_args(words)
    if args.version:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"helmctl {version('helm-desktop')}")
        except PackageNotFoundError:
            print("helmctl, not installed")
        return 0
    if args.command:
        print(f"helmctl: there is no command {args.command}, see helmctl --help", file=sys.stderr)
    else:
        parser.print_help(sys.stderr)
    return USAGE


if __name__ == "__main__":
    sys.exit(main())
