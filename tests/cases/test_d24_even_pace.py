"""A loop that logs goes on at its own pace: its rate is the same, and no call waits for a disk."""

from __future__ import annotations

import time
from pathlib import Path

import helm_sdk

PACE_S = 0.025  # 40 a second
BLOCK = 20
PAIRS = 6


def test_that_logging_halves_no_rate_from_time_to_time(home: Path) -> None:
    """D24"""
    calls: list[float] = []
    work: list[float] = []

    def block(run: helm_sdk.Run | None) -> float:
        began = time.perf_counter()
        for place in range(BLOCK):
            time.sleep(PACE_S)
            if run is not None:
                called, busy = time.perf_counter(), time.thread_time()
                run.log({f"stream/{number}": float(place) for number in range(20)})
                calls.append(time.perf_counter() - called)
                work.append(time.thread_time() - busy)
        return time.perf_counter() - began

    with helm_sdk.init("pace", system_metrics=True) as run:
        block(run)
        calls.clear()
        work.clear()
        ratios = sorted(block(run) / block(None) for _ in range(PAIRS))
    assert ratios[PAIRS // 2] < 1.1
    assert sorted(calls)[len(calls) * 99 // 100] < PACE_S
    assert sum(work) < 0.02 * PACE_S * len(work)
