"""A loop without torch that draws from COUNT sources by a mixture that can be set."""

import os
import random
import time

import helm_sdk
from helm_sdk.models import Capability, CommandContext, opaque_schema

names = [f"source{number:02d}" for number in range(int(os.environ["COUNT"]))]
shares = {name: 1 / len(names) for name in names}
kind = {"kind": "mixture", "components": names, "sampled": "data/mix/{component}"}


def mix(value: dict, context: CommandContext) -> dict:
    """Draw by the weights that were sent."""
    shares.update({name: float(weight) for name, weight in value["weights"]["weights"].items()})
    return dict(shares)


run = helm_sdk.init("sources", name="sources")
run.on(
    "after_step",
    Capability(
        name="set_mixture",
        input_schema={
            "revision": "1",
            "root": {"kind": "record", "renderer": "form", "fields": [{"name": "weights", "type": kind}]},
        },
        output_schema=opaque_schema(),
        safe_points=("after_step",),
        starting={"weights": {"weights": dict.fromkeys(names, "1")}},
    ),
    mix,
)
draw = random.Random(1)
for step in range(1_000_000):
    picks = draw.choices(names, [shares[name] for name in names], k=400)
    run.log({f"data/mix/{name}": picks.count(name) / len(picks) for name in names}, step=step)
    run.sync("after_step", step=step)
    time.sleep(0.03)
