"""What agreeing costs ranks: steps with Helm and without, in turn, beside what others send each step."""

from __future__ import annotations

import json
import math
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

STEP_MS = 20.0
BLOCK = 20  # steps
ROUNDS = 16  # of a block of each kind, in an order that changes
PAIRS = 64  # of a block with Helm and one without, for the slow-down

LOOP = """
import json, random, time
import torch, torch.distributed as dist
import helm_sdk.torch as ht
torch.set_num_threads(1)
BLOCK, ROUNDS, PAIRS, WORK, WAIT = {block}, {rounds}, {pairs}, 0.25 * {step} / 1000, 0.75 * {step} / 1000
dist.init_process_group("gloo")
rank = dist.get_rank()
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(32, 32))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
batch, matrix = torch.randn(16, 32), torch.randn(128, 128)
def products(count):
    for _ in range(count): torch.mm(matrix, matrix)
def timed(count):
    began = time.perf_counter(); products(count); return time.perf_counter() - began
times = sorted(timed(100) for _ in range(20))
count = torch.tensor(int(WORK / times[4] * 100))
dist.broadcast(count, 0)  # the same work on every rank
flag, work, step, tr = torch.zeros(1, dtype=torch.int64), None, 0, None
def nothing(): pass
def agree(): tr.coordination.serve(step)
def whole(): tr.step(step=step, loss=0.5)
def asynchronous():
    global work
    if work is not None: work.wait()
    work = dist.broadcast(flag, 0, async_op=True)
def synchronous(): dist.broadcast(flag, 0)
def objects(): dist.broadcast_object_list([None], 0)
kinds = dict(nothing=nothing, agree=agree, whole=whole, asynchronous=asynchronous,
             synchronous=synchronous, objects=objects)
def block(kind):
    global step, work
    dist.barrier()
    began, spent = time.perf_counter(), 0.0
    for _ in range(BLOCK):
        model(batch).square().mean().backward()
        optimizer.step(); optimizer.zero_grad()
        products(int(count))
        time.sleep(WAIT)  # as a loop waits for its device
        step += 1
        before = time.perf_counter()
        kind()
        spent += time.perf_counter() - before
    if work is not None: work.wait(); work = None
    return (time.perf_counter() - began) / BLOCK * 1000, spent / BLOCK * 1000
def measured(name):
    global tr
    if name not in ("agree", "whole"): return block(kinds[name])
    tr = ht.init("bench")
    tr.watch(model, optimizer, controls=["lr", "pause", "resume"])
    assert tr.coordination._joined.wait(10)
    tr.step(step=step, loss=0.5)
    found = block(kinds[name])
    tr.finish()
    return found
names = list(kinds)
for name in names: measured(name)
found = {{name: [] for name in names}}
dice = random.Random(0)
def rounds(count, names):
    for _ in range(count):
        dice.shuffle(names)
        names.remove("nothing")  # beside what it is compared with, before it or after
        names.insert(names.index("whole") + dice.randint(0, 1), "nothing")
        for name in names: found[name].append(measured(name))
rounds(ROUNDS, names)
rounds(PAIRS - ROUNDS, ["nothing", "whole"])
if rank == 0: print("FIGURES", json.dumps(found), flush=True)
dist.barrier()
dist.destroy_process_group()
"""


def _run(world: int, rounds: int, pairs: int) -> dict[str, list[tuple[float, float]]]:
    """(ms a step, ms in the call) of each block of each kind, as rank 0 saw it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HELM_RUN_HOME": str(Path(home) / "home"), "GLOO_SOCKET_IFNAME": "lo"}
        env |= {"HELM_CONFIG_HOME": str(Path(home) / "config"), "OMP_NUM_THREADS": "1"}
        env |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(world)}
        text = LOOP.format(block=BLOCK, rounds=rounds, pairs=pairs, step=STEP_MS)
        ranks = [
            subprocess.Popen(
                [sys.executable, "-c", text],
                env={**env, "RANK": str(rank)},
                stdout=subprocess.PIPE,
                text=True,
            )
            for rank in range(world)
        ]
        try:
            said = [rank.communicate(timeout=400)[0] for rank in ranks]
        finally:
            for rank in ranks:
                rank.kill()
    line = next(line for line in said[0].splitlines() if line.startswith("FIGURES "))
    found: dict[str, list[tuple[float, float]]] = json.loads(line.removeprefix("FIGURES "))
    return found


def _middle(values: list[float]) -> tuple[float, float, float]:
    """Median and the middle half."""
    low, middle, high = statistics.quantiles(values, n=4)
    return middle, low, high


def _interval(values: list[float]) -> tuple[float, float, float]:
    """The median, and between which two measured values it lies with 95 %: order statistics of a binomial."""
    ordered, half = sorted(values), 0.98 * math.sqrt(len(values))
    low = max(0, math.floor(len(values) / 2 - half))
    high = min(len(values) - 1, math.ceil(len(values) / 2 + half))
    return statistics.median(values), ordered[low], ordered[high]


def _rows(world: int, rounds: int, pairs: int, *, aim: bool) -> list[dict[str, object]]:
    found = _run(world, rounds, pairs)
    plain = [ms for ms, _ in found["nothing"]]
    costs = {name: _middle([call for _, call in blocks]) for name, blocks in found.items()}
    beside = costs["objects"][0]
    rows: list[dict[str, object]] = []
    slow, low, high = _interval(
        [(ms / other - 1) * 100 for (ms, _), other in zip(found["whole"], plain, strict=True)]
    )
    text = f"95 % of the median {low:.2f} to {high:.2f}"
    row: dict[str, object] = {
        "what": f"all of Helm, a {STEP_MS:g} ms step of {world} ranks",
        "figure": slow,
        "unit": "%",
        "beside": text,
    }
    rows.append({**row, "aim": "≤ 2", "reached": slow <= 2} if aim else row)
    titles = {
        "agree": "the store's two phases (ours)",
        "whole": "all of tr.step",
        "asynchronous": "asynchronous flag, read at the next step",
        "synchronous": "synchronous flag",
        "objects": "synchronous broadcast_object_list",
    }
    for name, title in titles.items():
        ms, low, high = costs[name]
        row = {
            "what": f"{title}, {world} ranks",
            "figure": ms * 1000,
            "unit": "µs a step",
            "beside": f"middle half {low * 1000:.0f} to {high * 1000:.0f}",
            "ratio": ms / beside,
        }
        if name == "agree" and aim:
            row |= {"aim": "≤ 1/3 of objects", "reached": ms <= beside / 3}
        rows.append(row)
    return rows


def measure() -> list[dict[str, object]]:
    """Two ranks against the aims; four as a report alone."""
    return [*_rows(2, ROUNDS, PAIRS, aim=True), *_rows(4, ROUNDS // 4, ROUNDS, aim=False)]
