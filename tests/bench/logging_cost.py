"""One call that logs ten scalars, and a sync point with nothing waiting, beside the other trackers."""

from __future__ import annotations

from children import measured

HELM = """
import helm_sdk
run = helm_sdk.init("bench")
values = {f"stream/{i}": i * 0.5 for i in range(10)}
timed(lambda step: run.log(values, step=step))
run.finish()
"""
SYNC = """
import helm_sdk
run = helm_sdk.init("bench")
from helm_sdk import Capability, opaque_schema
declared = Capability(name="c", input_schema=opaque_schema(), safe_points=("here",))
run.on("here", declared, lambda value, context: None)
sync = run.sync
def twenty(step):
    for _ in range(20):
        sync("here", step)
timed(twenty)
run.finish()
"""
PEERS = {
    "trackio, local": """
import trackio
trackio.init(project="bench")
values = {f"stream/{i}": i * 0.5 for i in range(10)}
timed(lambda step: trackio.log(values, step=step))
os._exit(0)
""",
    "wandb, offline": """
import wandb
run = wandb.init(project="bench", mode="offline")
values = {f"stream/{i}": i * 0.5 for i in range(10)}
timed(lambda step: run.log(values, step=step))
os._exit(0)
""",
    "torch SummaryWriter": """
from torch.utils.tensorboard import SummaryWriter
writer = SummaryWriter("tb")
values = {f"stream/{i}": i * 0.5 for i in range(10)}
def call(step):
    for name, value in values.items():
        writer.add_scalar(name, value, step)
timed(call)
os._exit(0)
""",
}


def measure() -> list[dict[str, object]]:
    """µs a call in a tight and in a 1 kHz loop; the ratio is the best peer's median over ours."""
    ours = measured(HELM, calls=20000)
    assert ours is not None
    peers = {name: figures for name, code in PEERS.items() if (figures := measured(code))}
    rows: list[dict[str, object]] = []
    for pace, words in (("tight", "tight loop"), ("paced", "1 kHz loop")):
        best = min(peers, key=lambda name: peers[name][pace], default="")
        ratio = peers[best][pace] / ours[pace] if best else float("nan")
        rows.append(
            {
                "what": f"log of 10 scalars, {words}",
                "figure": ours[pace],
                "unit": "µs median",
                "beside": f"{best} {peers[best][pace]:.0f} µs" if best else "no peer installed",
                "ratio": ratio,
                "aim": "≤ 3, ≥ 10×",
                "reached": ours[pace] <= 3 and ratio >= 10,
            }
        )
        rows += [
            {"what": f"  {name}, {words}", "figure": peers[name][pace], "unit": "µs median"}
            for name in sorted(peers)
        ]
        p99 = ours[f"{pace}_p99"]
        rows.append(
            {"what": f"  p99, {words}", "figure": p99, "unit": "µs", "aim": "≤ 25", "reached": p99 <= 25}
        )
    sync = measured(SYNC)
    assert sync is not None
    each = sync["tight"] / 20
    rows.append(
        {
            "what": "sync, nothing waiting",
            "figure": each,
            "unit": "µs median",
            "aim": "≤ 1",
            "reached": each <= 1,
        }
    )
    return rows
