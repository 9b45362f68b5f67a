"""Theme and scale."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from helm_desktop.storage.preferences import SCALES, Preferences, ThemeChoice
from helm_desktop.theme import set_look
from helm_desktop.views.settings.setting_rows import SettingRow, SettingsSection, small
from helm_desktop.widgets import SegmentedControl

_THEMES: tuple[tuple[ThemeChoice, str], ...] = (
    ("system", "As the system"),
    ("dark", "Dark"),
    ("light", "Light"),
)


class AppearanceSection(SettingsSection):
    """The theme changes at once; another scale needs another window."""

    theme_requested = Signal(object)  # ThemeChoice
    scale_requested = Signal(object)  # float
    window_requested = Signal()

    def __init__(self, window_scale: float, parent: QWidget | None = None) -> None:
        super().__init__("Appearance", parent=parent)
        self._window_scale = window_scale
        self.theme = SegmentedControl(_THEMES, name="Theme")
        self.scale = SegmentedControl([(scale, f"{scale:g}") for scale in SCALES], name="Scale")
        self.note, self.reopen = small(), QPushButton("Open it now")
        set_look(self.note, "warn")
        self.reopen.setAccessibleName("Open the window at the new scale now")
        self._wait = QWidget()
        line = QHBoxLayout(self._wait)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.note, 1)
        line.addWidget(self.reopen)
        row = SettingRow("Scale", "How large everything is drawn.", self.scale)
        row.add_below(self._wait)
        self.fill(SettingRow("Theme", "Light or dark.", self.theme), row)
        self.theme.chosen.connect(self.theme_requested)
        self.scale.chosen.connect(self.scale_requested)
        self.reopen.clicked.connect(self.window_requested)

    def show_settings(self, settings: Preferences) -> None:
        """What holds now."""
        self.theme.set_value(settings.theme)
        self.scale.set_value(settings.scale)
        self.note.setText(
            f"This window was opened at {self._window_scale:g}. A new one has the scale {settings.scale:g}; "
            "the run goes on meanwhile."
        )
        self._wait.setVisible(settings.scale != self._window_scale)
