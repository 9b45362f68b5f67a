"""Who may change what in your runs: the policy file that each of them reads and enforces.

show      the rules in words
check     whether a policy file can be used; with --control what a run would say to such a change
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from helm_sdk._cli.output import UsageMistake, clean, json_option, print_json
from helm_sdk.policy import PolicyError, in_words
from helm_sdk.policy.file import POLICY_FILE, PolicyFile, read_policy
from helm_sdk.policy.judge import PolicyJudge
from helm_sdk.record.layout import config_home

EXAMPLE = """helmctl policy check --control lr --input '{"lr": 0.1}' --via autopilot"""
EPILOG = """

a policy, in policy.json of your configuration folder:
  {"controls": [{"control": "rollback", "approval": "another key"}, {"control": "set_*", "approval": "none"}],
   "programs": {"limits": [{"control": "lr", "bounds": {"lr": {"min": "1e-5", "max": 1e-3}}, "per_hour": 4}]},
   "projects": {"shared-*": {"controls": [{"control": "*", "approval": "sender"}]}}}
approval is none, sender, another key or refused; the first rule that fits a control holds.

exit status of check: 0 it may be (or be approved), 1 the file cannot be used, 3 it would be rejected
"""
_REJECTED = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    parser.add_argument("action", choices=["show", "check"], help="what to do")
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="another file than your own policy"
    )
    parser.add_argument("--project", default="", metavar="P", help="as in this project")
    parser.add_argument("--control", default="", metavar="C", help="check: a change to this control")
    parser.add_argument("--input", default="{}", metavar="JSON", help="check: its input")
    parser.add_argument("--sender", default="", metavar="NAME", help="check: the name of the sender's key")
    parser.add_argument("--via", default="helmctl", metavar="V", help="check: what the program calls itself")
    json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Tell what the policy says."""
    path = args.file or config_home() / POLICY_FILE
    if args.file is not None and not path.is_file():
        raise UsageMistake(f"there is no file {path}")
    try:
        policy = read_policy(path)
    except PolicyError as error:
        raise UsageMistake(str(error)) from None
    if args.action == "check" and args.control:
        return _judge(args, path)
    if args.json:
        print_json({"file": path, "exists": policy is not None, "rules": in_words(policy)})
        return 0
    if args.action == "check":
        print(f"{path} {'can be used' if policy is not None else 'is not there: there is no policy'}")
        return 0
    for line in in_words(policy):
        print(clean(line))
    return 0


def _judge(args: argparse.Namespace, path: Path) -> int:
    try:
        value = json.loads(args.input)
    except (ValueError, RecursionError) as error:
        raise UsageMistake(f"this is no JSON: {error}") from None
    verdict = PolicyJudge(PolicyFile(path), args.project).judge(args.control, value, args.sender, args.via)
    if args.json:
        print_json(verdict)
    else:
        print(clean(verdict.refused or verdict.reason or "it may be, at once"))
    return _REJECTED if verdict.refused else 0
