"""`make bench`: every figure beside its peers in the same run, as one table and build/bench.json."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

MODULES = (
    "logging_cost",
    "loop_cost",
    "trainer_cost",
    "sending",
    "opening",
    "starting",
    "latency",
    "flood",
    "names",
    "drawing",
    "rules",
    "ranks",
)


def table(rows: list[dict[str, object]]) -> str:
    """The rows as text: what, figure, unit, beside what, ratio, aim, whether it is reached."""
    heads = ("what", "figure", "unit", "beside", "ratio", "aim", "reached")
    cells = [[_cell(row.get(head, "")) for head in heads] for row in rows]
    widths = [max(len(head), *(len(row[at]) for row in cells)) for at, head in enumerate(heads)]
    lines = ["  ".join(head.ljust(width) for head, width in zip(heads, widths, strict=True))]
    lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
    return "\n".join(lines)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def main() -> int:
    """Run the chosen modules; a module that fails says so and the others go on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help=f"some of {', '.join(MODULES)}")
    parser.add_argument("--output", type=Path, default=Path("build/bench.json"))
    chosen = parser.parse_args()
    rows: list[dict[str, object]] = []
    failed = 0
    for name in chosen.only or MODULES:
        print(f"… {name}", flush=True)
        began = time.monotonic()
        try:
            found = importlib.import_module(name).measure()
        except Exception as error:
            failed += 1
            found = [{"what": name, "figure": f"could not be measured: {error!r}"}]
        rows += found
        print(table(found), f"\n  ({time.monotonic() - began:.0f} s)\n", flush=True)
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    chosen.output.write_text(json.dumps({"measured": time.time(), "rows": rows}, indent=1) + "\n")
    print(table(rows))
    print(f"\nwritten to {chosen.output}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
