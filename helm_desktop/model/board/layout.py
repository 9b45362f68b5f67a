"""What is kept of a board: its pages, sections and charts as their readers arranged them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from helm_desktop.model.board.default_layout import LARGE_PREFIX, ONE_PAGE_UPTO, charted, lay_out, prefix_of
from helm_desktop.model.chart.spec import STEP, ChartSpec

WIDEST, TALLEST = 6, 4


class BoardChart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a chart shows, how many columns and rows it takes, and whether it is in sight."""

    spec: ChartSpec
    columns: int = 1
    rows: int = 1
    hidden: bool = False
    pinned: bool = False

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= WIDEST and 1 <= self.rows <= TALLEST):
            raise ValueError(f"a chart takes 1 to {WIDEST} columns and 1 to {TALLEST} rows")


class BoardSection(msgspec.Struct, frozen=True, omit_defaults=True):
    """A titled group of charts, by their ids."""

    id: str
    title: str
    charts: tuple[str, ...] = ()


class BoardPage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tab of the board."""

    id: str
    title: str
    sections: tuple[BoardSection, ...] = ()

    @property
    def charts(self) -> tuple[str, ...]:
        """Every chart of the page, in order."""
        return tuple(chart for section in self.sections for chart in section.charts)


class BoardLayout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A board. The id of a stream's own chart is the stream's name; `charts` has what is not as usual."""

    pages: tuple[BoardPage, ...] | None = None  # None: as the rules lay it out
    placed: tuple[str, ...] = ()  # streams that have had their place; they do not come back by themselves
    charts: dict[str, BoardChart] = {}
    folded: tuple[str, ...] = ()  # ids of sections
    x: str = STEP
    smoothing: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.smoothing < 1:
            raise ValueError(f"smoothing is {self.smoothing}, it must be 0 or more and less than 1")

    def chart(self, chart_id: str) -> BoardChart:
        """Return a chart by its id."""
        found = self.charts.get(chart_id)
        return found if found is not None else BoardChart(spec=ChartSpec(series=(chart_id,)))

    def spec_of(self, chart_id: str) -> ChartSpec:
        """Return what a chart shows, with what the board says for all of its charts."""
        spec = self.chart(chart_id).spec
        if spec.x == STEP and self.x != STEP:
            spec = spec.with_(x=self.x)
        if not spec.smoothing and self.smoothing:
            spec = spec.with_(smoothing=self.smoothing)
        return spec

    def with_(self, **changes: object) -> BoardLayout:
        """Return the same with some parts changed."""
        return msgspec.structs.replace(self, **changes)


def resolve(layout: BoardLayout, names: Sequence[str], extra: Iterable[str] = ()) -> tuple[BoardPage, ...]:
    """Every page with the streams of a run in their places: arranged ones where they were put, new ones
    by the rules. `extra` are ids of charts that are there without a stream of their own."""
    if layout.pages is None:
        return by_rule([*names, *extra])
    placed = set(layout.placed)
    fresh = [name for name in charted(names) if name not in placed]
    return _with_fresh(layout.pages, fresh) if fresh else layout.pages


def arranged(layout: BoardLayout, names: Sequence[str], extra: Iterable[str] = ()) -> BoardLayout:
    """Return the layout with every chart's place written down, so that it can be changed."""
    pages = resolve(layout, names, extra)
    placed = tuple(dict.fromkeys((*layout.placed, *charted(names))))
    return layout.with_(pages=pages, placed=placed)


def by_rule(names: Sequence[str]) -> tuple[BoardPage, ...]:
    """Return the pages of a board that nobody has changed."""
    pages = []
    for plan in lay_out(names):
        page = f"rule:{plan.title}"
        sections = tuple(
            BoardSection(f"{page}:{part.title}", part.title, part.charts) for part in plan.sections
        )
        pages.append(BoardPage(page, plan.title, sections))
    return tuple(pages)


def _with_fresh(pages: tuple[BoardPage, ...], fresh: Sequence[str]) -> tuple[BoardPage, ...]:
    """New streams join the section that has most of their prefix; others get a section, or a page."""
    groups: dict[str, list[str]] = {}
    for name in fresh:
        groups.setdefault(prefix_of(name), []).append(name)
    total = sum(len(page.charts) for page in pages) + len(fresh)
    for prefix, names in groups.items():
        home = _home(pages, prefix)
        if home is not None:
            pages = tuple(_joined(page, home, prefix, names) for page in pages)
        elif not pages or (prefix and total > ONE_PAGE_UPTO and len(names) >= LARGE_PREFIX):
            page_id = f"rule:{prefix}"
            section = BoardSection(f"{page_id}:{prefix}", prefix or "All metrics", tuple(names))
            pages = (*pages, BoardPage(page_id, prefix or "Overview", (section,)))
        else:
            first = pages[0]
            section = BoardSection(f"{first.id}:{prefix}", prefix or "other", tuple(names))
            pages = (msgspec.structs.replace(first, sections=(*first.sections, section)), *pages[1:])
    return pages


def _home(pages: tuple[BoardPage, ...], prefix: str) -> str | None:
    """Return the section with most charts of a prefix, or an empty one of its name."""
    best, most = None, 0
    for page in pages:
        for section in page.sections:
            mine = sum(1 for chart in section.charts if prefix_of(chart) == prefix)
            if mine > most:
                best, most = section.id, mine
            elif best is None and prefix and section.title == prefix:
                best = section.id
    return best


def _joined(page: BoardPage, home: str, prefix: str, names: Sequence[str]) -> BoardPage:
    if all(section.id != home for section in page.sections):
        return page
    sections = []
    for section in page.sections:
        if section.id == home:
            mine = [at for at, chart in enumerate(section.charts) if prefix_of(chart) == prefix]
            at = mine[-1] + 1 if mine else len(section.charts)
            charts = (*section.charts[:at], *names, *section.charts[at:])
            section = msgspec.structs.replace(section, charts=charts)
        sections.append(section)
    return msgspec.structs.replace(page, sections=tuple(sections))
