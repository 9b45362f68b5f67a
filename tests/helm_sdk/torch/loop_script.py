"""A whole training script in a process of its own: `python loop_script.py STEPS`."""

from __future__ import annotations

import sys

import torch

import helm_sdk.torch as ht
from helm_sdk.models import Capability, CommandContext, opaque_schema

STEPS = int(sys.argv[1])
SHARES = {"easy": 0.75, "hard": 0.25}

torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=STEPS)


def held_out() -> dict[str, float]:
    """The loss on data of its own."""
    with torch.no_grad():
        return {"loss/easy": float(model(torch.ones(4, 8)).square().mean())}


def set_shares(value: dict[str, dict[str, dict[str, str]]], context: CommandContext) -> dict[str, float]:
    """Draw the next batches by these weights."""
    given = value["shares"]["weights"]
    total = sum(float(weight) for weight in given.values())
    SHARES.update({name: float(weight) / total for name, weight in given.items()})
    return dict(SHARES)


tr = ht.init("in a child", name="child", config={"lr": 3e-3, "steps": STEPS}, system_metrics=True)
tr.watch(
    model,
    optimizer,
    scheduler=scheduler,
    controls=["lr", "weight_decay", "grad_clip", "checkpoint"],
    eval_fn=held_out,
    captures=True,
)
tr.plan(step=STEPS)
mixture = {"kind": "mixture", "components": list(SHARES), "sampled": "data/share/{component}"}
tr.run.on(
    "after_step",
    Capability(
        name="set_shares",
        provider="script",
        version="1.0.0",
        input_schema={
            "revision": "1",
            "root": {"kind": "record", "renderer": "form", "fields": [{"name": "shares", "type": mixture}]},
        },
        output_schema=opaque_schema(),
        safe_points=("after_step",),
        starting={"shares": {"weights": {name: str(share) for name, share in SHARES.items()}}},
    ),
    set_shares,
)

for step in range(STEPS):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 8)).square().mean()
    loss.backward()
    tr.clip_grad_norm_()
    optimizer.step()
    scheduler.step()
    if step % 10 == 0:
        tr.log({f"data/share/{name}": share for name, share in SHARES.items()}, step=step)
    tr.step(step=step, loss=loss.item(), samples=16)
    tr.run.sync("after_step", step=step)

tr.save_checkpoint("the end")
tr.finish()
print("run finished:", tr.run.run_id)
