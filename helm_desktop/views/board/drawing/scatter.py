"""A scatter of two metrics: a dot for each step that both have logged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from helm_desktop.format import number, plural
from helm_desktop.model.chart.chart_source import ShownSeries
from helm_desktop.model.chart.spec import STEP, TIMES
from helm_desktop.model.series.series_model import Series
from helm_desktop.model.series.series_rows import rows_of, shared_steps
from helm_desktop.theme import Theme, text_font
from helm_desktop.views.board.canvas import ticks
from helm_desktop.views.board.canvas.axis import Labelled
from helm_desktop.views.board.canvas.colour_map import colour_at
from helm_desktop.views.board.canvas.picture import Numbers, PlotFrame
from helm_desktop.views.board.canvas.ranges import Range
from helm_desktop.views.board.canvas.strokes import polygon
from helm_desktop.views.board.content.curves import ChartCurve
from helm_desktop.views.board.content.legend import LegendEntry
from helm_desktop.views.board.drawing.drawing import Drawing, DrawnView, PointerReport

_AGES = 8
_LARGEST = 5e307
_NEAR = 0.08  # of the picture: a dot so far away is still meant
NEEDS_TWO = "A scatter needs two series: the first is x, the others are y"


@dataclass(frozen=True, slots=True)
class ScatterDots:
    """The dots of one curve, oldest step first."""

    name: str
    number: int  # of its curve in the chart, for its colour
    steps: Numbers
    x: Numbers
    y: Numbers


@dataclass(frozen=True, slots=True)
class DotsLayer:
    """Dots by colour, and what x is."""

    groups: tuple[tuple[str, Numbers, Numbers], ...]
    caption: str

    def paint(self, painter: QPainter, frame: PlotFrame) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for colour, x, y in self.groups:
            pen = QPen(QColor(colour), 4.0)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            with np.errstate(over="ignore", invalid="ignore"):
                px, py = (x - frame.x0) * frame.kx, frame.y(y)
            inside = (px > -4) & (px < frame.wide + 4) & (py > -4) & (py < frame.high + 4)
            spots = np.unique(np.column_stack((px[inside], py[inside])).round(), axis=0)
            painter.drawPoints(polygon(spots[:, 0], spots[:, 1]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QColor(frame.theme.quiet))
        painter.setFont(text_font(11))
        room = QRectF(4, 0, frame.wide - 8, 16)
        shown = painter.fontMetrics().elidedText(
            self.caption, Qt.TextElideMode.ElideMiddle, int(room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, shown)


class ScatterDrawing(Drawing):
    """x is the series that the spec's x names, or else the first of the chart."""

    own_x = True

    def entries(self, theme: Theme) -> list[LegendEntry]:
        """Return what the colours stand for; dots of one series alone are coloured by their age."""
        keys = {strand.key for strand in self._parts()[1]}
        return [one for one in self.content.legend.all(theme) if one.key in keys] if len(keys) > 1 else []

    def _parts(self) -> tuple[ChartCurve | None, list[ChartCurve]]:
        strands = self.content.curves.all()
        x_name = self.content.spec.x
        if x_name not in (STEP, *TIMES):
            series = self.content.other(x_name)
            own = [strand for strand in strands if strand.shown.label != x_name]
            return (self._strand_of(series, x_name) if series is not None else None), own
        return (strands[0], strands[1:]) if len(strands) > 1 else (None, [])

    @staticmethod
    def _strand_of(series: Series, name: str) -> ChartCurve:
        process = next(iter(series.processes()), "")
        return ChartCurve(ShownSeries(series, series, name), process, name, name)

    def clouds(self) -> list[ScatterDots]:
        """Return the dots of each curve, in the numbers of the axes."""
        across, ups = self._parts()
        if across is None:
            return []
        spec, made = self.content.spec, []
        numbers = {strand.key: at for at, strand in enumerate(self.content.curves.all())}
        for strand in ups:
            if self.content.visibility.is_hidden(strand.key):
                continue
            pairs = [
                (a, b)
                for (_, attempt), a in across.shown.origin.segments.items()
                for b in strand.shown.origin.segments.values()
                if b.attempt == attempt and b.process == strand.process and a.count and b.count
                if a.process == b.process or a.process == across.process
            ]
            for one, other in pairs[-1:]:
                a, b = rows_of(one), rows_of(other)
                at, beside = shared_steps(a, b)
                steps, x, y = a.steps[at].astype(float), a.values[at], b.values[beside]
                good = np.isfinite(x) & np.isfinite(y)
                good &= (x > 0) if spec.log_x else True
                good &= (y > 0) if spec.log_y else True
                x, y = x[good], y[good]
                x, y = np.log10(x) if spec.log_x else x, np.log10(y) if spec.log_y else y
                name = strand.name or strand.shown.label
                made.append(ScatterDots(name, numbers[strand.key], steps[good], x, y))
        return made

    def extent(self) -> Range | None:
        xs = [cloud.x for cloud in self.clouds() if len(cloud.x)]
        if not xs:
            return None
        low = max(min(float(x.min()) for x in xs), -_LARGEST)
        high = min(max(float(x.max()) for x in xs), _LARGEST)
        room = (high - low) * 0.04
        return low - room, high + room

    def view(self, x: Range, size: QSize, ratio: float, theme: Theme) -> DrawnView:
        view, clouds = DrawnView(), self.clouds()
        across, ups = self._parts()
        if across is None:
            view.words = NEEDS_TWO
            return view
        groups: list[tuple[str, Numbers, Numbers]] = []
        for cloud in clouds:
            view.points += len(cloud.x)
            inside = (cloud.x >= x[0]) & (cloud.x <= x[1])
            if inside.any():
                ends = float(cloud.y[inside].min()), float(cloud.y[inside].max())
                view.reach(*((10.0 ** ends[0], 10.0 ** ends[1]) if self.content.spec.log_y else ends))
            if len(ups) > 1:
                groups.append((self.content.curves.colour(theme, cloud.number), cloud.x, cloud.y))
                continue
            for age, part in enumerate(np.array_split(np.arange(len(cloud.x)), _AGES)):
                if len(part):
                    first, last = (0.15, 1.0) if theme.dark else (0.0, 0.85)  # both are seen on the ground
                    groups.append(
                        (colour_at(first + (last - first) * age / (_AGES - 1)), cloud.x[part], cloud.y[part])
                    )
        if not view.points:
            view.words = "The two series have no step in common"
        late = ", later steps lighter" if len(ups) == 1 else ""
        view.layers = [DotsLayer(tuple(groups), f"x: {across.shown.label}{late}")]
        return view

    def x_ticks(self, low: float, high: float, length: float) -> Labelled:
        most = ticks.most_values(length)
        log = self.content.spec.log_x
        return ticks.logarithmic(low, high, most) if log else ticks.plain(low, high, most)

    def summary(self) -> str:
        return plural(sum(len(cloud.x) for cloud in self.clouds()), "point")

    def pointer_report(self, x: float, y: float, theme: Theme) -> PointerReport:
        clouds = self.clouds()
        ends, best = self.extent(), None
        if ends is None:
            return PointerReport("")
        tall = [float(end) for cloud in clouds if len(cloud.y) for end in (cloud.y.min(), cloud.y.max())]
        kx, ky = ends[1] - ends[0] or 1.0, (max(tall) - min(tall)) or 1.0
        for cloud in clouds:
            if len(cloud.x):
                away = np.hypot((cloud.x - x) / kx, (cloud.y - y) / ky)
                at = int(np.argmin(away))
                if best is None or away[at] < best[0]:
                    best = float(away[at]), cloud, at
        if best is None or best[0] > _NEAR:
            return PointerReport("")
        _, cloud, at = best
        spec = self.content.spec
        px, py = float(cloud.x[at]), float(cloud.y[at])
        px, py = 10.0**px if spec.log_x else px, 10.0**py if spec.log_y else py
        across, _ = self._parts()
        name = across.shown.label if across is not None else "x"
        return PointerReport(
            f"step {int(cloud.steps[at]):,}", (), (f"{name} {number(px)}", f"{cloud.name} {number(py)}")
        )
