"""The rows of a mixture: lock, name, draft, was, ran."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
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

from helm_desktop.model.mixture import MixtureDraft, percent_words, tenths_of
from helm_desktop.theme import set_look, set_state, theme_of
from helm_desktop.widgets import ElidedLabel
from helm_desktop.widgets.split_bar import paint_lock

MANY = 12  # components past which the rows can be searched
_MANY_HEIGHT = 264


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
        super().__init__(name, "figure")
        self._index = index
        self.setMinimumWidth(40)
        self.setMaximumWidth(120)
        self.recolour()

    def recolour(self) -> None:
        """Takes the colour from the theme."""
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, self._wanted())
        self.setPalette(palette)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.palette().color(QPalette.ColorRole.WindowText) != self._wanted():
            self.recolour()
        super().paintEvent(event)

    def _wanted(self) -> QColor:
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
        self.was = QLabel()
        self.ran = QLabel()
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
    lock_requested = Signal(int, bool)

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = [MixtureRow(name, index) for index, name in enumerate(names)]
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search sources")
        self.search.setAccessibleName("Search components")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(1)
        for at, row in enumerate(self.rows):
            for column, widget in enumerate(row.widgets):
                grid.addWidget(widget, at, column)
            row.draft.editingFinished.connect(self._typed)
            row.lock.toggled.connect(self._locked)
        for column, stretch in enumerate((2, 0, 2, 2, 0)):
            grid.setColumnStretch(column, stretch)
        column_ = QVBoxLayout(self)
        column_.setContentsMargins(0, 0, 0, 0)
        column_.setSpacing(6)
        many = len(self.rows) > MANY
        grid.setContentsMargins(0, 0, 12 if many else 0, 0)
        self.search.setVisible(many)
        column_.addWidget(self.search)
        column_.addWidget(_scrolled(body) if many else body)

    def show_draft(self, draft: MixtureDraft) -> None:
        """What is drafted, and which are locked; a field that is being typed in is left alone."""
        for index, (row, tenths) in enumerate(zip(self.rows, draft.tenths, strict=True)):
            if not row.draft.hasFocus() or not row.draft.isModified():
                row.draft.setText(percent_words(tenths))
                set_state(row.draft, "invalid", False)
            row.lock.blockSignals(True)
            row.lock.setChecked(draft.is_locked(index))
            row.lock.blockSignals(False)
            row.draft.setReadOnly(draft.is_locked(index))

    def show_was(self, shares: Sequence[float]) -> None:
        """What is set now."""
        for row, share in zip(self.rows, shares, strict=True):
            row.was.setText(f"was {percent_words(round(share * 1000))}")

    def show_ran(self, shares: Sequence[float | None]) -> None:
        """What was really drawn."""
        places = 1 if len(self.rows) > MANY else 0
        for row, share in zip(self.rows, shares, strict=True):
            row.ran.setText("" if share is None else f"ran {share:.{places}%}")

    def _typed(self) -> None:
        field = self.sender()
        for index, row in enumerate(self.rows):
            if row.draft is field and row.draft.isModified():
                tenths = tenths_of(row.draft.text())
                set_state(row.draft, "invalid", tenths is None)
                if tenths is not None:
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
