"""Where the demo is asked for, and where what it says is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, SignalInstance

from helm_desktop.controllers.menu_commands import MenuCommands
from helm_desktop.controllers.settings import SettingsController
from helm_desktop.views.welcome import Welcome


class DemoPort(Protocol):
    """What starts the example training."""

    @property
    def said(self) -> SignalInstance:
        """One sentence: what is happening, or why it did not start."""
        ...

    def start(self) -> object:
        """Start it, unless it runs already."""
        ...

    def set_home(self, home: Path | None) -> None:
        """Write the next run into this home folder."""
        ...


class DemoController(QObject):
    """The welcome card and the menu start the demo; it writes where the window looks for runs."""

    def __init__(
        self,
        demo: DemoPort,
        welcome: Welcome,
        menus: MenuCommands,
        settings: SettingsController,
        notify: Callable[[str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._demo = demo
        demo.set_home(settings.home)
        settings.home_changed.connect(demo.set_home)
        demo.said.connect(welcome.say)
        demo.said.connect(notify)
        welcome.demo_requested.connect(demo.start)
        menus.demo_requested.connect(demo.start)
