"""The merge of two edits of one board that were made in two windows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from helm_desktop.model.board.layout import BoardChart, BoardLayout, BoardPage, BoardSection, default_pages

_T = TypeVar("_T")


def merged(base: BoardLayout, mine: BoardLayout, theirs: BoardLayout) -> BoardLayout:
    """Return a layout with both edits; where both changed the same, `mine` is used. No chart is lost."""
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    return BoardLayout(
        pages=_pages(base, mine, theirs),
        placed=_placed(base, mine, theirs),
        charts=_charts(base.charts, mine.charts, theirs.charts),
        folded=_folded(base.folded, mine.folded, theirs.folded),
        x=_either(base.x, mine.x, theirs.x, mine.x),
        smoothing=_either(base.smoothing, mine.smoothing, theirs.smoothing, mine.smoothing),
    )


def _placed(base: BoardLayout, mine: BoardLayout, theirs: BoardLayout) -> tuple[str, ...]:
    if theirs.pages == base.pages:
        return mine.placed
    if mine.pages == base.pages:
        return theirs.placed
    if mine.pages is None:  # the board was reset here: charts that were removed are back
        gone = set(base.placed) - _sections_of(base.pages or ()).keys()
        return tuple(name for name in theirs.placed if name not in gone)
    return tuple(dict.fromkeys([*mine.placed, *theirs.placed]))


def _either(base: _T, mine: _T, theirs: _T, both: _T) -> _T:
    """Return the value that was changed, or `both` when both were."""
    if mine == base:
        return theirs
    return mine if theirs in (base, mine) else both


def _charts(
    base: Mapping[str, BoardChart], mine: Mapping[str, BoardChart], theirs: Mapping[str, BoardChart]
) -> dict[str, BoardChart]:
    made = {}
    for key in {**mine, **theirs}:
        chart = theirs.get(key) if mine.get(key) == base.get(key) else mine.get(key)
        if chart is not None:
            made[key] = chart
    return made


def _folded(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...]:
    opened = set(base) - set(theirs)
    kept = [section for section in mine if section not in opened]
    return tuple(dict.fromkeys([*kept, *(section for section in theirs if section not in base)]))


def _pages(base: BoardLayout, mine: BoardLayout, theirs: BoardLayout) -> tuple[BoardPage, ...] | None:
    if theirs.pages == base.pages or theirs.pages is None:
        return mine.pages
    if mine.pages in (base.pages, theirs.pages) or mine.pages is None:
        return theirs.pages
    start = default_pages(_placed(base, mine, theirs)) if base.pages is None else base.pages
    before, own, other = map(_by_id, (start, mine.pages, theirs.pages))
    pages = []
    for key in [*own, *(key for key in other if key not in own)]:
        gone = key in before and (key not in own or key not in other)
        changed = own.get(key) if own.get(key) != before.get(key) else other.get(key)
        if changed is not None and not (gone and (own.get(key) or other.get(key)) == before[key]):
            pages.append(changed)
    return _each_once(tuple(pages), start, mine.pages, theirs.pages)


def _by_id(pages: Iterable[BoardPage]) -> dict[str, BoardPage]:
    return {page.id: page for page in pages}


def _each_once(
    pages: tuple[BoardPage, ...],
    base: Sequence[BoardPage],
    mine: Sequence[BoardPage],
    theirs: Sequence[BoardPage],
) -> tuple[BoardPage, ...]:
    """Return the pages with each chart that no side removed exactly once, where it was moved to last."""
    before, own, other = _sections_of(base), _sections_of(mine), _sections_of(theirs)
    wanted = [key for key in {**own, **other} if key not in before or (key in own and key in other)]
    target = {}
    for key in wanted:
        moved = [place for place in (own.get(key), other.get(key)) if place not in (None, before.get(key))]
        target[key] = moved[0] if moved else own.get(key) or other[key]
    section_ids = {section.id for page in pages for section in page.sections}
    kept: set[str] = set()
    made = []
    for page in pages:
        sections = []
        for section in page.sections:
            charts = [key for key in section.charts if target.get(key) == section.id and key not in kept]
            kept.update(charts)
            added = [
                key for key in wanted if target[key] == section.id and key not in {*kept, *section.charts}
            ]
            kept.update(added)
            sections.append(msgspec.structs.replace(section, charts=(*charts, *added)))
        made.append(msgspec.structs.replace(page, sections=tuple(sections)))
    return _with_remaining(tuple(made), [key for key in wanted if target[key] not in section_ids])


def _sections_of(pages: Sequence[BoardPage]) -> dict[str, str]:
    return {key: section.id for page in pages for section in page.sections for key in section.charts}


def _with_remaining(pages: tuple[BoardPage, ...], charts: Sequence[str]) -> tuple[BoardPage, ...]:
    """Add charts whose section the other side removed to the end of the first page."""
    if not charts:
        return pages
    first, *rest = pages or (BoardPage("rule:Overview", "Overview"),)
    *upper, last = first.sections or (BoardSection(f"{first.id}:Charts", "Charts"),)
    last = msgspec.structs.replace(last, charts=(*last.charts, *charts))
    return (msgspec.structs.replace(first, sections=(*upper, last)), *rest)
