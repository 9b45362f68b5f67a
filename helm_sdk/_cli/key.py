"""Who may watch and steer your runs: your own key, and the keys that you trust.

show      your public key and the names that you trust
export    your public key, for somebody else's `key trust`
trust     let the holder of a key in
revoke    take a name off the list; running processes notice within a second
"""

from __future__ import annotations

import argparse
from pathlib import Path

from helm_sdk import keys
from helm_sdk._cli.output import UsageMistake, json_option, print_json, print_table

EXAMPLE = "helmctl key trust ada ada.key"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    parser.add_argument("action", choices=["show", "export", "trust", "revoke"], help="what to do")
    parser.add_argument("name", nargs="?", metavar="NAME", help="of a trusted key")
    parser.add_argument("key", nargs="?", metavar="KEY", help="the public key, or a file that holds it")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where export writes")
    json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Do one of the four."""
    if args.action == "trust":
        return _trust(args)
    if args.action == "revoke":
        if not args.name:
            raise UsageMistake("say whose key: helmctl key revoke NAME")
        keys.revoke(args.name)
        print(f"{args.name} is no longer trusted")
        return 0
    own = keys.load_keys()
    if args.action == "export":
        return _export(own, args)
    trusted = keys.trusted()
    if args.json:
        print_json({"name": keys.own_name(), "public": own.public, "folder": own.folder, "trusted": trusted})
        return 0
    rows = [(f"{keys.own_name()} (you)", own.public), *trusted.items()]
    print_table(("NAME", "PUBLIC KEY"), rows)
    print(f"kept in {own.folder}")
    return 0


def _export(own: keys.Keys, args: argparse.Namespace) -> int:
    if args.output is None:
        print_json({"public": own.public}) if args.json else print(own.public)
    else:
        args.output.write_text(own.public + "\n", encoding="utf-8")
        print(f"your public key is in {args.output}")
    return 0


def _trust(args: argparse.Namespace) -> int:
    if not args.name or not args.key:
        raise UsageMistake("say whose key and which: helmctl key trust NAME KEY, or a file that holds it")
    path = Path(args.key).expanduser()
    try:
        text = path.read_text(encoding="utf-8") if path.is_file() else args.key
    except (OSError, ValueError) as error:
        raise UsageMistake(f"{path} cannot be read: {error}") from None
    keys.trust(args.name, text)
    print(f"{args.name} may watch and steer your runs now")
    return 0
