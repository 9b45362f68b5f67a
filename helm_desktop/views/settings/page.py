"""The settings over the whole window: sections at the left, one of them at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.actions.spec import ActionSpec
from helm_desktop.theme import set_look
from helm_desktop.views.settings.appearance import AppearanceSection
from helm_desktop.views.settings.approvals import ApprovalsSection
from helm_desktop.views.settings.folders import FoldersSection
from helm_desktop.views.settings.keys import KeysSection
from helm_desktop.views.settings.notifications import NotificationsSection
from helm_desktop.views.settings.rows import SettingsSection
from helm_desktop.views.settings.shortcuts import ShortcutsSection
from helm_desktop.views.settings.updates import UpdatesSection

LIST_WIDTH = 200
ROW_HEIGHT = 30


class SettingsPage(QWidget):
    """Emits nothing but that it is left; each section asks for its own."""

    left = Signal()

    def __init__(
        self, specs: Sequence[ActionSpec], window_scale: float, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        set_look(self, "window")
        self.setAccessibleName("Settings")
        self.appearance, self.updates = AppearanceSection(window_scale), UpdatesSection()
        self.approvals, self.notifications = ApprovalsSection(), NotificationsSection()
        self.folders, self.keys = FoldersSection(), KeysSection()
        self.shortcuts = ShortcutsSection(specs)
        self.list, self.done = QListWidget(), QPushButton("Done")
        self._side, self._stack = QFrame(), QStackedWidget()
        self.sections: dict[str, SettingsSection] = {
            section.accessibleName(): section
            for section in (
                self.appearance,
                self.updates,
                self.approvals,
                self.notifications,
                self.folders,
                self.keys,
                self.shortcuts,
            )
        }
        self._lay_out()
        self.list.currentRowChanged.connect(self._stack.setCurrentIndex)
        self.done.clicked.connect(self.left)
        self.list.setCurrentRow(0)

    @property
    def shown(self) -> str:
        """The title of the section in sight."""
        return list(self.sections)[self._stack.currentIndex()]

    def parts(self) -> list[QWidget]:
        """What Tab leads through: the sections, then the one in sight."""
        return [self._side, self._stack]

    def show_section(self, title: str) -> None:
        """Brings a section forward; empty: the one that was there last."""
        if title in self.sections:
            self.list.setCurrentRow(list(self.sections).index(title))
        self.list.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        side, title = self._side, QLabel("Settings")
        set_look(side, "panel")
        set_look(title, "heading")
        side.setFixedWidth(LIST_WIDTH)
        self.list.setAccessibleName("Sections of the settings")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        column = QVBoxLayout(side)
        column.setContentsMargins(10, 16, 10, 12)
        column.setSpacing(12)
        title.setContentsMargins(8, 0, 0, 0)
        column.addWidget(title)
        column.addWidget(self.list, 1)
        column.addWidget(self.done)
        for name, section in self.sections.items():
            item = QListWidgetItem(name)
            item.setSizeHint(QSize(0, ROW_HEIGHT))
            self.list.addItem(item)
            self._stack.addWidget(_scrolled(section))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(side)
        row.addWidget(self._stack, 1)


def _scrolled(section: QWidget) -> QScrollArea:
    """A section at the left of the room there is, scrolled where it is longer."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(32, 20, 24, 24)
    row.addWidget(section, 1)
    row.addStretch(0)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it scrolls it
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(holder)
    return area
