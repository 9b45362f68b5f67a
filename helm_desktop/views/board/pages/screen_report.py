"""A report on what the board shows, in text and numbers, for scripts and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from helm_desktop.model.board.shown_board import ShownPage

if TYPE_CHECKING:
    from helm_desktop.model.board.board_model import BoardModel
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.board.pages.charts import BuiltCharts
    from helm_desktop.views.board.pages.page import PageView


@dataclass(frozen=True)
class ChartReport:
    """What one chart shows: `points` of its streams, of which `drawn_points` are on the screen."""

    title: str
    points: int
    drawn_points: int
    visible: bool  # it is built, on the page in front, in a section that is not folded
    in_view: bool  # it is visible and not scrolled out of view
    page: str
    section: str


def chart_reports(
    pages: Sequence[ShownPage],
    front: PageView | None,
    charts: BuiltCharts,
    model: BoardModel,
    session: Session | None,
) -> list[ChartReport]:
    """Return a report for each chart of every page; `front` is the page in front, if there is one."""
    in_view = set(front.names_in_view()) if front is not None else set()
    open_names = set(front.open_names()) if front is not None else set()
    reports = []
    for page in pages:
        for section in page.sections:
            for name in section.charts:
                chart = charts.chart(name)
                built = chart is not None
                drawn = chart.plot.canvas.drawn_points if chart is not None else 0
                reports.append(
                    ChartReport(
                        title=model.chart(name).spec.heading,
                        points=chart.content.point_count if chart is not None else _points(name, session),
                        drawn_points=drawn,
                        visible=built and name in open_names,
                        in_view=built and name in in_view,
                        page=page.title,
                        section=section.title,
                    )
                )
    return reports


def _points(name: str, session: Session | None) -> int:
    series = session.store.series.get(name) if session is not None else None
    return series.count if series is not None else 0
