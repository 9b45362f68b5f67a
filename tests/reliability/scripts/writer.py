"""Logs known bit patterns when it is told to: one process of a run, driven line by line over stdin.

python writer.py PROCESS [RUN_ID]: "log FROM TO RATE" logs (RATE 0: flat out), "ballast N" publishes N facts
of 60 KB each, "flush" waits for the disk, "finish" ends.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import helm_sdk

sys.path.insert(0, str(Path(__file__).parents[2]))

from helpers.patterns import values_of


def main() -> None:
    """Obey lines until "finish" or the end of stdin."""
    process, join = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    run = helm_sdk.init("reliability", process=process, join=join)
    print(f"run {run.run_id} {run.folder}", flush=True)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "log":
            first, end, rate = map(int, words[1:])
            values = values_of(process, first, end)
            began = time.monotonic()
            for index, value in enumerate(values):
                run.log({"points": value}, step=first + index)
                if rate and index % 50 == 0:
                    time.sleep(max(0.0, began + index / rate - time.monotonic()))
            print(f"logged {end}", flush=True)
        elif words[0] == "ballast":
            for index in range(int(words[1])):
                run.fact("ballast", f"{index} " + "." * 60_000)
                time.sleep(0.002)
            print("ballasted", flush=True)
        elif words[0] == "flush":
            print(f"flushed {run.flush()}", flush=True)
        elif words[0] == "finish":
            break
    run.finish()
    print("finished", flush=True)


main()
