"""The page that the window shows while there is no run: how to start one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.theme import set_look

TWO_LINES = 'import helm_sdk\nrun = helm_sdk.init("my-project")  # then run.log({"loss": loss}) in the loop'


class Welcome(QWidget):
    """A card with the two lines that start a run, and buttons to copy them, run the demo or open a folder."""

    demo_requested = Signal()
    folder_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "window")
        self._title = QLabel("Start a run")
        set_look(self._title, "heading")
        self._text = QLabel(
            "Put these two lines into a training script and start it. Its run appears here by itself, "
            "with a chart for each thing it logs."
        )
        self._text.setWordWrap(True)
        set_look(self._text, "quiet")
        self._code = QPlainTextEdit(TWO_LINES)
        self._note = QLabel("")
        self._note.setWordWrap(True)
        set_look(self._note, "small")
        self._copy = QPushButton("Copy")
        self._demo = QPushButton("Run the demo")
        self._folder = QPushButton("Open a run folder…")
        self._build()
        self._copy.clicked.connect(self._to_clipboard)
        self._demo.clicked.connect(self.demo_requested)
        self._folder.clicked.connect(self.folder_requested)

    def _build(self) -> None:
        self._code.setReadOnly(True)
        self._code.setAccessibleName("The two lines that start a run")
        self._code.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._code.setFixedHeight(50)
        self._code.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._code.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_look(self._code, "figure")
        set_look(self._demo, "primary")
        card = QFrame()
        set_look(card, "card")
        card.setFixedWidth(640)
        column = QVBoxLayout(card)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(12)
        for widget in (self._title, self._text, self._code):
            column.addWidget(widget)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._copy)
        buttons.addStretch(1)
        buttons.addWidget(self._folder)
        buttons.addWidget(self._demo)
        column.addLayout(buttons)
        column.addWidget(self._note)
        self._note.hide()
        outer = QVBoxLayout(self)
        outer.addStretch(2)
        outer.addWidget(card, 0, Qt.AlignmentFlag.AlignHCenter)
        outer.addStretch(3)

    def show_message(self, text: str) -> None:
        """Show a sentence below the buttons, such as why the demo did not start; an empty one hides it."""
        self._note.setText(text)
        self._note.setVisible(bool(text))

    def _to_clipboard(self) -> None:
        QApplication.clipboard().setText(TWO_LINES)
        self.show_message("Copied the two lines.")
