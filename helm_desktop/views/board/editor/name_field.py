"""The name of a series, each part of which can be clicked to make it a variable."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QToolTip, QWidget

from helm_desktop.actions import places
from helm_desktop.model.series.name_patterns import NamePart, parts
from helm_desktop.theme import figure_font, mix, theme_of
from helm_desktop.widgets import handle_key

PAD = 10
LINE = 22


class NameField(QWidget):
    """The name or pattern of a series. A click makes a part a variable, a double click edits the name."""

    part_chosen = Signal(int)  # the number of the character at which the part begins
    typed = Signal(str)

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._parts: list[NamePart] = []
        self._at = -1  # the part under the pointer or selected by key; -1 for none
        self._edit: QLineEdit | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    @property
    def text(self) -> str:
        """The name or pattern that is shown."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show another name or pattern."""
        self._text, self._parts, self._at = text, parts(text), -1
        self.setAccessibleName(f"Series {text}")
        self.setAccessibleDescription("Click a part of the name to make it a variable")
        self.updateGeometry()
        self.update()

    def place_of(self, start: int) -> QRectF:
        """Return the rectangle of the part that begins at character `start`."""
        return self._places()[next(n for n, part in enumerate(self._parts) if part.start == start)]

    def begin_choosing(self) -> None:
        """Select the part that is most likely the variable: the first number, else the first part."""
        free = [n for n, part in enumerate(self._parts) if self._can_be_variable(n)]
        numbers = [n for n in free if self._parts[n].text.isdecimal()]
        self._at = (numbers or free or [-1])[0]
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.update()

    def _can_be_variable(self, number: int) -> bool:
        return (
            0 <= number < len(self._parts)
            and self._parts[number].clickable
            and not self._parts[number].variable
        )

    def _places(self) -> list[QRectF]:
        """Return the rectangle of each part, from left to right, on the next line where the width ends."""
        metrics = QFontMetricsF(figure_font())
        places, x, y = [], float(PAD), 7.0
        for part in self._parts:
            part_width = metrics.horizontalAdvance(part.text) + (6 if part.variable else 0)
            if x + part_width > self.width() - PAD and x > PAD:
                x, y = float(PAD), y + LINE
            places.append(QRectF(x, y, part_width, LINE - 2))
            x += part_width
        return places

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        before = self.width()
        if before != width:
            metrics = QFontMetricsF(figure_font())
            x, lines = float(PAD), 1
            for part in self._parts:
                part_width = metrics.horizontalAdvance(part.text) + (6 if part.variable else 0)
                if x + part_width > width - PAD and x > PAD:
                    x, lines = float(PAD), lines + 1
                x += part_width
            return lines * LINE + 12
        places = self._places()
        return round(places[-1].bottom() if places else LINE) + 8

    def sizeHint(self) -> QSize:
        return QSize(200, LINE + 12)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.line), 1))
        painter.setBrush(QColor(theme.window))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(figure_font())
        for number, (part, place) in enumerate(zip(self._parts, self._places(), strict=True)):
            active = number == self._at and self._can_be_variable(number)
            if part.variable or active:
                painter.setPen(QPen(QColor(theme.accent), 1))
                painter.setBrush(QColor(mix(theme.window, theme.accent, 0.2)))
                painter.drawRoundedRect(place.adjusted(-1, 1, 1, -1), 4, 4)
            painter.setPen(QColor(theme.accent if part.variable or active else theme.text))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, part.text)
        painter.end()

    def _part_at(self, point: QPointF) -> int:
        return next((n for n, place in enumerate(self._places()) if place.contains(point)), -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._part_at(event.position())
        at = at if self._can_be_variable(at) else -1
        if at != self._at:
            self._at = at
            self.setCursor(Qt.CursorShape.PointingHandCursor if at >= 0 else Qt.CursorShape.IBeamCursor)
            if at >= 0:
                QToolTip.showText(
                    event.globalPosition().toPoint(), f"Make {self._parts[at].text} a variable", self
                )
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = self._part_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and self._can_be_variable(at):
            self.part_chosen.emit(self._parts[at].start)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self._can_be_variable(self._part_at(event.position())):
            self._begin_typing()

    def leaveEvent(self, event: QEvent) -> None:
        self._at = -1
        self.update()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        free = any(map(self._can_be_variable, range(len(self._parts))))
        handlers = {
            "part_before": partial(self._step, -1) if free else None,
            "part_after": partial(self._step, 1) if free else None,
            "make_variable": self._choose_part if self._can_be_variable(self._at) else None,
            "type_name": self._begin_typing,
        }
        if not handle_key(event, places.SERIES_NAME, handlers):
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        """Select the next part that can be a variable; with a negative `by` the one before."""
        free = [n for n in range(len(self._parts)) if self._can_be_variable(n)]
        now = free.index(self._at) if self._at in free else (-1 if by > 0 else 0)
        self._at = free[(now + by) % len(free)]
        self.update()

    def _choose_part(self) -> None:
        self.part_chosen.emit(self._parts[self._at].start)

    def _begin_typing(self) -> None:
        if self._edit is None:
            edit = self._edit = QLineEdit(self._text, self)
            edit.setFont(figure_font())
            edit.setAccessibleName("Series name or pattern")
            edit.editingFinished.connect(self._end_typing)
            edit.setGeometry(self.rect())
            edit.show()
            edit.setFocus()
            edit.selectAll()

    def _end_typing(self) -> None:
        edit, self._edit = self._edit, None
        if edit is not None:
            edit.hide()
            edit.deleteLater()
            if edit.text().strip() and edit.text().strip() != self._text:
                self.typed.emit(edit.text().strip())
