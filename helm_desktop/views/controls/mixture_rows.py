"""The rows of a mixture: lock, name, draft, was, ran."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.model.controls.mixture import MixtureDraft, percent_text, tenths_of
from helm_desktop.theme import set_look, set_state, theme_of
from helm_desktop.widgets import ElidedLabel
from helm_desktop.widgets.split_bar import paint_lock

MANY = 12  # components past which the rows can be searched
_MANY_HEIGHT = 264
_NAME_PX = 120
_BESIDE_PX = 54 + 2 * 70 + 18 + 4 * 4  # draft, "was 12.5%", "ran 12.5%", lock, and between them


class LockButton(QAbstractButton):
    """A padlock, closed while checked."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setAccessibleName(f"Lock {name}")
        self.setToolTip(f"Lock {name}: the others change around it")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedSize(18, 18)

    def sizeHint(self) -> QSize:
        return QSize(18, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        on = self.isChecked()
        lively = self.hasFocus() or self.underMouse()
        colour = theme.text if on else theme.quiet if lively else theme.faint
        painter = QPainter(self)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(theme.accent))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 4, 4)
        paint_lock(painter, QPointF(9, 9), QColor(colour), is_open=not on)
        painter.end()


class ComponentName(ElidedLabel):
    """The component's name in the colour of its part of the bars."""

    def __init__(self, name: str, index: int) -> None:
        super().__init__(name, "figure", mode=Qt.TextElideMode.ElideMiddle)  # shards differ in their ends
        self._index = index
        self.setMinimumWidth(40)
        self.setMaximumWidth(_NAME_PX)
        self.recolour()

    def recolour(self) -> None:
        """Take the colour from the theme."""
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, self._full_width())
        self.setPalette(palette)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.palette().color(QPalette.ColorRole.WindowText) != self._full_width():
            self.recolour()
        super().paintEvent(event)

    def _full_width(self) -> QColor:
        theme = theme_of(self)
        return QColor(theme.readable(theme.curve(self._index), theme.card))


class MixtureRow:
    """The widgets of one component."""

    def __init__(self, name: str, index: int) -> None:
        self.name = ComponentName(name, index)
        self.draft = QLineEdit()
        self.draft.setFixedWidth(54)
        self.draft.setAccessibleName(f"{name}, percent")
        set_look(self.draft, "inline")
        self.was, self.ran = QLabel(), QLabel()
        for label in (self.was, self.ran):
            set_look(label, "quiet-figure")
        self.lock = LockButton(name)

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """Left to right."""
        return self.name, self.draft, self.was, self.ran, self.lock


class MixtureRows(QWidget):
    """Every component; past MANY with a search field above and a bar to scroll at the side."""

    typed = Signal(int, int)  # component, tenths of a percent
    refused = Signal()  # what was typed is no percentage
    lock_requested = Signal(int, bool)

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = [MixtureRow(name, index) for index, name in enumerate(names)]
        self._was: list[str] = [""] * len(self.rows)
        self._ran: list[str] = [""] * len(self.rows)
        self._narrow = False
        self.heads = [QLabel(word) for word in ("draft", "was", "ran")]
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search sources")
        self.search.setAccessibleName("Search components")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        body = QWidget()
        self._grid = QGridLayout(body)
        self._many = len(self.rows) > MANY
        self._lay_out_rows()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.search.setVisible(self._many)
        column.addWidget(self.search)
        column.addWidget(_scrolled(body) if self._many else body)
        self._set_narrow(False)

    @property
    def problem(self) -> str:
        """What is wrong with a percentage that was typed; empty: nothing is."""
        for row in self.rows:
            if row.draft.property("invalid"):
                return f"{row.name.text()} is {row.draft.text()}, it must be a percentage from 0 to 100"
        return ""

    def show_draft(self, draft: MixtureDraft) -> None:
        """What is drafted, and which are locked; a field that is being typed in is left alone."""
        for index, (row, tenths) in enumerate(zip(self.rows, draft.tenths, strict=True)):
            if not row.draft.hasFocus() or not row.draft.isModified():
                row.draft.setText(percent_text(tenths))
                set_state(row.draft, "invalid", False)
            row.lock.blockSignals(True)
            row.lock.setChecked(draft.is_locked(index))
            row.lock.blockSignals(False)
            row.draft.setReadOnly(draft.is_locked(index))

    def show_was(self, shares: Sequence[float]) -> None:
        """What is set now."""
        self._was = [percent_text(round(share * 1000)) for share in shares]
        self._write()

    def show_ran(self, shares: Sequence[float | None]) -> None:
        """What was really drawn."""
        places = 1 if self._many else 0
        self._ran = ["" if share is None else f"{share:.{places}%}" for share in shares]
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where names would be cut, "was" and "ran" stand once above their columns."""
        super().resizeEvent(event)
        names = max((row.name.sizeHint().width() for row in self.rows), default=0)
        self._set_narrow(self.width() < min(names, _NAME_PX) + _BESIDE_PX + 12 * self._many)

    def _lay_out_rows(self) -> None:
        grid = self._grid
        grid.setContentsMargins(0, 0, 12 if self._many else 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(1)
        for column, head in enumerate(self.heads, 1):
            set_look(head, "small")
            head.setContentsMargins(6 if column == 1 else 0, 0, 0, 0)
            grid.addWidget(head, 0, column)
        for at, row in enumerate(self.rows, 1):
            for column, widget in enumerate(row.widgets):
                grid.addWidget(widget, at, column)
            row.draft.editingFinished.connect(self._typed)
            row.lock.toggled.connect(self._locked)

    def _set_narrow(self, on: bool) -> None:
        self._narrow = on
        for head in self.heads:
            head.setVisible(on)
        for row in self.rows:
            for label in (row.was, row.ran):
                label.setContentsMargins(0, 0, 4 if on else 0, 0)
        for column, stretch in enumerate((2, 0, 0, 0, 0) if on else (2, 0, 2, 2, 0)):
            self._grid.setColumnStretch(column, stretch)
        self._write()

    def _write(self) -> None:
        for row, was, ran in zip(self.rows, self._was, self._ran, strict=True):
            row.was.setText(was if self._narrow or not was else f"was {was}")
            row.ran.setText(ran if self._narrow or not ran else f"ran {ran}")

    def _typed(self) -> None:
        field = self.sender()
        for index, row in enumerate(self.rows):
            if row.draft is field and row.draft.isModified():
                tenths = tenths_of(row.draft.text())
                set_state(row.draft, "invalid", tenths is None)
                if tenths is None:
                    self.refused.emit()
                else:
                    row.draft.setModified(False)
                    self.typed.emit(index, tenths)

    def _locked(self, on: bool) -> None:
        button = self.sender()
        for index, row in enumerate(self.rows):
            if row.lock is button:
                self.lock_requested.emit(index, on)

    def _filter(self, text: str) -> None:
        for row in self.rows:
            for widget in row.widgets:
                widget.setVisible(text.strip().lower() in row.name.text().lower())


def _scrolled(body: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFixedHeight(_MANY_HEIGHT)
    area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    area.setWidget(body)
    return area
