"""A layout that sets its items side by side and goes on in the next line."""

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Items at their own size, wrapped to the width that there is, each line centred on its height."""

    def __init__(self, parent: QWidget | None = None, *, gap: int = 8, line_gap: int = 4) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._line_gap = line_gap
        self.setContentsMargins(QMargins())

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), place=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, place=True)

    def sizeHint(self) -> QSize:
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in shown) + self._gap * max(0, len(shown) - 1)
        return self._padded(QSize(width, max((size.height() for size in shown), default=0)))

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return self._padded(size)

    def clear(self) -> None:
        """Take every item out and deletes its widget."""
        while (item := self.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _padded(self, size: QSize) -> QSize:
        margins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _arrange(self, rect: QRect, *, place: bool) -> int:
        area = rect.marginsRemoved(self.contentsMargins())
        y = area.y()
        height = 0
        for line in self._lines(area.width()):
            sizes = [_size_in(item, area.width()) for item in line]
            height = max(size.height() for size in sizes)
            x = area.x()
            for item, size in zip(line, sizes, strict=True):
                if place:
                    item.setGeometry(QRect(QPoint(x, y + (height - size.height()) // 2), size))
                x += size.width() + self._gap
            y += height + self._line_gap
        used = y - self._line_gap if height else y
        return (
            used
            - area.y()
            + (rect.height() - area.height() if rect.height() else self._padded(QSize(0, 0)).height())
        )

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._items:
            if item.isEmpty():
                continue
            own = item.sizeHint().width()
            if not lines or used + self._gap + own > width:
                lines.append([])
                used = -self._gap
            lines[-1].append(item)
            used += self._gap + own
        return lines


def _size_in(item: QLayoutItem, room: int) -> QSize:
    """Return an item's own size; where it is too wide, the width there is and the height it then needs."""
    size = item.sizeHint()
    if size.width() <= room:
        return size
    return QSize(room, item.heightForWidth(room) if item.hasHeightForWidth() else size.height())
