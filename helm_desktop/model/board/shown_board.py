"""What of a board is drawn for one run: charts it has streams for, not hidden, found by the search."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from helm_desktop.format import plural
from helm_desktop.model.board.layout import BoardLayout, BoardPage, BoardSection
from helm_desktop.model.chart.expression import ExpressionError, names_in, parse
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series import name_patterns as variables

PINNED = "Pinned"
Find = Callable[[str], bool]


@dataclass(frozen=True)
class ShownSection:
    """A section as this run shows it."""

    id: str
    title: str
    charts: tuple[str, ...]
    hidden: int = 0
    absent: int = 0

    @property
    def text(self) -> str:
        """How many charts there are, and how many of them cannot be seen."""
        words = [plural(len(self.charts), "chart")]
        words += [f"{self.hidden} hidden"] if self.hidden else []
        words += [f"{self.absent} not logged by this run"] if self.absent else []
        return ", ".join(words)


@dataclass(frozen=True)
class ShownPage:
    """A page as this run shows it."""

    id: str
    title: str
    sections: tuple[ShownSection, ...]

    @property
    def charts(self) -> tuple[str, ...]:
        """Every chart of the page, in order."""
        return tuple(chart for section in self.sections for chart in section.charts)


class BadPattern(ValueError):
    """A search that is no regular expression; the message is a sentence."""


def finder(text: str, *, regex: bool = False) -> Find | None:
    """How a search finds names: by every word of it, or by a regular expression. None for no search."""
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
    """Return the pages to draw. A page that has charts and none of them in this run is left out."""
    known = dict.fromkeys(names)
    made = []
    for page in pages:
        whole = page.charts
        sections = [_section(section, layout, known, find, hidden_too) for section in page.sections]
        sections = _with_pinned(page, layout, sections)
        kept = tuple(one for one in sections if one.charts or (find is None and _stays(one)))
        if kept or (not whole and find is None):
            made.append(ShownPage(page.id, page.title, kept))
    return tuple(made)


def draws(spec: ChartSpec, known: dict[str, None]) -> bool:
    """Return True when a run has anything for a chart. One that nothing was chosen for yet counts too."""
    if any(name in known for name in spec.series) or not (spec.series or spec.derived):
        return True
    if any(set(_parts(one.expression)) <= known.keys() for one in spec.derived):
        return True
    patterns = [text for text in spec.series if variables.variables(text)]
    return any(variables.matches(text, known) for text in patterns)


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


def _stays(section: ShownSection) -> bool:
    """Whether a section without a chart to draw is shown: an empty one, or one with hidden charts."""
    return bool(section.hidden) or not section.absent


def _with_pinned(page: BoardPage, layout: BoardLayout, sections: list[ShownSection]) -> list[ShownSection]:
    """Pinned charts stand above the others of their page."""
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
