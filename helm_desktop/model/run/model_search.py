"""Finding a layer in the model by the words of a chart's row: "layer 2" is 2.weight and h.2.attn alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from helm_desktop.model.run.details import Detail

MODEL = "Model"


def found_in_model(details: Sequence[Detail], text: str) -> set[int]:
    """Ids (of the objects) of the rows of the model tree that stand for the layer in the text."""
    words = text.lower().split()
    if not any(word.isdecimal() for word in words):
        return set()
    rows = list(_rows(details))
    everything = "\n".join(path for path, _ in rows)
    requested = [_stem(word) for word in words if not word.isdecimal()]
    needed = [word for word in requested if word in everything]
    if any(word not in everything for word in requested[1:]):
        return set()
    numbers = [word for word in words if word.isdecimal()]
    return {
        id(detail)
        for path, detail in rows
        if all(word in path for word in needed) and all(_matches_number(one, path) for one in numbers)
    }


def _rows(details: Sequence[Detail]) -> Iterable[tuple[str, Detail]]:
    """Yield every row of the model with its path; nesting may be thousands deep."""
    waiting = [(row.name, row) for one in details if one.name == MODEL for row in one.children]
    while waiting:
        path, row = waiting.pop()
        yield path.lower(), row
        waiting += [(f"{path}.{child.name}", child) for child in row.children]


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 2 else word


def _matches_number(number: str, path: str) -> bool:
    """Return True when a part of the path is this number, or a word that ends in it: 2, layer2, layer_2."""
    return any(re.fullmatch(rf"[a-z_]*0*{number}", part) for part in path.split("."))
