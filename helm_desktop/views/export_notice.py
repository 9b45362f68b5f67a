"""The exports that are being written, each with its progress and a button that cancels it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from helm_desktop.theme import set_look
from helm_desktop.widgets import ElidedLabel, ProgressLine

MAX_WIDTH = 380
MARGIN = 12


class ExportRow(QWidget):
    """The row of one export."""

    cancel_requested = Signal(int)  # the number of the export

    def __init__(self, number: int, name: str) -> None:
        super().__init__()
        self._number = number
        self.progress = ProgressLine(f"Saving {name}")
        self.share = QLabel()
        set_look(self.share, "quiet-figure")
        self.cancel = QPushButton("Cancel")
        self.cancel.setAccessibleName(f"Cancel saving {name}")
        self.cancel.clicked.connect(self._cancel)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(ElidedLabel(f"Saving {name}"), 1)
        line.addWidget(self.share)
        line.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(line)
        column.addWidget(self.progress)

    def set_share(self, share: float) -> None:
        """Show the progress, 0 to 1."""
        self.progress.set_share(share)
        self.share.setText(f"{share:.0%}")

    def _cancel(self) -> None:
        self.cancel.setEnabled(False)
        self.cancel_requested.emit(self._number)


class ExportNotice(QFrame):
    """A card over the foot of its parent, outside of its layout; shown while there is an export."""

    cancel_requested = Signal(int)  # the number of an export

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: dict[int, ExportRow] = {}
        set_look(self, "card")
        self.setAutoFillBackground(True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 10, 12, 12)
        self._column.setSpacing(12)
        parent.installEventFilter(self)
        self.hide()

    def add(self, number: int, name: str) -> None:
        """Show another export."""
        row = self.rows[number] = ExportRow(number, name)
        row.cancel_requested.connect(self.cancel_requested)
        self._column.addWidget(row)
        self._place()
        self.show()
        self.raise_()

    def set_share(self, number: int, share: float) -> None:
        """Show the progress of an export, 0 to 1."""
        if number in self.rows:
            self.rows[number].set_share(share)

    def remove(self, number: int) -> None:
        """Remove an export that is complete, was cancelled or has failed."""
        row = self.rows.pop(number, None)
        if row is not None:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
            self.setVisible(bool(self.rows))
            self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parent():
            self._place()
        return False

    def _place(self) -> None:
        parent = self.parentWidget()
        if parent is None:
            return
        self._column.activate()
        width = min(MAX_WIDTH, parent.width() - 2 * MARGIN)
        height = self._column.sizeHint().height()
        self.setGeometry((parent.width() - width) // 2, parent.height() - height - MARGIN, width, height)
