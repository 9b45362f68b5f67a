"""The strip above the board: the status of the open run in one line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.model.run.status_texts import StripTexts
from helm_desktop.model.run.warnings import RunWarning
from helm_desktop.theme import set_look
from helm_desktop.widgets import (
    CountButton,
    ElidedLabel,
    IconButton,
    MarkGlyph,
    NoticeButton,
    ProgressLine,
    StateDot,
)

# The least important cell first.
HIDE_ORDER = ("Throughput", "Processes", "Checkpoint", "Left", "Running", "Step")
MARGINS, SPACING = (16, 12), 20
FIXED_WIDTH_STATES = ("live", "quiet")  # cells do not shrink while a run is in one of these
TONES = {
    "live": "live",
    "quiet": "warn",
    "lost": "warn",
    "failed": "bad",
    "killed": "bad",
    "interrupted": "warn",
}


class StripCell(QWidget):
    """A cell of the strip: a small title over a value."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel(title)
        set_look(self._title, "small")
        self._value = QLabel()
        self._value.setTextFormat(Qt.TextFormat.PlainText)
        self.row = QHBoxLayout()
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(4)
        self.row.addWidget(self._value)
        self.row.addStretch(1)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(1)
        self.column.addWidget(self._title)
        self.column.addLayout(self.row)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str, *, hold: bool) -> None:
        """Show a value; an empty one hides the cell. With `hold` the cell may grow but not shrink."""
        if text == self._value.text():
            return
        self._value.setText(text)
        self.setAccessibleName(f"{self._title.text()} {text}")
        self.setMinimumWidth(self.least_width if text and hold else 0)

    @property
    def least_width(self) -> int:
        """The least width of the cell in pixels."""
        return max(self.minimumWidth(), self.sizeHint().width())

    @property
    def text(self) -> str:
        """The value."""
        return self._value.text()


class Strip(QFrame):
    """The strip, which shows StripTexts. Cells without a text are hidden."""

    controls_requested = Signal()
    warning_chosen = Signal(object)  # RunWarning

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "panel")
        self.setFixedHeight(52)
        self._texts = StripTexts()
        self._dot = StateDot(show_word=False)
        self._name = ElidedLabel("", "title")
        self._status = ElidedLabel("", "small")
        self._cells = {
            title: StripCell(title)
            for title in ("Running", "Step", "Left", "Processes", "Checkpoint", "Throughput")
        }
        self._progress = ProgressLine("Step")
        self.warning = NoticeButton()
        self._controls = CountButton("Controls")
        self._gear = IconButton("gear", "Run menu", pixels=16)
        self._build()
        self.show_texts(StripTexts())

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        row.setContentsMargins(MARGINS[0], 0, MARGINS[1], 0)
        row.setSpacing(SPACING)
        names = QVBoxLayout()
        names.setSpacing(1)
        names.addStretch(1)
        names.addWidget(self._name)
        names.addWidget(self._status)
        names.addStretch(1)
        head = self._head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._dot)
        head.addLayout(names)
        row.addLayout(head)
        step = self._cells["Step"]
        step.column.addSpacing(1)
        step.column.addWidget(self._progress)
        self._progress.setFixedWidth(180)
        glyph = MarkGlyph("checkpoint")
        self._cells["Checkpoint"].row.insertWidget(0, glyph)
        for cell in self._cells.values():
            row.addWidget(cell, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.warning)
        row.addStretch(1)
        self._gear.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        buttons = self._buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._controls)
        buttons.addWidget(self._gear)
        row.addLayout(buttons)
        self._controls.clicked.connect(self.controls_requested)
        self.warning.clicked.connect(self.open_warnings)

    def set_menu(self, menu: QMenu) -> None:
        """Set the menu that the gear button opens."""
        self._gear.setMenu(menu)

    def open_warnings(self) -> QMenu:
        """Open and return the menu of all warnings; choosing one emits `warning_chosen`."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName("Warnings")
        for number, warning in enumerate(self._texts.warnings):
            action = menu.addAction(warning.text.replace("&", "&&"))
            action.setData(number)
        menu.triggered.connect(self._chosen)
        menu.popup(self.warning.mapToGlobal(self.warning.rect().bottomLeft()))
        return menu

    def _chosen(self, action: QAction) -> None:
        number = int(action.data())
        if number < len(self._texts.warnings):
            self.warning_chosen.emit(self._texts.warnings[number])

    @property
    def texts(self) -> StripTexts:
        """The texts that are shown."""
        return self._texts

    def shown_cells(self) -> dict[str, str]:
        """Return the title and the value of each visible cell."""
        return {title: cell.text for title, cell in self._cells.items() if cell.isVisible()}

    def show_texts(self, texts: StripTexts) -> None:
        """Show the status of a run; texts without a name show that no run is open."""
        before, self._texts = self._texts, texts
        self._dot.setVisible(bool(texts.name))
        self._dot.set_state(texts.state, TONES.get(texts.state, "off"))
        self._name.setText(texts.name or "No run is open")
        self._status.setText(texts.status if texts.name else "Choose one in the runs panel")
        self._name.setMinimumWidth(min(200, self._name.sizeHint().width()))
        self._status.setMinimumWidth(min(240, self._status.sizeHint().width()))
        hold = texts.state in FIXED_WIDTH_STATES and texts.name == before.name
        for title, text in (
            ("Running", texts.running),
            ("Step", texts.step),
            ("Left", texts.left),
            ("Processes", texts.processes),
            ("Checkpoint", texts.checkpoint),
            ("Throughput", texts.throughput),
        ):
            self._cells[title].show_text(text, hold=hold)
        self._progress.set_share(texts.share)
        self._progress.setVisible(texts.share is not None)
        first = texts.warnings[0] if texts.warnings else RunWarning("")
        self.warning.set_notice(first.text, first.tone, max(0, len(texts.warnings) - 1))
        self.warning.setVisible(bool(texts.warnings))
        self._controls.setVisible(bool(texts.name))
        self._controls.set_count(texts.controls)
        self._controls.setToolTip("Bring the run's controls forward")
        self._gear.setVisible(bool(texts.name))
        self._fit_cells()

    def minimumSizeHint(self) -> QSize:
        """Return a size in which some cells are hidden, the least important ones."""
        return QSize(360, 52)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_cells()

    def _fit_cells(self) -> None:
        """Hide cells that do not fit, the least important first; leave the others untouched."""
        wanted = [title for title, cell in self._cells.items() if cell.text]
        for title in HIDE_ORDER:
            if self._width_of(wanted) <= self.width():
                break
            if title in wanted:
                wanted.remove(title)
        changed = [cell for title, cell in self._cells.items() if cell.isHidden() == (title in wanted)]
        for cell in changed:
            cell.setVisible(cell.isHidden())
        layout = self.layout()
        if changed and layout is not None:
            layout.activate()

    def _width_of(self, cells: Sequence[str]) -> int:
        """Return the least width in pixels of the strip with these cells."""
        widths = [self._head.minimumSize().width(), self._buttons.minimumSize().width()]
        widths += [self._cells[title].least_width for title in cells]
        if self._texts.warnings:
            widths.append(self.warning.minimumSizeHint().width())
        left, right = MARGINS
        return left + right + sum(widths) + SPACING * len(widths)
