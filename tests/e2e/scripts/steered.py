"""A loop whose rate is steered: STEPS, PAUSE, SCHEDULE (cosine or wsd), GROUPS (1 or 2) and TOKENS (a step)
come from the environment."""

import os
import time
from typing import Any

import torch

import helm_sdk.torch as helm
from helm_sdk.torch.schedule import WSDScheduler

STEPS = int(os.environ.get("STEPS", "400"))
PAUSE = float(os.environ.get("PAUSE", "0.02"))

torch.set_num_threads(1)
torch.manual_seed(3)
model = torch.nn.Linear(8, 1)
groups: list[dict[str, Any]] = [{"params": list(model.parameters())}]
if os.environ.get("GROUPS") == "2":
    groups = [{"params": [model.weight]}, {"params": [model.bias], "lr": 1.2e-3}]
optimizer = torch.optim.AdamW(groups, lr=3e-3)
tokens = int(os.environ["TOKENS"]) if "TOKENS" in os.environ else None
scheduler: Any
if os.environ.get("SCHEDULE") == "wsd":
    scheduler = WSDScheduler(optimizer, STEPS, warmup_frac=0.05, stable_frac=0.45, min_lr_ratio=0.1)
else:
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=STEPS)

tr = helm.init("steered", name=os.environ.get("SCHEDULE", "cosine"))
tr.watch(model, optimizer, scheduler=scheduler, controls=["lr", "pause", "resume"], captures=False)
tr.plan(step=STEPS)
for step in range(STEPS):
    x = torch.randn(16, 8)
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    tr.step(step=step, loss=loss.item(), samples=16, tokens=tokens)
    time.sleep(PAUSE)
tr.finish()
print("run finished:", tr.run.run_id)
