"""How rules tell, and what else they may do."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from helm_desktop.storage.preferences import Preferences, RuleAct
from helm_desktop.views.settings.setting_rows import SettingRow, SettingsSection, subtitle
from helm_desktop.widgets import ToggleSwitch

_ACTS: Final[tuple[tuple[RuleAct, str, str], ...]] = (
    ("send", "Send changes to controls", "Each within the budget of its rule, and by the policy."),
    ("run", "Run programs", "As you, on this machine, each for as long as its rule says."),
    ("webhook", "Call addresses", "With the name of the run, the metric, its step and value."),
)


class NotificationsSection(SettingsSection):
    """Switches; a rule that may not do something says so in the activity when it fires."""

    notify_requested = Signal(bool)
    sound_requested = Signal(bool)
    act_requested = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            "Notifications", "Rules are made in the dock, under Watch. This holds for all of them.", parent
        )
        self.notify, self.sound = ToggleSwitch("Desktop notifications"), ToggleSwitch("Sound")
        self.acts: dict[RuleAct, ToggleSwitch] = {}
        self._notify = SettingRow("Desktop notifications", "", self.notify)
        rows: list[QWidget] = [
            self._notify,
            SettingRow("Sound", "The system's beep, for rules that ask for it.", self.sound),
            subtitle("Rules may"),
        ]
        for act, title, text in _ACTS:
            switch = self.acts[act] = ToggleSwitch(f"Rules may: {title}")
            switch.setProperty("act", act)
            switch.clicked.connect(self._act)
            rows.append(SettingRow(title, text, switch))
        self.fill(*rows)
        self.notify.clicked.connect(self.notify_requested)
        self.sound.clicked.connect(self.sound_requested)

    def show_settings(self, settings: Preferences) -> None:
        """What holds now."""
        self.notify.setChecked(settings.notifies)
        self.sound.setChecked(settings.sounds)
        for act, switch in self.acts.items():
            switch.setChecked(settings.rules_may(act))

    def show_where(self, where: str) -> None:
        """Where notifications appear on this desktop."""
        self._notify.set_description(where)

    def _act(self, on: bool) -> None:
        self.act_requested.emit(str(self.sender().property("act")), on)
