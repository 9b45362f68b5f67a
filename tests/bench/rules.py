"""What 200 rules on 2,000 streams cost, at 100 points a second of each, in batches as a run writes them."""

from __future__ import annotations

import random
import struct
import time

from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef
from helm_sdk.rules import HoldFor, Rule, RuleEngine

STREAMS, RULES, SECONDS, RATE = 2000, 200, 20, 100
ROWS = 4  # 64 KB hold four rows of 2,000 streams


def _rules() -> list[Rule]:
    """Half of them on one stream each, half on a pattern of ten; every condition."""
    hold, long = HoldFor(steps=5), HoldFor(seconds=300)
    made = []
    for number in range(RULES):
        layer, own = f"layer{number % 200:03d}", str(number)
        metric = f"{layer}/m0" if number % 2 else f"{layer}/m{{i}}"
        kind = number % 10
        if kind < 4:
            made.append(Rule(id=own, metric=metric, when="above", value=5.0, hold=hold))
        elif kind < 6:
            made.append(Rule(id=own, metric=metric, when="below", value=-5.0))
        elif kind < 8:
            made.append(Rule(id=own, metric=metric, when="not finite"))
        elif kind == 8:
            made.append(Rule(id=own, metric=metric, when="no data", hold=long))
        elif number % 20 == 9:
            made.append(Rule(id=own, metric=metric, when="change", value=500.0, hold=hold))
        else:
            made.append(Rule(id=own, metric=metric, when="plateau", hold=long))
    return made


def _batches(spikes: float) -> list[Batch]:
    """`spikes` of the values go over the limit."""
    source = random.Random(7)
    streams = tuple(StreamDef(id=at, name=f"layer{at // 10:03d}/m{at % 10}") for at in range(STREAMS))
    numbers = tuple(range(STREAMS))
    made = []
    for number in range(SECONDS * RATE // ROWS):
        steps = range(number * ROWS, (number + 1) * ROWS)
        values = [9.0 if source.random() < spikes else source.gauss(0.0, 1.0) for _ in range(STREAMS * ROWS)]
        group = PointGroup(
            streams=numbers,
            steps=struct.pack(f"<{ROWS}q", *steps),
            times=struct.pack(f"<{ROWS}d", *(step / RATE for step in steps)),
            values=struct.pack(f"<{STREAMS * ROWS}d", *values),
        )
        defs = streams if not number else ()
        made.append(Batch(process="rank-0", attempt=1, seq=number + 1, streams=defs, groups=(group,)))
    return made


def _share(batches: list[Batch]) -> float:
    engine = RuleEngine(_rules())
    engine.apply(batches[0])
    began = time.thread_time()
    for batch in batches[1:]:
        engine.apply(batch)
        engine.tick()
        engine.fired()
    return 100.0 * (time.thread_time() - began) / ((len(batches) - 1) * ROWS / RATE)


def measure() -> list[dict[str, object]]:
    """Percent of a core."""
    rows: list[dict[str, object]] = []
    for what, spikes in (("nothing is wrong", 0.0), ("a value in 1,000 is", 0.001)):
        share = _share(_batches(spikes))
        rows.append(
            {
                "what": f"{RULES} rules on {STREAMS:,} streams at {RATE} points/s each, {what}",
                "figure": share,
                "unit": "% of a core",
                "beside": f"{STREAMS * RATE:,} points a second in all",
                "aim": "≤ 5",
                "reached": share <= 5,
            }
        )
    return rows
