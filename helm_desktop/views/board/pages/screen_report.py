"""What the board shows, in words and numbers, for scripts that look at the screen."""

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
    """What a chart shows."""

    title: str
    points: int
    drawn_points: int
    visible: bool  # on the page in front, in an open section
    in_view: bool  # not scrolled out of sight
    page: str
    section: str


def facts_of(
    plans: Sequence[ShownPage],
    page: PageView | None,
    charts: BuiltCharts,
    model: BoardModel,
    session: Session | None,
) -> list[ChartReport]:
    """Return a line for each chart of every page."""
    seen = set(page.names_in_view()) if page is not None else set()
    shown = set(page.open_names()) if page is not None else set()
    made = []
    for plan in plans:
        for section in plan.sections:
            for name in section.charts:
                chart = charts.chart(name)
                there = chart is not None
                drawn = chart.plot.canvas.drawn_points if chart is not None else 0
                made.append(
                    ChartReport(
                        title=model.chart(name).spec.heading,
                        points=chart.content.point_count if chart is not None else _points(name, session),
                        drawn_points=drawn,
                        visible=there and name in shown,
                        in_view=there and name in seen,
                        page=plan.title,
                        section=section.title,
                    )
                )
    return made


def _points(name: str, session: Session | None) -> int:
    series = session.store.series.get(name) if session is not None else None
    return series.count if series is not None else 0
