"""Where runs and preferences lie."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from helm_desktop.views.settings.setting_rows import SettingRow, SettingsSection
from helm_desktop.widgets import ElidedLabel


class FoldersSection(SettingsSection):
    """Each folder with what lies in it; the home folder can be another."""

    open_requested = Signal(str)
    home_requested = Signal()  # asks which
    usual_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Folders", parent=parent)
        self.home, self.config = ElidedLabel("", "figure"), ElidedLabel("", "figure")
        self.choose, self.usual = QPushButton("Choose…"), QPushButton("Use the usual one")
        self.open_home, self.open_config = QPushButton("Open"), QPushButton("Open")
        self.choose.setAccessibleName("Choose the home folder")
        self.usual.setAccessibleName("Use the usual home folder")
        self._home = SettingRow("Home folder", "", _buttons(self.usual, self.choose, self.open_home))
        self._home.add_below(self.home)
        config = SettingRow(
            "Configuration",
            "Settings, boards, rules, the policy, and the keys, which are yours alone.",
            _buttons(self.open_config),
        )
        config.add_below(self.config)
        for button, what in ((self.open_home, "home"), (self.open_config, "configuration")):
            button.setAccessibleName(f"Open the {what} folder")
        self.fill(self._home, config)
        self.choose.clicked.connect(self.home_requested)
        self.usual.clicked.connect(self.usual_requested)
        self.open_home.clicked.connect(self._open_home)
        self.open_config.clicked.connect(self._open_config)

    def show_folders(self, home: str, why: str, config: str, *, chosen: bool) -> None:
        """Where they are, and who said so."""
        self.home.setText(home)
        self.config.setText(config)
        self._home.set_description(f"Every run in it is listed. {why}")
        self.usual.setVisible(chosen)

    def _open_home(self) -> None:
        self.open_requested.emit(self.home.text())

    def _open_config(self) -> None:
        self.open_requested.emit(self.config.text())


def _buttons(*buttons: QPushButton) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for button in buttons:
        row.addWidget(button)
    return holder
