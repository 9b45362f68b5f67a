"""A script as a user of torchrun has it; the first time, its last rank crashes."""

from __future__ import annotations

import os
import sys
import time

import torch
import torch.distributed as dist

import helm_sdk.torch as ht

torch.set_num_threads(1)
tr = ht.init("torchrun", name="restarted", log_ranks="all")
dist.init_process_group("gloo")
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
tr.watch(model, optimizer, controls=["lr", "stop"])
for step in range(100_000):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    time.sleep(0.01)
    tr.step(step=step, loss=0.5)
    if step == 0 and dist.get_rank() == 0:
        print("training", tr.run.attempt, tr.run.folder, flush=True)
    if os.environ["TORCHELASTIC_RESTART_COUNT"] == "0" and step == 20 and dist.get_rank() == 1:
        sys.exit("a crash")
    if tr.should_stop:
        break
print("ended at", step, flush=True)
tr.finish()
dist.destroy_process_group()
