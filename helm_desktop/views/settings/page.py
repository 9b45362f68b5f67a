"""The settings over the whole window: sections at the left, one of them at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QWidget

from helm_desktop.actions.spec import ActionSpec
from helm_desktop.views.settings.appearance import AppearanceSection
from helm_desktop.views.settings.approvals import ApprovalsSection
from helm_desktop.views.settings.folders import FoldersSection
from helm_desktop.views.settings.keys import KeysSection
from helm_desktop.views.settings.notifications import NotificationsSection
from helm_desktop.views.settings.setting_rows import SettingsSection
from helm_desktop.views.settings.shortcuts import ShortcutsSection
from helm_desktop.views.settings.updates import UpdatesSection
from helm_desktop.widgets import ChapterPage


class SettingsPage(ChapterPage):
    """Emits nothing but that it is left; each section asks for its own."""

    def __init__(
        self, specs: Sequence[ActionSpec], window_scale: float, parent: QWidget | None = None
    ) -> None:
        super().__init__("Settings", "Sections of the settings", parent)
        self.appearance, self.updates = AppearanceSection(window_scale), UpdatesSection()
        self.approvals, self.notifications = ApprovalsSection(), NotificationsSection()
        self.folders, self.keys = FoldersSection(), KeysSection()
        self.shortcuts = ShortcutsSection(specs)
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
        self.set_chapters({name: _scrolled(section) for name, section in self.sections.items()})


def _scrolled(section: QWidget) -> QScrollArea:
    """Return a scroll area with a section at its left."""
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
