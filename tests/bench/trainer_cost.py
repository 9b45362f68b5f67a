"""What `tr.step` adds besides what it logs, with nothing waiting: taken in turn with logging alone."""

from __future__ import annotations

from children import measured

LOOP = """
import torch
torch.set_num_threads(1)
import helm_sdk.torch as helm
from helm_sdk.torch.schedule import WSDScheduler

model = torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(4)])
first = torch.optim.SGD(model[:2].parameters(), lr=1e-3, momentum=0.9)
second = torch.optim.AdamW(model[2:].parameters(), lr=1e-3)
schedule = WSDScheduler([first, second], 100_000)
tr = helm.init("bench")
tr.watch(model, first, second, scheduler=schedule)
tr.plan(step=100_000)
names = {f"value{place}": 1.0 for place in range(9)}  # and the norm: as many as a step logs here
steps, logs, hooked = [], [], []
x = torch.ones(4, 8)
for step in range(1500):
    first.zero_grad(); second.zero_grad()
    model(x).square().mean().backward()
    tr.clip_grad_norm_(1.0)
    first.step(); second.step(); schedule.step()
    time.sleep(0.003)
    norm = tr.watched.clipping.norm  # a tensor, which a step reads and logs
    ways = [lambda: tr.run.log(names | {"norm": norm}, step=step, tokens=32.0),
            lambda: tr.step(step, loss=1.0, samples=4, tokens=32)]
    first_way = step % 2  # whichever is timed goes first, with caches as the loop left them
    began = time.perf_counter_ns(); ways[first_way](); took = time.perf_counter_ns() - began
    (steps if first_way else logs).append(took)
    ways[1 - first_way]()
steps, logs = sorted(steps[100:]), sorted(logs[100:])
added = [a - b for a, b in zip(steps, logs)]  # at each quantile
print("FIGURES", json.dumps(dict(median=statistics.median(added) / 1e3,
    low=added[len(added) // 4] / 1e3, high=added[3 * len(added) // 4] / 1e3)), flush=True)
tr.finish()
"""


def measure() -> list[dict[str, object]]:
    """Microseconds a step, median and the middle half."""
    found = measured(LOOP)
    assert found is not None
    return [
        {
            "what": "tr.step besides what it logs, two optimizers",
            "figure": found["median"],
            "unit": "µs",
            "beside": f"middle half {found['low']:.1f} to {found['high']:.1f}",
            "aim": "≤ 20",
            "reached": found["median"] <= 20,
        }
    ]
