"""What the curves of a chart are called, and how many there are of what."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import takewhile

from helm_desktop.format import plural
from helm_desktop.model.chart.chart_source import ShownSeries
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series.name_patterns import matches, value_text, variables


def short(names: list[str]) -> list[str]:
    """Return names without what all of them begin with, cut at a separator."""
    if len(names) < 2:
        return list(names)
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    shared = "".join(letters[0] for letters in alike)
    cut = max((shared.rfind(mark) for mark in "/._ "), default=-1) + 1
    return [name[cut:] or name for name in names]


def names_of(spec: ChartSpec, shown: Sequence[ShownSeries]) -> list[str]:
    """Return what each series is called: by the values of its variables, otherwise as short as can be."""
    reported = [of_values(spec, one) for one in shown]
    if all(reported):
        return reported
    return short([words or one.label for words, one in zip(reported, shown, strict=True)])


def of_values(spec: ChartSpec, shown: ShownSeries) -> str:
    """Return the values of a series' variables: "layer 2 · q_proj"."""
    texts = spec.series if shown.values else ()
    pattern = next((text for text in texts if matches(text, [shown.label])), "")
    return value_text(pattern, shown.values)


def counted(spec: ChartSpec, shown: Sequence[ShownSeries], processes: AbstractSet[str]) -> str:
    """3 layers, 2 ranks, 3 layers × 2 ranks, 5 series."""
    parts = []
    patterns = [text for text in spec.series if variables(text)]
    if len(patterns) == 1 and all(one.values for one in shown):
        for at, variable in enumerate(variables(patterns[0])):
            parts.append(plural(len({one.values[at] for one in shown}), variable))
    elif len(shown) > 1:
        parts.append(f"{len(shown):,} series")
    if len(processes) > 1:
        ranks = all(process.startswith("rank-") for process in processes)
        parts.append(plural(len(processes), "rank" if ranks else "process"))
    return " × ".join(parts)
