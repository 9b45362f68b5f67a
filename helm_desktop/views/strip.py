"""The one line of live state above the board."""

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

GIVE_WAY = ("Throughput", "Processes", "Checkpoint", "Left", "Running", "Step")
MARGINS, SPACING = (16, 12), 20
HELD = ("live", "quiet")
TONES = {
    "live": "live",
    "quiet": "warn",
    "lost": "warn",
    "failed": "bad",
    "killed": "bad",
    "interrupted": "warn",
}


class StripCell(QWidget):
    """A small title over its value."""

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
        """Another value; an empty one hides the cell. Held: the cell grows and does not shrink."""
        if text == self._value.text():
            return
        self._value.setText(text)
        self.setAccessibleName(f"{self._title.text()} {text}")
        self.setMinimumWidth(self.least_width if text and hold else 0)

    @property
    def least_width(self) -> int:
        """How wide it is at least."""
        return max(self.minimumWidth(), self.sizeHint().width())

    @property
    def text(self) -> str:
        """The value."""
        return self._value.text()


class Strip(QFrame):
    """Shows StripTexts. Cells without words are hidden."""

    controls_requested = Signal()
    warning_chosen = Signal(object)  # RunWarning

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "panel")
        self.setFixedHeight(52)
        self._words = StripTexts()
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
        self.show_words(StripTexts())

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
        """What the gear opens."""
        self._gear.setMenu(menu)

    def open_warnings(self) -> QMenu:
        """Return the menu of all warnings; choosing one leads to what it is about."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName("Warnings")
        for number, warning in enumerate(self._words.warnings):
            action = menu.addAction(warning.text.replace("&", "&&"))
            action.setData(number)
        menu.triggered.connect(self._chosen)
        menu.popup(self.warning.mapToGlobal(self.warning.rect().bottomLeft()))
        return menu

    def _chosen(self, action: QAction) -> None:
        number = int(action.data())
        if number < len(self._words.warnings):
            self.warning_chosen.emit(self._words.warnings[number])

    @property
    def texts(self) -> StripTexts:
        """What is shown."""
        return self._words

    def shown_cells(self) -> dict[str, str]:
        """Title and value of the cells in sight."""
        return {title: cell.text for title, cell in self._cells.items() if cell.isVisible()}

    def show_words(self, words: StripTexts) -> None:
        """Show how a run stands; empty words show no run."""
        before, self._words = self._words, words
        self._dot.setVisible(bool(words.name))
        self._dot.set_state(words.state, TONES.get(words.state, "off"))
        self._name.setText(words.name or "No run is open")
        self._status.setText(words.status if words.name else "Choose one in the runs panel")
        self._name.setMinimumWidth(min(200, self._name.sizeHint().width()))
        self._status.setMinimumWidth(min(240, self._status.sizeHint().width()))
        hold = words.state in HELD and words.name == before.name
        for title, text in (
            ("Running", words.running),
            ("Step", words.step),
            ("Left", words.left),
            ("Processes", words.processes),
            ("Checkpoint", words.checkpoint),
            ("Throughput", words.throughput),
        ):
            self._cells[title].show_text(text, hold=hold)
        self._progress.set_share(words.share)
        self._progress.setVisible(words.share is not None)
        first = words.warnings[0] if words.warnings else RunWarning("")
        self.warning.set_notice(first.text, first.tone, max(0, len(words.warnings) - 1))
        self.warning.setVisible(bool(words.warnings))
        self._controls.setVisible(bool(words.name))
        self._controls.set_count(words.controls)
        self._controls.setToolTip("Bring the run's controls forward")
        self._gear.setVisible(bool(words.name))
        self._fit_cells()

    def minimumSizeHint(self) -> QSize:
        """Narrower than all cells: those that matter least give way."""
        return QSize(360, 52)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's."""
        super().resizeEvent(event)
        self._fit_cells()

    def _fit_cells(self) -> None:
        """Hide cells that there is no room for, the least important first. What stays is not touched."""
        wanted = [title for title, cell in self._cells.items() if cell.text]
        for title in GIVE_WAY:
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
        """Return the least width with these cells in it."""
        widths = [self._head.minimumSize().width(), self._buttons.minimumSize().width()]
        widths += [self._cells[title].least_width for title in cells]
        if self._words.warnings:
            widths.append(self.warning.minimumSizeHint().width())
        left, right = MARGINS
        return left + right + sum(widths) + SPACING * len(widths)
