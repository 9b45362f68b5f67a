"""What is drawn of a board for one run: charts with streams, not hidden, that match the search."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from helm_desktop.format import plural
from helm_desktop.model.board.layout import BoardLayout, BoardPage, BoardSection
from helm_desktop.model.chart.expression import ExpressionError, names_in, parse
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series import name_patterns as naming

PINNED = "Pinned"
Find = Callable[[str], bool]


@dataclass(frozen=True)
class ShownSection:
    """A section with the charts that are drawn for this run, and the numbers of the others."""

    id: str
    title: str
    charts: tuple[str, ...]
    hidden: int = 0
    absent: int = 0

    @property
    def text(self) -> str:
        """A text with the number of charts, and of those that are hidden or not logged."""
        parts = [plural(len(self.charts), "chart")]
        parts += [f"{self.hidden} hidden"] if self.hidden else []
        parts += [f"{self.absent} not logged by this run"] if self.absent else []
        return ", ".join(parts)


@dataclass(frozen=True)
class ShownPage:
    """A page with the sections that are drawn for this run."""

    id: str
    title: str
    sections: tuple[ShownSection, ...]

    @property
    def charts(self) -> tuple[str, ...]:
        """All charts of the page, in order."""
        return tuple(chart for section in self.sections for chart in section.charts)


class BadPattern(ValueError):
    """A search text that is not a regular expression; the message is a sentence."""


def finder(text: str, *, regex: bool = False) -> Find | None:
    """Return a test of names by all words of a text, or by a regular expression; None for an empty text.

    Raises BadPattern.
    """
    text = text.strip()
    if not text:
        return None
    if regex:
        try:
            pattern = re.compile(text, re.IGNORECASE)
        except re.error as error:
            raise BadPattern(f"{text} is no regular expression: {error}") from None
        return lambda name: pattern.search(name) is not None
    words = text.lower().split()
    return lambda name: all(word in name.lower() for word in words)


def shown(
    pages: Sequence[BoardPage],
    layout: BoardLayout,
    names: Iterable[str],
    *,
    find: Find | None = None,
    hidden_too: bool = False,
) -> tuple[ShownPage, ...]:
    """Return the pages to draw. A page is left out when it has charts and none of them is shown."""
    known = dict.fromkeys(names)
    made = []
    for page in pages:
        whole = page.charts
        sections = [_section(section, layout, known, find, hidden_too) for section in page.sections]
        sections = _with_pinned(page, layout, sections)
        kept = tuple(one for one in sections if one.charts or (find is None and _shown_without_charts(one)))
        if kept or (not whole and find is None):
            made.append(ShownPage(page.id, page.title, kept))
    return tuple(made)


def draws(spec: ChartSpec, known: dict[str, None]) -> bool:
    """Return True when a run has a stream for a chart, or when the chart has no series yet."""
    if any(name in known for name in spec.series) or not (spec.series or spec.derived):
        return True
    if any(set(_parts(one.expression)) <= known.keys() for one in spec.derived):
        return True
    patterns = [text for text in spec.series if naming.variables(text)]
    return any(naming.matches(text, known) for text in patterns)


def _parts(expression: str) -> Sequence[str]:
    try:
        return names_in(parse(expression))
    except ExpressionError:
        return ("",)


def _section(
    section: BoardSection, layout: BoardLayout, known: dict[str, None], find: Find | None, hidden_too: bool
) -> ShownSection:
    charts, hidden, absent = [], 0, 0
    for chart_id in section.charts:
        own = layout.charts.get(chart_id)
        if own is None:
            if chart_id not in known:
                absent += 1
            elif find is None or find(chart_id):
                charts.append(chart_id)
        elif not draws(own.spec, known):
            absent += 1
        elif find is not None and not (find(own.spec.heading) or any(map(find, own.spec.series))):
            continue
        elif own.hidden and not hidden_too:
            hidden += 1
        else:
            charts.append(chart_id)
    return ShownSection(section.id, section.title, tuple(charts), hidden, absent)


def _shown_without_charts(section: ShownSection) -> bool:
    """Return True for a section that is shown without a chart to draw: it is empty or has hidden charts."""
    return bool(section.hidden) or not section.absent


def _with_pinned(page: BoardPage, layout: BoardLayout, sections: list[ShownSection]) -> list[ShownSection]:
    """Move pinned charts to a section of their own at the top of their page."""
    if not layout.charts or not any(chart.pinned for chart in layout.charts.values()):
        return sections
    pinned = tuple(
        chart
        for section in sections
        for chart in section.charts
        if chart in layout.charts and layout.charts[chart].pinned
    )
    if not pinned:
        return sections
    rest = [
        ShownSection(
            one.id,
            one.title,
            tuple(chart for chart in one.charts if chart not in pinned),
            one.hidden,
            one.absent,
        )
        for one in sections
    ]
    kept = [after for before, after in zip(sections, rest, strict=True) if after.charts or not before.charts]
    return [ShownSection(f"{page.id}/pinned", PINNED, pinned), *kept]
