"""How often what is shown is renewed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from helm_desktop.storage.preferences import PACES, Preferences
from helm_desktop.views.settings.setting_rows import SettingRow, SettingsSection
from helm_desktop.widgets import SegmentedControl

_WORDS: Final = ("30 a second", "10 a second", "2 a second", "every 2 s")


class UpdatesSection(SettingsSection):
    """Nothing is lost at a slower pace: points wait, and come together."""

    seconds_requested = Signal(object)  # seconds

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Updates", parent=parent)
        self.pace = SegmentedControl(list(zip(PACES, _WORDS, strict=True)), name="Update rate")
        text = (
            "How often charts and figures are renewed. Slower costs less power and a slow connection less "
            "drawing; no point is left out. What a run answers to a change is shown at once."
        )
        self.fill(SettingRow("Update rate", text, self.pace))
        self.pace.chosen.connect(self.seconds_requested)

    def show_settings(self, settings: Preferences) -> None:
        """What holds now."""
        self.pace.set_value(settings.update_seconds)
