"""Paints a row of the runs panel: a project's heading or a run."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from helm_desktop.model.run.runs_model import ProjectHeading, RunsModel, row_text
from helm_desktop.model.run.updates import RunRow
from helm_desktop.theme import Theme, figure_font, text_font, theme_of
from helm_sdk.protocol.peer import RunState

_Index = QModelIndex | QPersistentModelIndex
HEADING_HEIGHT = 30
RUN_HEIGHT = 60
INDENT = 30
_BAD = (RunState.FAILED, RunState.KILLED)
_WARN = (RunState.QUIET, RunState.LOST, RunState.INTERRUPTED)


def tone_of(theme: Theme, state: RunState) -> str:
    """Return the colour of a state's dot; the word beside it says the same."""
    if state is RunState.LIVE:
        return theme.live
    if state in _BAD:
        return theme.bad
    return theme.warn if state in _WARN else theme.quiet


class RunDelegate(QStyledItemDelegate):
    """Name and last value on one line, the state in words below."""

    def __init__(self, model: RunsModel) -> None:
        super().__init__(model)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the size of a row: a heading is lower than a run."""
        row = index.data(RunsModel.RowRole)
        return QSize(120, HEADING_HEIGHT if isinstance(row, ProjectHeading) else RUN_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one row."""
        row = index.data(RunsModel.RowRole)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, ProjectHeading):
            self._heading(painter, rect, row)
        elif isinstance(row, RunRow):
            self._ground(painter, rect, state)
            self._run(painter, rect, row)
        painter.restore()

    def _heading(self, painter: QPainter, rect: QRect, row: ProjectHeading) -> None:
        theme = theme_of()
        painter.setPen(QColor(theme.quiet))
        painter.setFont(text_font())
        room = rect.adjusted(4, 0, -4, 0)
        width = QFontMetrics(painter.font()).horizontalAdvance(row.text)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, row.text)
        _line(painter, room.adjusted(0, 0, -width - 8, 0), row.project)

    def _ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        theme = theme_of()
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        over = bool(state & QStyle.StateFlag.State_MouseOver)
        if not chosen and not over:
            return
        colour = QColor(theme.raised)
        if not chosen:
            colour.setAlphaF(0.5)
        keys = QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_KeyboardFocusChange
        focused = chosen and (state & keys) == keys
        painter.setPen(QPen(QColor(theme.accent), 1) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(rect.adjusted(0, 3, -1, -4), 8, 8)

    def _run(self, painter: QPainter, rect: QRect, row: RunRow) -> None:
        theme = theme_of()
        self._dot(painter, theme, row.state, QPointF(rect.left() + 14, rect.top() + 20))
        value = self._model.value_text(row)
        top = QRect(rect.left() + INDENT, rect.top() + 10, rect.width() - INDENT - 10, 20)
        painter.setFont(figure_font())
        painter.setPen(QColor(theme.text))
        painter.drawText(top, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, value)
        width = QFontMetrics(painter.font()).horizontalAdvance(value)
        name = text_font()
        name.setWeight(QFont.Weight.Medium)
        painter.setFont(name)
        _line(painter, top.adjusted(0, 0, -width - 8, 0), row.name)
        painter.setFont(text_font(12))
        painter.setPen(QColor(theme.quiet))
        _line(painter, top.translated(0, 19), row_text(row))

    def _dot(self, painter: QPainter, theme: Theme, state: RunState, centre: QPointF) -> None:
        colour = QColor(tone_of(theme, state))
        if state is RunState.FINISHED:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour, 1.5))
            painter.drawEllipse(centre, 3.25, 3.25)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        if state is RunState.LIVE:
            halo = QColor(colour)
            halo.setAlphaF(0.25)
            painter.setBrush(halo)
            painter.drawEllipse(centre, 6.5, 6.5)
        painter.setBrush(colour)
        painter.drawEllipse(centre, 4.0, 4.0)


def _line(painter: QPainter, room: QRect, text: str) -> None:
    shown = QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
