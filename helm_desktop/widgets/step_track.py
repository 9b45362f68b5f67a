"""How far something has come, as words with arrows between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from helm_desktop.theme import set_look, theme_of
from helm_desktop.widgets.flow_layout import FlowLayout

Stage = Literal["done", "now", "ahead", "bad"]

_LOOKS = {"done": "live", "now": "warn", "ahead": "small", "bad": "bad"}
_TOKENS = {"done": "live", "now": "warn", "bad": "bad"}


@dataclass(frozen=True)
class Step:
    """One station: its words, and whether it lies behind, is now, lies ahead, or went wrong."""

    text: str
    stage: Stage


class _StageDot(QWidget):
    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._stage = stage
        self.setFixedSize(10, 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        colour = QColor(getattr(theme_of(self), _TOKENS[self._stage]))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(0, (self.height() - 10) / 2)
        if self._stage == "now":
            pen = QPen(colour, 1.4, Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.drawEllipse(QPointF(5, 5), 3.8, 3.8)
        elif self._stage == "bad":
            painter.setPen(QPen(colour, 1.8))
            painter.drawLine(QPointF(2, 2), QPointF(8, 8))
            painter.drawLine(QPointF(8, 2), QPointF(2, 8))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(QRectF(1, 1, 8, 8))
        painter.end()


class _Words(QLabel):
    """One line where it fits, and as many as it takes where it does not."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2, metrics.height())


class StepTrack(QWidget):
    """requested → waiting for trainer.step → applied at 261, wrapped where it does not fit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: tuple[Step, ...] = ()
        self._flow = FlowLayout(self, gap=5, line_gap=2)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The stations that are shown."""
        return self._steps

    def set_steps(self, steps: Sequence[Step]) -> None:
        """Show these stations; nothing is done when they are the same."""
        if tuple(steps) == self._steps:
            return
        self._steps = tuple(steps)
        self._flow.clear()
        for number, step in enumerate(self._steps):
            self._flow.addWidget(_station(step, arrow=number > 0))
        self.setAccessibleName(" → ".join(step.text for step in self._steps))
        self._flow.invalidate()
        self.updateGeometry()


def _station(step: Step, *, arrow: bool) -> QWidget:
    station = QWidget()
    row = QHBoxLayout(station)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(5)
    top = Qt.AlignmentFlag.AlignTop
    if arrow:
        pointer = QLabel("→")
        set_look(pointer, "faint")
        row.addWidget(pointer, 0, top)
    if step.stage != "ahead":
        dot = _StageDot(step.stage)
        dot.setFixedHeight(dot.fontMetrics().height())
        row.addWidget(dot, 0, top)
    words = _Words(step.text)
    set_look(words, _LOOKS[step.stage])
    row.addWidget(words, 1)
    return station
