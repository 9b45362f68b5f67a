"""The default layout of a board, made from the names of the streams alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from helm_desktop.format import plural

ONE_SECTION_UPTO = 12
ONE_PAGE_UPTO = 48
LARGE_PREFIX = 12
OVERVIEW = "Overview"
PLANNED = "optim/lr/planned"

# The order of prefixes: training metrics come first, those of the machine last.
_ORDER = {"train": 0, "loss": 1, "val": 2, "eval": 3, "optim": 4, "perf": 8, "cuda": 9, "system": 10}
_OTHER = 5  # the order of every other prefix


@dataclass(frozen=True)
class SectionPlan:
    """A section of charts that can be folded; each chart shows the stream of its name."""

    title: str
    charts: tuple[str, ...]

    @property
    def text(self) -> str:
        """The number of its charts as a text."""
        return plural(len(self.charts), "chart")


@dataclass(frozen=True)
class PagePlan:
    """A tab of the board."""

    title: str
    sections: tuple[SectionPlan, ...]

    @property
    def charts(self) -> tuple[str, ...]:
        """All charts of the page, in order."""
        return tuple(chart for section in self.sections for chart in section.charts)


def prefix_of(name: str) -> str:
    """Return the part of a name before the first slash; empty for a name without one."""
    head, slash, _ = name.partition("/")
    return head if slash else ""


def charted(names: Iterable[str]) -> list[str]:
    """Return the streams that get a chart of their own."""
    return [name for name in dict.fromkeys(names) if name != PLANNED]


def lay_out(names: Iterable[str]) -> tuple[PagePlan, ...]:
    """Return the default pages: few charts have one section, more of them sections and pages by prefix."""
    charts = _in_order(charted(names))
    if not charts:
        return ()
    if len(charts) <= ONE_SECTION_UPTO:
        return (PagePlan(OVERVIEW, (SectionPlan(_joint_title(charts), tuple(charts)),)),)
    if len(charts) <= ONE_PAGE_UPTO:
        return (PagePlan(OVERVIEW, _by_prefix(charts)),)
    rest: list[SectionPlan] = []
    pages: list[PagePlan] = []
    for prefix, group in _groups(charts).items():
        if prefix and len(group) >= LARGE_PREFIX:
            pages.append(PagePlan(prefix, (SectionPlan(prefix, tuple(group)),)))
        else:
            rest.append(SectionPlan(prefix or "other", tuple(group)))
    return (PagePlan(OVERVIEW, tuple(rest)), *pages) if rest else tuple(pages)


def _in_order(charts: Sequence[str]) -> list[str]:
    """Return the charts with known prefixes first, others as they came; a prefix stays together."""
    came = {prefix: index for index, prefix in enumerate(dict.fromkeys(map(prefix_of, charts)))}
    return sorted(
        charts, key=lambda name: (_ORDER.get(prefix_of(name) or name, _OTHER), came[prefix_of(name)])
    )


def _groups(charts: Sequence[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in charts:
        groups.setdefault(prefix_of(name), []).append(name)
    return groups


def _by_prefix(charts: Sequence[str]) -> tuple[SectionPlan, ...]:
    return tuple(SectionPlan(prefix or "other", tuple(group)) for prefix, group in _groups(charts).items())


def _joint_title(charts: Sequence[str]) -> str:
    """Return the title for the only section of a small board."""
    prefixes = list(dict.fromkeys(prefix_of(name) for name in charts))
    if "" in prefixes or len(prefixes) > 3:
        return "All metrics"
    if len(prefixes) == 1:
        return prefixes[0]
    return f"{', '.join(prefixes[:-1])} and {prefixes[-1]}"
