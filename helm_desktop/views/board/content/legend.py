"""The names of a chart's curves in one line, as many as have room: buttons for one alone, or without."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QAction,
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from helm_desktop.actions import places
from helm_desktop.theme import text_font, theme_of
from helm_desktop.widgets import handle_key

_HIGH = 16
_MORE = "\n"  # stands for what has no room


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A curve's name and colour, and whether it is not drawn now."""

    key: str
    name: str
    colour: str
    off: bool = False


class Legend(QWidget):
    """A click shows a curve alone, and all again; with Ctrl or Shift it hides or shows one."""

    solo_requested = Signal(str)
    toggle_requested = Signal(str)
    hovered = Signal(str)  # the curve under the pointer or the cursor; nothing when there is none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: list[LegendEntry] = []
        self._places: list[tuple[QRectF, str]] = []
        self._hover = ""
        self._cursor = -1
        self._font = text_font(11)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HIGH)
        self.setMouseTracking(True)
        self.setVisible(False)
        self.setToolTip("Click: this curve alone, and all again\nCtrl+click: hide or show it\n↓: all of them")

    @property
    def entries(self) -> list[LegendEntry]:
        """What it names."""
        return self._entries

    def set_entries(self, entries: list[LegendEntry]) -> None:
        """Names and colours; shown from two on."""
        if entries != self._entries:
            self._entries = entries
            several = len(entries) > 1
            self.setVisible(several)
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus if several else Qt.FocusPolicy.NoFocus)
            words = [entry.name + (" (hidden)" if entry.off else "") for entry in entries]
            self.setAccessibleName("Curves: " + ", ".join(words))
            self._cursor = min(self._cursor, len(entries) - 1)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(60, _HIGH)

    def place_of(self, key: str) -> QPoint | None:
        """Return where a name stands; nothing when it has no room."""
        rect = next((rect for rect, owner in self._layout() if owner == key), None)
        return rect.center().toPoint() if rect is not None else None

    def _layout(self) -> list[tuple[QRectF, str]]:
        metrics = QFontMetrics(self._font)
        made: list[tuple[QRectF, str]] = []
        x, end = 0.0, float(self.width())
        for at, entry in enumerate(self._entries):
            rest = len(self._entries) - at
            wide = 12 + metrics.horizontalAdvance(entry.name)
            reserve = metrics.horizontalAdvance(f"+{rest}") + 8 if rest > 1 else 0
            if x + wide + reserve > end:
                made.append((QRectF(x, 0, end - x, _HIGH), _MORE))
                break
            made.append((QRectF(x, 0, wide, _HIGH), entry.key))
            x += wide + 12
        return made

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setFont(self._font)
        self._places = self._layout()
        by_key = {entry.key: (at, entry) for at, entry in enumerate(self._entries)}
        drawn = 0
        for rect, key in self._places:
            if key == _MORE:
                painter.setPen(QColor(theme.text if self._hover == _MORE else theme.quiet))
                painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, f"+{len(self._entries) - drawn}")
                continue
            at, entry = by_key[key]
            drawn += 1
            bright = key == self._hover or (self.hasFocus() and at == self._cursor)
            painter.setPen(QColor(theme.faint if entry.off else theme.text if bright else theme.quiet))
            if entry.off:
                painter.drawRect(QRectF(rect.x(), 7, 7, 2))
            else:
                painter.fillRect(QRectF(rect.x(), 7, 8, 3), QColor(entry.colour))
            painter.drawText(rect.adjusted(12, 0, 2, 0), Qt.AlignmentFlag.AlignVCenter, entry.name)
            if self.hasFocus() and at == self._cursor:
                painter.drawLine(rect.bottomLeft() + QPoint(12, -1), rect.bottomRight() + QPoint(0, -1))

    # Pointer and keys --------------------------------------------------------------------------

    def _at(self, event: QMouseEvent) -> str:
        return next((key for rect, key in self._layout() if rect.contains(event.position())), "")

    def _light(self, key: str) -> None:
        if key != self._hover:
            self._hover = key
            self.hovered.emit("" if key == _MORE else key)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        key = self._at(event)
        self.setCursor(Qt.CursorShape.PointingHandCursor if key else Qt.CursorShape.ArrowCursor)
        self._light(key)

    def leaveEvent(self, _event: QEvent) -> None:
        self._light("")

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._cursor = max(self._cursor, 0)
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._light("")
        super().focusOutEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self._at(event)
        event.accept()
        if not key or event.button() != Qt.MouseButton.LeftButton:
            event.setAccepted(False)
        elif key == _MORE:
            self._list(event.globalPosition().toPoint())
        elif event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier):
            self.toggle_requested.emit(key)
        else:
            self.solo_requested.emit(key)

    def _list(self, at: QPoint) -> None:
        """All curves as a menu: checked ones are drawn."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for entry in self._entries:
            action = menu.addAction(entry.name)
            action.setCheckable(True)
            action.setChecked(not entry.off)
            action.setData(entry.key)
        menu.triggered.connect(self._listed)
        menu.popup(at)

    def _listed(self, action: QAction) -> None:
        self.toggle_requested.emit(action.data())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        some, one = bool(self._entries), self._cursor >= 0
        handlers = {
            "curve_before": partial(self._step, -1) if some else None,
            "curve_after": partial(self._step, 1) if some else None,
            "solo": partial(self._ask, self.solo_requested) if one else None,
            "toggle": partial(self._ask, self.toggle_requested) if one else None,
            "list": partial(self._list, self.mapToGlobal(self.rect().bottomLeft())),
        }
        if not handle_key(event, places.LEGEND, handlers):
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        self._cursor = (self._cursor + by) % len(self._entries)
        self._light(self._entries[self._cursor].key)
        self.update()

    def _ask(self, request: SignalInstance) -> None:
        request.emit(self._entries[self._cursor].key)
