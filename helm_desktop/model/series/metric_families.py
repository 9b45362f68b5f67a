"""Families of metrics: names that differ only in numbers, such as layer0 and layer1, or in a data source."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from helm_desktop.model.series import name_patterns as naming

_NUMBER = re.compile(r"\d+")
SOURCE = "source"
LEAST_SHARED = 3  # last parts that two groups of names must share to count as sources
# Last parts that name a statistic and not a data source.
_SUMS = ("mean", "std", "min", "max", "norm", "sum", "count", "median", "var", "rms", "abs", "total")
_SCORES = ("loss", "acc", "accuracy", "p50", "p90", "p95", "p99")
_STATISTICS = frozenset((*_SUMS, *_SCORES))


@dataclass(frozen=True)
class MetricFamily:
    """A pattern and the names that match it. A name that belongs to no group is a family without facets."""

    pattern: str
    names: tuple[str, ...]
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by facet, a value for each name

    @property
    def alone(self) -> bool:
        """Whether the family has one name only."""
        return len(self.names) == 1

    def label(self, at: int) -> str:
        """Return the text for the name at an index by its facets, such as "layer 2 · code"."""
        if not self.facets:
            return self.names[at]
        values = [(facet, values[at]) for facet, values in self.facets.items()]
        return " · ".join(f"{facet} {value}" if value.isdecimal() else value for facet, value in values)


def families(names: Sequence[str], sources: Sequence[Collection[str]] = ()) -> list[MetricFamily]:
    """Group the names into families, in the order of the first name of each. `sources`: known mixtures."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_NUMBER.sub("0", name), []).append(name)
    numbered: dict[str, MetricFamily] = {}
    plain: list[str] = []
    for group in groups.values():
        if len(group) > 1:
            numbered[group[0]] = _by_numbers(group)
        else:
            plain.append(group[0])
    sourced, alone = _by_source(plain, sources), set(plain)
    made: list[MetricFamily] = []
    added: set[str] = set()
    for name in names:
        found = numbered.get(name) or sourced.get(name)
        if found is not None:
            if found.pattern not in added:
                added.add(found.pattern)
                made.append(found)
        elif name in alone:
            made.append(MetricFamily(name, (name,)))
    return made


def _by_numbers(group: Sequence[str]) -> MetricFamily:
    """Return the family of names that differ in numbers: the numbers that differ become variables."""
    columns = list(zip(*(_NUMBER.findall(name) for name in group), strict=True))
    spans = [match.start() for match in _NUMBER.finditer(group[0])]
    pattern = group[0]
    facets: dict[str, tuple[str, ...]] = {}
    for start, column in reversed(list(zip(spans, columns, strict=True))):
        if len(set(column)) > 1:
            before = naming.variables(pattern)
            made = naming.make_variable(pattern, start)
            if made == pattern:
                continue
            pattern = made
            fresh = next(one for one in naming.variables(made) if one not in before)
            facets = {fresh: column, **facets}
    order = sorted(range(len(group)), key=lambda at: [int(column[at]) for column in columns])
    ordered = {name: tuple(column[at] for at in order) for name, column in facets.items()}
    return MetricFamily(pattern, tuple(group[at] for at in order), ordered)


def _by_source(plain: Sequence[str], sources: Sequence[Collection[str]]) -> dict[str, MetricFamily]:
    """Group names whose last parts are components of a mixture, or are shared by several groups."""
    groups: dict[str, list[str]] = {}
    for name in plain:
        parent, slash, _ = name.rpartition("/")
        if slash:
            groups.setdefault(parent, []).append(name)
    lasts = {parent: frozenset(_last(name) for name in group) for parent, group in groups.items()}
    known = [frozenset(one) for one in sources]
    shared: dict[frozenset[str], int] = {}
    for values in lasts.values():
        if len(values) >= LEAST_SHARED and not values & _STATISTICS:
            shared[values] = shared.get(values, 0) + 1
    found: dict[str, MetricFamily] = {}
    for parent, group in groups.items():
        values = lasts[parent]
        if any(len(values & one) > 1 and values <= one for one in known) or shared.get(values, 0) > 1:
            family = MetricFamily(
                f"{parent}/{{{SOURCE}}}", tuple(group), {SOURCE: tuple(_last(name) for name in group)}
            )
            found |= dict.fromkeys(group, family)
    return found


def _last(name: str) -> str:
    return name.rpartition("/")[2]
