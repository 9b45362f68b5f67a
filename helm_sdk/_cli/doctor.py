"""Say what this machine can do with Helm, and why not.

Exits with 0 unless something that Helm itself needs is broken; what only the app or a GPU needs is noted.
"""

from __future__ import annotations

import argparse

from helm_sdk._cli.output import absolute, clean, json_option, print_json

EXAMPLE = "helmctl doctor"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print each finding."""
    from helm_sdk._cli.checks import examine
    from helm_sdk._cli.finding import BROKEN

    findings = examine(absolute(args.home))
    broken = any(finding.state == BROKEN for finding in findings)
    if args.json:
        print_json({"healthy": not broken, "findings": findings})
        return int(broken)
    for finding in findings:
        print(clean(f"{finding.state:<8}{finding.name:<10}{finding.text}"))
    return int(broken)
