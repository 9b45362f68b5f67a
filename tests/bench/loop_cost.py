"""What logging costs a loop: paired windows with and without, in turn, in one process."""

from __future__ import annotations

from children import measured

LOOP = """
import random
import helm_sdk
run = helm_sdk.init("bench")
{setup}
values = {{f"stream/{{i}}": i * 0.5 for i in range(10)}}
step = 0
def window(log, seconds=0.25):
    global step
    done = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        {work}
        if log:
            run.log(values, step=step)
        step += 1
        done += 1
    return done / (time.perf_counter() - began)
window(True); window(False)
ratios = []
for pair in range(60):
    first = random.random() < 0.5
    a, b = window(first), window(not first)
    plain, logged = (b, a) if first else (a, b)
    ratios.append(plain / logged - 1)
ratios.sort()
print("FIGURES", json.dumps(dict(median=statistics.median(ratios) * 100,
    low=ratios[15] * 100, high=ratios[44] * 100)), flush=True)
run.finish()
"""
# About a millisecond of each kind of work, so that the loop runs near 1 kHz.
KINDS = {
    "pure Python loop at 1 kHz": ("", "sum(i * i for i in range(14000))"),
    "small torch ops at 1 kHz": (
        "import torch; torch.set_num_threads(1); x = torch.randn(16, 16)",
        "y = x\n        for _ in range(150): y = torch.tanh(y + x)",
    ),
}


def measure() -> list[dict[str, object]]:
    """Percent more time a step, median of pairs and the middle half."""
    rows: list[dict[str, object]] = []
    for name, (setup, work) in KINDS.items():
        found = measured(LOOP.format(setup=setup, work=work))
        assert found is not None
        rows.append(
            {
                "what": f"slow-down, {name}",
                "figure": found["median"],
                "unit": "%",
                "beside": f"middle half {found['low']:.1f} to {found['high']:.1f}",
                "aim": "≤ 2",
                "reached": found["median"] <= 2,
            }
        )
    return rows
