"""Gathers what the palette finds, and goes there or does it; and the sheet of keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from helm_desktop.actions.places import PLACES
from helm_desktop.actions.tables import ALL, MENUS
from helm_desktop.controllers.menu_commands import MenuCommands
from helm_desktop.format import number
from helm_desktop.model.controls.labels import value_words
from helm_desktop.model.palette import PaletteEntry
from helm_desktop.model.run.runs_model import RunsModel, row_words
from helm_desktop.storage.key_bindings import KeyBindings
from helm_desktop.window.regions import Regions

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.palette import Palette
    from helm_desktop.views.shortcut_sheet import ShortcutSheet

SETTINGS: Final = (  # what it is called, the section it stands in, words that find it too
    ("Theme", "Appearance", "dark light colours"),
    ("Scale", "Appearance", "size zoom dpi"),
    ("Update rate", "Updates", "pace refresh fps"),
    ("Approvals", "Approvals", "policy who may change limits for programs"),
    ("Desktop notifications", "Notifications", "rules tell"),
    ("Sound", "Notifications", "rules beep"),
    ("What rules may do", "Notifications", "send controls run programs webhook"),
    ("Home folder", "Folders", "runs data"),
    ("Configuration folder", "Folders", "settings files"),
    ("Your public key", "Keys", "copy trust"),
    ("Trusted keys", "Keys", "machines allow-list"),
    ("Shortcuts", "Shortcuts", "keys keyboard"),
)
_NOT_HERE = {"palette"}  # it is open


class PaletteController(QObject):
    """The palette is made when it is first asked for."""

    run_chosen = Signal(str)
    settings_requested = Signal(str)  # the title of a section

    def __init__(
        self,
        screen: Regions,
        commands: MenuCommands,
        runs: RunsModel,
        shortcuts: KeyBindings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._screen, self._commands, self._runs, self._shortcuts = screen, commands, runs, shortcuts
        self._session: Session | None = None
        self.palette: Palette | None = None
        self.sheet: ShortcutSheet | None = None
        commands.palette_requested.connect(self.open)
        commands.shortcuts_requested.connect(self.show_keys)
        screen.window.search.clicked.connect(self.open)
        self.say_keys()

    def set_session(self, session: Session) -> None:
        """Another run: its metrics and controls are found."""
        self._session = session

    def say_keys(self) -> None:
        """The keys of the palette stand in the field that opens it."""
        self._screen.window.search.set_keys(self._shortcuts.words("palette"))

    def open(self) -> None:
        """Show the palette."""
        if self.palette is None:
            from helm_desktop.views.palette import Palette

            self.palette = Palette(self._screen.window)
            self.palette.chosen.connect(self._go)
        self.palette.open(list(self.entries()))

    def show_keys(self) -> None:
        """Show the sheet of all keys."""
        from helm_desktop.views.shortcut_sheet import ShortcutSheet

        if self.sheet is None:
            groups = [(menu, self._keys_of(menu)) for menu in MENUS]
            self.sheet = ShortcutSheet([*groups, *PLACES], self._screen.window)
            self.sheet.change_requested.connect(self._change_keys)
            self.sheet.destroyed.connect(self._sheet_gone)
        self.sheet.show()
        self.sheet.raise_()
        self.sheet.activateWindow()

    # What there is -----------------------------------------------------------------------------

    def entries(self) -> Iterator[PaletteEntry]:
        """All that can be gone to or done now: what is of this run first."""
        session = self._session
        if session is not None:
            for control in session.controls.controls:
                said = value_words(control.node, control.current.value)
                yield PaletteEntry("control", control.name, control.name, said, control.capability.help)
        for spec in ALL:
            action = self._screen.actions[spec.id]
            if action.isEnabled() and spec.id not in _NOT_HERE:
                words = action.text().rstrip("…")
                path = " ".join(part for part in (spec.menu, spec.submenu) if part)
                yield PaletteEntry(
                    "command", spec.id, words, self._shortcuts.words(spec.id), f"{path} {spec.tip}"
                )
        for title, section, also in SETTINGS:
            yield PaletteEntry("setting", section, title, section if section != title else "", also)
        for row in self._runs.runs:
            yield PaletteEntry("run", row.folder, row.name, row_words(row), f"{row.project} {row.run_id}")
        if session is not None:
            for name in session.streams.names:
                series = session.store.series.get(name)
                value = None if series is None else series.last_value
                yield PaletteEntry("metric", name, name, "" if value is None else number(value))

    def _keys_of(self, menu: str) -> list[tuple[str, str]]:
        return [
            (self._shortcuts.words(spec.id), spec.text.rstrip("…"))
            for spec in ALL
            if spec.menu == menu and self._shortcuts.keys(spec.id)
        ]

    # Going there -------------------------------------------------------------------------------

    def _go(self, entry: PaletteEntry) -> None:
        if entry.kind == "command":
            self._screen.actions[entry.key].trigger()
        elif entry.kind == "setting":
            self.settings_requested.emit(entry.key)
        elif entry.kind == "run":
            self.run_chosen.emit(entry.key)
        elif entry.kind == "metric":
            self._commands.board.show_metric(entry.key)
        else:
            self._commands.show_control(entry.key)

    def _change_keys(self) -> None:
        self.settings_requested.emit("Shortcuts")

    def _sheet_gone(self) -> None:
        self.sheet = None
