"""The search for a layer of the model by the label of a chart row: "layer 2" finds 2.weight and h.2.attn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from helm_desktop.model.run.details import Detail

MODEL = "Model"


def found_in_model(details: Sequence[Detail], text: str) -> set[int]:
    """Return the `id()` of each row of the model tree that belongs to the layer in the text."""
    words = text.lower().split()
    if not any(word.isdecimal() for word in words):
        return set()
    rows = list(_rows(details))
    everything = "\n".join(path for path, _ in rows)
    names = [_stem(word) for word in words if not word.isdecimal()]
    needed = [word for word in names if word in everything]
    if any(word not in everything for word in names[1:]):
        return set()
    numbers = [word for word in words if word.isdecimal()]
    return {
        id(detail)
        for path, detail in rows
        if all(word in path for word in needed) and all(_matches_number(one, path) for one in numbers)
    }


def _rows(details: Sequence[Detail]) -> Iterable[tuple[str, Detail]]:
    """Yield every row of the model with its path, without recursion: nesting may be thousands deep."""
    pending = [(row.name, row) for one in details if one.name == MODEL for row in one.children]
    while pending:
        path, row = pending.pop()
        yield path.lower(), row
        pending += [(f"{path}.{child.name}", child) for child in row.children]


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 2 else word


def _matches_number(number: str, path: str) -> bool:
    """Return True when a part of the path is this number, or a word that ends in it: 2, layer2, layer_2."""
    return any(re.fullmatch(rf"[a-z_]*0*{number}", part) for part in path.split("."))
