"""The stored layout of a board: its pages, sections and charts as the user arranged them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from helm_desktop.model.board.default_layout import LARGE_PREFIX, ONE_PAGE_UPTO, charted, lay_out, prefix_of
from helm_desktop.model.chart.spec import STEP, ChartSpec

WIDEST, TALLEST = 6, 4


class BoardChart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A chart: what it shows, its size in columns and rows, and whether it is hidden or pinned."""

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
        """All charts of the page, in order."""
        return tuple(chart for section in self.sections for chart in section.charts)


class BoardLayout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A board. The id of the own chart of a stream is the stream's name; `charts` has the changed ones."""

    pages: tuple[BoardPage, ...] | None = None  # None: the default layout
    placed: tuple[str, ...] = ()  # streams that had a chart: removed ones do not come back by themselves
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
        """Return what a chart shows, with the settings of the board for all charts."""
        spec = self.chart(chart_id).spec
        if spec.x == STEP and self.x != STEP:
            spec = spec.with_(x=self.x)
        if not spec.smoothing and self.smoothing:
            spec = spec.with_(smoothing=self.smoothing)
        return spec

    def with_(self, **changes: object) -> BoardLayout:
        """Return a copy with some parts changed."""
        return msgspec.structs.replace(self, **changes)


def resolve(layout: BoardLayout, names: Sequence[str], extra: Iterable[str] = ()) -> tuple[BoardPage, ...]:
    """Return all pages with the streams of a run: those with a position there, others at a default one.

    `extra` are the ids of charts that exist without a stream of their own.
    """
    if layout.pages is None:
        return default_pages([*names, *extra])
    placed = set(layout.placed)
    new = [name for name in charted(names) if name not in placed]
    return _with_new(layout.pages, new) if new else layout.pages


def arranged(layout: BoardLayout, names: Sequence[str], extra: Iterable[str] = ()) -> BoardLayout:
    """Return the layout with explicit positions of all charts, so that they can be edited."""
    pages = resolve(layout, names, extra)
    placed = tuple(dict.fromkeys((*layout.placed, *charted(names))))
    return layout.with_(pages=pages, placed=placed)


def default_pages(names: Sequence[str]) -> tuple[BoardPage, ...]:
    """Return the pages of the default layout."""
    pages = []
    for plan in lay_out(names):
        page = f"rule:{plan.title}"
        sections = tuple(
            BoardSection(f"{page}:{part.title}", part.title, part.charts) for part in plan.sections
        )
        pages.append(BoardPage(page, plan.title, sections))
    return tuple(pages)


def _with_new(pages: tuple[BoardPage, ...], new: Sequence[str]) -> tuple[BoardPage, ...]:
    """Add new streams to the section with most charts of their prefix, else to a new section or page."""
    groups: dict[str, list[str]] = {}
    for name in new:
        groups.setdefault(prefix_of(name), []).append(name)
    total = sum(len(page.charts) for page in pages) + len(new)
    for prefix, names in groups.items():
        section_id = _section_for(pages, prefix)
        if section_id is not None:
            pages = tuple(_with_charts(page, section_id, prefix, names) for page in pages)
        elif not pages or (prefix and total > ONE_PAGE_UPTO and len(names) >= LARGE_PREFIX):
            page_id = f"rule:{prefix}"
            section = BoardSection(f"{page_id}:{prefix}", prefix or "All metrics", tuple(names))
            pages = (*pages, BoardPage(page_id, prefix or "Overview", (section,)))
        else:
            first = pages[0]
            section = BoardSection(f"{first.id}:{prefix}", prefix or "other", tuple(names))
            pages = (msgspec.structs.replace(first, sections=(*first.sections, section)), *pages[1:])
    return pages


def _section_for(pages: tuple[BoardPage, ...], prefix: str) -> str | None:
    """Return the id of the section with most charts of a prefix, or with that title; else None."""
    best, most = None, 0
    for page in pages:
        for section in page.sections:
            mine = sum(1 for chart in section.charts if prefix_of(chart) == prefix)
            if mine > most:
                best, most = section.id, mine
            elif best is None and prefix and section.title == prefix:
                best = section.id
    return best


def _with_charts(page: BoardPage, section_id: str, prefix: str, names: Sequence[str]) -> BoardPage:
    if all(section.id != section_id for section in page.sections):
        return page
    sections = []
    for section in page.sections:
        if section.id == section_id:
            mine = [at for at, chart in enumerate(section.charts) if prefix_of(chart) == prefix]
            at = mine[-1] + 1 if mine else len(section.charts)
            charts = (*section.charts[:at], *names, *section.charts[at:])
            section = msgspec.structs.replace(section, charts=charts)
        sections.append(section)
    return msgspec.structs.replace(page, sections=tuple(sections))
