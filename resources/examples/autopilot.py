"""A program that steers: halves a run's learning rate whenever its loss has been on a plateau for a while.

    python autopilot.py latest --metric train/loss --patience 200 --at-most 3

It waits as a rule of the app does and sends what a person would send; its name stands on every change.
What it may do is for the policy file of the run's owner to say (`helmctl policy show`).
"""

import argparse
import sys
from pathlib import Path

from helm_sdk.client import BatchUpdate, RunClient, connect, new_command
from helm_sdk.rules import Firing, HoldFor, Rule, RuleEngine

NAME = "autopilot"


def plateau(options: argparse.Namespace) -> Rule:
    """No point better than the best by more than the given percent, for so many steps."""
    return Rule(
        id=NAME,
        metric=options.metric,
        when="plateau",
        value=options.percent,
        hold=HoldFor(steps=options.patience),
    )


def halve(
    client: RunClient, engine: RuleEngine, options: argparse.Namespace, fired: Firing, number: int
) -> bool:
    """Send it and wait for what comes of it; whether the rate was changed. Points of that time count too."""
    command = new_command(
        options.control,
        {"scale": "0.5"},
        reason=f"{options.metric} got no better for {options.patience} steps",
        # The same id for the same plateau: started twice, or beside another autopilot, it is taken once.
        id=f"{NAME}-{fired.attempt}-{fired.step}",
    )

    def listen(update: object) -> None:
        if isinstance(update, BatchUpdate):
            engine.apply(update.batch)

    outcome = client.send_and_wait(command, 60.0, on_update=listen)
    print(
        f"step {fired.step}: {options.control} halved ({number}): {outcome.state} {outcome.message}",
        flush=True,
    )
    return outcome.took_effect


def main() -> int:
    """Follow one run to its end."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", help="id, the beginning of one, name, path, or latest")
    parser.add_argument("--home", type=Path, help="where runs are")
    parser.add_argument("--metric", default="train/loss")
    parser.add_argument("--control", default="lr", help="takes {scale}")
    parser.add_argument("--patience", type=int, default=200, metavar="STEPS", help="how long a plateau lasts")
    parser.add_argument("--percent", type=float, default=0.5, help="what counts as better")
    parser.add_argument("--at-most", type=int, default=3, metavar="N", help="changes in all")
    options = parser.parse_args()

    engine, done, current = RuleEngine([plateau(options)]), 0, False
    with connect(options.run, home=options.home, via=NAME) as client:
        while done < options.at_most:
            for update in client.poll(0.5):
                if isinstance(update, BatchUpdate):
                    engine.apply(update.batch)
            fired = engine.fired()
            if current and fired:
                if not halve(client, engine, options, fired[-1], done + 1):
                    return 1
                done += 1
                engine.add(plateau(options))  # a plateau of the new rate begins anew
            if not current and client.caught_up:
                current = True
                engine.add(plateau(options))  # what was before is no reason to act: it counts from now on
            if client.over:
                break
    print(f"{done} changes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
