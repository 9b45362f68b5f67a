"""No framework: a line of spins cools down in plain Python while somebody turns its knobs."""

import argparse
import math
import os
import random
import time
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal

import helm_sdk
from helm_sdk.models import CommandContext


class Start(Enum):
    """How a fresh line of spins begins."""

    RANDOM = "random"
    ALIGNED = "aligned"
    ALTERNATING = "alternating"


@dataclass(frozen=True)
class AtLeast:
    """A lower bound, as annotated-types and pydantic say it too."""

    ge: float


class Spins:
    """A ring of spins, up or down, each of which would like to be as its neighbours are."""

    def __init__(self, count: int, start: Start = Start.RANDOM) -> None:
        self.values = [random.choice((-1, 1)) for _ in range(count)]
        if start is not Start.RANDOM:
            self.values = [1 if start is Start.ALIGNED or place % 2 else -1 for place in range(count)]

    def sweep(self, temperature: float) -> float:
        """Try to flip every spin once; the share that did flip."""
        values, flipped = self.values, 0
        for place, value in enumerate(values):
            neighbours = values[place - 1] + values[(place + 1) % len(values)]
            cost = 2 * value * neighbours
            if random.random() < 1 / (1 + math.exp(cost / temperature)):
                values[place] = -value
                flipped += 1
        return flipped / len(values)

    @property
    def energy(self) -> float:
        """Per spin: −1 where all neighbours agree."""
        pairs = zip(self.values, self.values[1:] + self.values[:1], strict=True)
        return -sum(one * other for one, other in pairs) / len(self.values)

    @property
    def magnetisation(self) -> float:
        """The mean of all spins."""
        return sum(self.values) / len(self.values)


def arguments() -> argparse.Namespace:
    """The length and the pace of the run, from the command line, else from the environment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sweeps", type=int, default=int(os.environ.get("HELM_EXAMPLE_STEPS", "600")))
    parser.add_argument("--spins", type=int, default=400)
    parser.add_argument(
        "--sweep-seconds",
        type=float,
        default=float(os.environ.get("HELM_EXAMPLE_STEP_SECONDS", "0.02")),
        help="pause after each sweep, so that there is time to look and to change things",
    )
    return parser.parse_args()


def main() -> None:
    """Cool, show, and take changes."""
    options = arguments()
    random.seed(0)
    spins = Spins(options.spins)
    temperature, best = 2.0, 0.0

    with helm_sdk.init("plain-python", config=vars(options)) as run:
        run.plan(step=options.sweeps)
        run.define("energy", unit="per spin", better="lower")

        # Values that the loop reads: each is a card, set at the safe point "between_sweeps".
        warmth = run.tunable("warmth", 1.0, minimum=0.1, maximum=10.0)  # times the temperature
        cooling = run.tunable("cooling", "geometric", choices=["geometric", "linear", "none"])
        rate = run.tunable("rate", 0.995, minimum=0.9, maximum=1.0)
        pace = run.tunable("sweep_seconds", options.sweep_seconds, minimum=0.0, maximum=5.0)

        # A function becomes a card: its annotations are the form, what it returns is shown.
        @run.command(safe_point="between_sweeps")
        def shake(
            share: Annotated[float, (0.0, 1.0)],
            towards: Literal["up", "down", "either"] = "either",
            times: Annotated[int, AtLeast(1)] = 1,
        ) -> dict[str, int]:
            """Sets a share of the spins anew."""
            changed = 0
            for _ in range(times):
                for place in random.sample(range(len(spins.values)), int(share * len(spins.values))):
                    spins.values[place] = {"up": 1, "down": -1}.get(towards) or random.choice((-1, 1))
                    changed += 1
            return {"changed": changed}

        # Another safe point of the script's own: here nothing is half done, a fresh line can begin.
        @run.command(safe_point="every_50")
        def restart(context: CommandContext, start: Start = Start.RANDOM, warm: bool = True) -> str:
            """Begins again with a fresh line of spins, at the first temperature if it is to be warm."""
            nonlocal temperature
            spins.values = Spins(options.spins, start).values
            temperature = 2.0 if warm else temperature
            return f"{start.value} at step {context.step}, asked by {context.sender}"

        for sweep in range(options.sweeps):
            now = max(0.05, temperature * warmth.value)
            flipped = spins.sweep(now)
            run.log(
                {
                    "energy": spins.energy,
                    "magnetisation": spins.magnetisation,
                    "flipped": flipped,
                    "temperature": now,
                },
                step=sweep,
            )
            if cooling.value == "geometric":
                temperature = max(0.05, temperature * rate.value)
            elif cooling.value == "linear":
                temperature = max(0.05, temperature - 2.0 / options.sweeps)
            best = min(best, spins.energy)
            run.sync("between_sweeps", step=sweep)
            if sweep % 50 == 49:
                run.sync("every_50", step=sweep)
            time.sleep(pace.value)

        run.summary({"best_energy": best})
    print("run finished:", run.run_id)


if __name__ == "__main__":
    main()
