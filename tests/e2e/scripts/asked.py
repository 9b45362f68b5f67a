"""A plain loop that runs one step for every byte of the file GATE, with a control for every way to end."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import helm_sdk
from helm_sdk.models import Capability, CommandContext, opaque_schema, record_schema
from helm_sdk.protocol.kinds import field, number

gate = Path(os.environ["GATE"])
run = helm_sdk.init("gated", name="asked")


def take(value: dict, context: CommandContext) -> dict:
    """Does nothing but say who let it."""
    return {"approver": context.approver}


def broken(value: dict, context: CommandContext) -> dict:
    """Cannot be done."""
    raise OSError("the disk is gone")


def declare(name: str, at: str, handler: Callable, *fields: dict, approval: bool = False) -> None:
    """A control at a safe point."""
    control = Capability(
        name=name,
        input_schema=record_schema(*fields),
        output_schema=opaque_schema(),
        safe_points=(at,),
        requires_approval=approval,
        button="" if fields else name.capitalize(),
    )
    run.on(at, control, handler)


declare("reload", "after_step", take, approval=True)
declare("broken", "after_step", broken)
declare("rate", "after_step", take, field("value", number(0)))
declare("later", "epoch", take)  # no epoch ends here
print("the loop is ready")
for step in range(1000):
    while not gate.exists() or gate.stat().st_size <= step:
        time.sleep(0.005)
    run.log({"train/loss": 1.0}, step=step)
    time.sleep(0.005)
    run.sync("after_step", step=step)
