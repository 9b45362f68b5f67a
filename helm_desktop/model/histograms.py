"""Histograms that a run logged: counts between edges, by step."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from helm_desktop.model.columns import Array


@dataclass(frozen=True, slots=True)
class Histogram:
    """One of them."""

    step: int
    counts: Array
    edges: Array


def read_histogram(step: int, content: bytes) -> Histogram | None:
    """From the file of a "media" event of the type "histogram"; nothing when it cannot be read."""
    try:
        held = json.loads(content)
        counts, edges = np.asarray(held["counts"], float), np.asarray(held["edges"], float)
    except (ValueError, KeyError, TypeError):
        return None
    if len(edges) != len(counts) + 1 or not np.isfinite(edges).all() or (np.diff(edges) < 0).any():
        return None
    return Histogram(step, counts, edges)


def in_order(histograms: Iterable[Histogram]) -> list[Histogram]:
    """By step; of a step logged twice the later."""
    return [one for _, one in sorted({one.step: one for one in histograms}.items())]


def spread(histogram: Histogram, edges: Array) -> Array:
    """The counts between other edges, those of a bin shared out evenly over its width. The sum stays."""
    counts = np.append(0.0, np.cumsum(histogram.counts))
    own = histogram.edges
    if own[-1] == own[0]:
        made = np.zeros(len(edges) - 1)
        made[min(max(int(np.searchsorted(edges, own[0], "right")) - 1, 0), len(made) - 1)] = counts[-1]
        return made
    rising = own + np.arange(len(own)) * np.spacing(np.abs(own).max())
    return np.diff(np.interp(edges, rising, counts, left=0.0, right=float(counts[-1])))
