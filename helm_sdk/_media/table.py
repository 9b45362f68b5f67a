"""Tables: rows of cells as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence, Sized
from itertools import islice
from typing import Any

from helm_sdk._media.prepared import LARGEST, Encoded, Prepared, Unfit
from helm_sdk._shared.plain import to_json

_MOST_CELLS = 200_000
_MOST_COLUMNS = 2000
_CELL_BYTES = 64


def prepare_table(rows: Any, *, columns: Sequence[str] | None = None) -> Prepared:
    """Return a copy of the rows as JSON says them. Raises Unfit for what has no rows."""
    names, found, total = _rows_of(rows)
    if columns is not None:
        names = [str(name) for name in columns]
    if names is None:
        names = _names(found)
    if len(names) > _MOST_COLUMNS:
        raise Unfit(f"it has {len(names):,} columns, a table has up to {_MOST_COLUMNS:,}")
    kept = found[: max(1, _MOST_CELLS // max(1, len(names)))]
    cells = [_cells(row, names) for row in kept]
    titles = [str(to_json(name)) for name in names]
    size = sum(
        _CELL_BYTES + len(cell) if isinstance(cell, str) else _CELL_BYTES for row in cells for cell in row
    )
    if size > LARGEST:
        raise Unfit(f"it holds {size >> 20} MB, a value may hold {LARGEST >> 20}")
    total = max(total, len(found))

    def encode() -> Encoded:
        plain = {"columns": titles, "rows": cells}
        notes = (
            {"rows": f"only the first {len(cells):,} of {total:,} rows are kept"}
            if total > len(cells)
            else {}
        )
        body = {"columns": titles[:50], "shape": [len(cells), len(titles)], "rows": total}
        return Encoded([("json", json.dumps(plain, ensure_ascii=False).encode())], body, notes)

    return Prepared(size, encode)


def _rows_of(rows: Any) -> tuple[list[str] | None, list[Any], int]:
    """(column names where the rows have their own, the first rows, how many there are)."""
    if hasattr(rows, "columns") and hasattr(rows, "head"):  # pandas, polars
        head = rows.head(_MOST_CELLS // max(1, min(len(rows.columns), _MOST_COLUMNS)))
        body = head.rows() if hasattr(head, "rows") else head.to_dict(orient="split")["data"]
        return [str(name) for name in rows.columns], list(body), len(rows)
    if hasattr(rows, "to_pylist"):  # Arrow
        total = int(getattr(rows, "num_rows", 0))
        head = rows.slice(0, _MOST_CELLS) if hasattr(rows, "slice") else rows
        return None, list(head.to_pylist()), total
    if isinstance(rows, Mapping):
        raise Unfit("it is a mapping: hand in a list with one mapping a row")
    if hasattr(rows, "tolist") and hasattr(rows, "shape"):
        if len(rows.shape) != 2:
            raise Unfit(f"its shape is {tuple(rows.shape)}, a table has rows and columns")
        return None, list(rows[:_MOST_CELLS].tolist()), int(rows.shape[0])
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise Unfit(f"it is {type(rows).__name__}, no list of rows")
    total = len(rows) if isinstance(rows, Sized) else 0
    return None, list(islice(rows, _MOST_CELLS)), total


def _names(rows: list[Any]) -> list[Any]:
    """Return those of mappings in the order they came; numbers for plain rows."""
    names: dict[Any, None] = {}
    widest = 0
    for row in rows:
        if isinstance(row, Mapping):
            names.update(dict.fromkeys(row))
        elif isinstance(row, Sequence) and not isinstance(row, str | bytes):
            widest = max(widest, len(row))
        else:
            raise Unfit(f"one of its rows is {type(row).__name__}, a row is a mapping or a list")
    return list(names) or [str(place) for place in range(widest)]


def _cells(row: Any, names: list[Any]) -> list[Any]:
    if isinstance(row, Mapping):
        found = [row.get(name) for name in names]
    elif isinstance(row, Sequence) and not isinstance(row, str | bytes):
        found = [row[place] if place < len(row) else None for place in range(len(names))]
    else:
        raise Unfit(f"one of its rows is {type(row).__name__}, a row is a mapping or a list")
    return [_cell(cell) for cell in found]


def _cell(value: Any) -> Any:
    """As JSON says it; NaN and the infinities, which JSON has not, by their names."""
    if hasattr(value, "isoformat"):  # dates and times
        value = str(value.isoformat())
    plain = value if value is None or type(value) in (bool, str, int) else to_json(value)
    if isinstance(plain, float) and not math.isfinite(plain):
        return "NaN" if plain != plain else "Infinity" if plain > 0 else "-Infinity"
    return to_json(plain) if type(plain) in (str, int) else plain
