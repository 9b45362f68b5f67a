"""A loop that runs one step for every byte of the file GATE, so that a test says when it goes on."""

import os
import time
from pathlib import Path

import torch

import helm_sdk.torch as helm

gate = Path(os.environ["GATE"])
torch.set_num_threads(1)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)

tr = helm.init("gated", name="gated")
tr.watch(model, optimizer, controls=["lr"], captures=False)
tr.plan(step=1000)
print("the loop is ready")
for step in range(1000):
    while not gate.exists() or gate.stat().st_size <= step:
        time.sleep(0.005)
    loss = model(torch.ones(2, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    tr.step(step=step, loss=loss.item(), samples=2)
