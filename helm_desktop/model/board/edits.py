"""Edits of a board: each takes a layout with explicit positions and returns another one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import msgspec

from helm_desktop.model.board.layout import TALLEST, WIDEST, BoardChart, BoardLayout, BoardPage, BoardSection
from helm_desktop.model.chart.spec import ChartSpec

PageChange = Callable[[BoardPage], BoardPage]


@dataclass(frozen=True)
class ChartPlace:
    """The section of a chart and its position there."""

    section: str
    at: int


def fresh_id(layout: BoardLayout, kind: str) -> str:
    """Return an id that nothing on the board has."""
    pages = layout.pages or ()
    used = {page.id for page in pages} | {section.id for page in pages for section in page.sections}
    used |= set(layout.charts) | set(layout.placed) | {chart for page in pages for chart in page.charts}
    return next(name for number in range(1, 1 << 62) if (name := f"{kind}:{number}") not in used)


def place_of(layout: BoardLayout, chart_id: str) -> ChartPlace | None:
    """Return the section and position of a chart; None when it is on no page."""
    for page in layout.pages or ():
        for section in page.sections:
            if chart_id in section.charts:
                return ChartPlace(section.id, section.charts.index(chart_id))
    return None


# Pages -------------------------------------------------------------------------------------------


def add_page(layout: BoardLayout, title: str) -> BoardLayout:
    """Add a page at the end, with an empty section for charts."""
    page = fresh_id(layout, "page")
    section = BoardSection(fresh_id(layout, "section"), "Charts")
    return layout.with_(pages=(*(layout.pages or ()), BoardPage(page, title, (section,))))


def rename_page(layout: BoardLayout, page_id: str, title: str) -> BoardLayout:
    """Set the title of a page."""
    return _page(layout, page_id, lambda page: msgspec.structs.replace(page, title=title))


def remove_page(layout: BoardLayout, page_id: str) -> BoardLayout:
    """Remove a page and its charts."""
    gone = [page for page in layout.pages or () if page.id == page_id]
    pages = tuple(page for page in layout.pages or () if page.id != page_id)
    return _forget(layout.with_(pages=pages), [chart for page in gone for chart in page.charts])


def move_page(layout: BoardLayout, page_id: str, to: int) -> BoardLayout:
    """Move a page to another index among the tabs."""
    pages = list(layout.pages or ())
    page = next((page for page in pages if page.id == page_id), None)
    if page is None:
        return layout
    pages.remove(page)
    pages.insert(max(0, min(to, len(pages))), page)
    return layout.with_(pages=tuple(pages))


# Sections ----------------------------------------------------------------------------------------


def add_section(layout: BoardLayout, page_id: str, title: str) -> BoardLayout:
    """Add a section at the end of a page."""
    section = BoardSection(fresh_id(layout, "section"), title)
    return _page(
        layout, page_id, lambda page: msgspec.structs.replace(page, sections=(*page.sections, section))
    )


def rename_section(layout: BoardLayout, section_id: str, title: str) -> BoardLayout:
    """Set the title of a section."""
    return _section(layout, section_id, lambda section: msgspec.structs.replace(section, title=title))


def set_folded(layout: BoardLayout, sections: Iterable[str], on: bool) -> BoardLayout:
    """Fold or unfold sections. The layout may have default positions."""
    chosen = list(sections)
    rest = [section for section in layout.folded if section not in chosen]
    return layout.with_(folded=tuple(rest + chosen if on else rest))


def merge_section(layout: BoardLayout, section_id: str) -> BoardLayout:
    """Merge a section into the one above it; the first section is merged with the one below it."""

    def change(page: BoardPage) -> BoardPage:
        at = next((at for at, section in enumerate(page.sections) if section.id == section_id), -1)
        if at < 0 or len(page.sections) < 2:
            return page
        upper = max(0, at - 1)
        first, second = page.sections[upper], page.sections[upper + 1]
        title = first.title if not second.charts else f"{first.title} and {second.title}"
        if not first.charts:
            title = second.title
        merged = msgspec.structs.replace(first, title=title, charts=first.charts + second.charts)
        return msgspec.structs.replace(
            page, sections=(*page.sections[:upper], merged, *page.sections[upper + 2 :])
        )

    return _each_page(layout, change)


def remove_section(layout: BoardLayout, section_id: str) -> BoardLayout:
    """Remove a section and its charts."""
    gone = [section for page in layout.pages or () for section in page.sections if section.id == section_id]

    def change(page: BoardPage) -> BoardPage:
        return msgspec.structs.replace(
            page, sections=tuple(section for section in page.sections if section.id != section_id)
        )

    return _forget(_each_page(layout, change), [chart for section in gone for chart in section.charts])


def move_section(layout: BoardLayout, section_id: str, by: int) -> BoardLayout:
    """Move a section on its page by a number of positions, up when negative."""

    def change(page: BoardPage) -> BoardPage:
        sections = list(page.sections)
        at = next((at for at, section in enumerate(sections) if section.id == section_id), -1)
        if at < 0:
            return page
        sections.insert(max(0, min(at + by, len(sections) - 1)), sections.pop(at))
        return msgspec.structs.replace(page, sections=tuple(sections))

    return _each_page(layout, change)


# Charts ------------------------------------------------------------------------------------------


def move_chart(layout: BoardLayout, chart_id: str, section_id: str, before: str = "") -> BoardLayout:
    """Move a chart into a section, before another chart or to the end."""
    if chart_id == before or not any(
        section.id == section_id for page in layout.pages or () for section in page.sections
    ):
        return layout
    return _insert(_remove(layout, chart_id), chart_id, section_id, before)


def add_chart(
    layout: BoardLayout, spec: ChartSpec, section_id: str, before: str = "", like: str = ""
) -> BoardLayout:
    """Add a chart to a section, before another chart or at the end, with the size of the chart `like`."""
    chart_id = fresh_id(layout, "chart")
    model = layout.chart(like) if like else BoardChart(spec=spec)
    chart = msgspec.structs.replace(model, spec=spec, hidden=False)
    return _insert(layout.with_(charts={**layout.charts, chart_id: chart}), chart_id, section_id, before)


def duplicate_chart(layout: BoardLayout, chart_id: str) -> BoardLayout:
    """Add a copy of a chart directly after it."""
    place = place_of(layout, chart_id)
    if place is None:
        return layout
    section = section_of(layout, place.section)
    after = section.charts[place.at + 1] if place.at + 1 < len(section.charts) else ""
    return add_chart(layout, layout.chart(chart_id).spec, place.section, after, chart_id)


def remove_chart(layout: BoardLayout, chart_id: str) -> BoardLayout:
    """Remove a chart. Its stream does not get a chart again by itself."""
    return _forget(_remove(layout, chart_id), [chart_id])


def set_chart(layout: BoardLayout, chart_id: str, **changes: object) -> BoardLayout:
    """Change the specification, size or visibility of a chart. The layout may have default positions."""
    chart = msgspec.structs.replace(layout.chart(chart_id), **changes)
    if chart == layout.chart(chart_id):
        return layout
    charts = {**layout.charts, chart_id: chart}
    if chart == BoardChart(spec=ChartSpec(series=(chart_id,))):
        del charts[chart_id]
    return layout.with_(charts=charts)


def resize_chart(layout: BoardLayout, chart_id: str, columns: int, rows: int) -> BoardLayout:
    """Set the columns and rows of a chart, within their limits."""
    return set_chart(layout, chart_id, columns=max(1, min(columns, WIDEST)), rows=max(1, min(rows, TALLEST)))


def section_of(layout: BoardLayout, section_id: str) -> BoardSection:
    """Return a section by its id; raise KeyError when there is none."""
    for page in layout.pages or ():
        for section in page.sections:
            if section.id == section_id:
                return section
    raise KeyError(section_id)


def _page(layout: BoardLayout, page_id: str, change: PageChange) -> BoardLayout:
    return _each_page(layout, lambda page: change(page) if page.id == page_id else page)


def _each_page(layout: BoardLayout, change: PageChange) -> BoardLayout:
    return layout.with_(pages=tuple(change(page) for page in layout.pages or ()))


def _section(
    layout: BoardLayout, section_id: str, change: Callable[[BoardSection], BoardSection]
) -> BoardLayout:
    def each(page: BoardPage) -> BoardPage:
        if all(section.id != section_id for section in page.sections):
            return page
        sections = [change(section) if section.id == section_id else section for section in page.sections]
        return msgspec.structs.replace(page, sections=tuple(sections))

    return _each_page(layout, each)


def _remove(layout: BoardLayout, chart_id: str) -> BoardLayout:
    place = place_of(layout, chart_id)
    if place is None:
        return layout
    return _section(
        layout,
        place.section,
        lambda section: msgspec.structs.replace(
            section, charts=tuple(chart for chart in section.charts if chart != chart_id)
        ),
    )


def _insert(layout: BoardLayout, chart_id: str, section_id: str, before: str) -> BoardLayout:
    def change(section: BoardSection) -> BoardSection:
        at = section.charts.index(before) if before in section.charts else len(section.charts)
        return msgspec.structs.replace(section, charts=(*section.charts[:at], chart_id, *section.charts[at:]))

    return _section(layout, section_id, change)


def _forget(layout: BoardLayout, chart_ids: Iterable[str]) -> BoardLayout:
    gone = set(chart_ids) & set(layout.charts)
    if not gone:
        return layout
    return layout.with_(charts={key: chart for key, chart in layout.charts.items() if key not in gone})
