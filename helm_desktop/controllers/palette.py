"""Gathers what the palette finds, and goes there or does it; and the sheet of keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from helm_desktop.actions.key_rows import key_groups, table_words
from helm_desktop.actions.places import PLACES
from helm_desktop.actions.spec import ActionSpec
from helm_desktop.actions.tables import ALL
from helm_desktop.controllers.board import BoardController
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.controllers.navigation import Navigation
from helm_desktop.format import number
from helm_desktop.model.controls.labels import value_text
from helm_desktop.model.palette import PaletteEntry
from helm_desktop.model.run.runs_model import RunsModel, row_text
from helm_desktop.storage.key_bindings import KeyBindings
from helm_desktop.window.main_window import MainWindow

if TYPE_CHECKING:
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

    def __init__(
        self,
        current: CurrentRun,
        window: MainWindow,
        actions: dict[str, QAction],
        navigation: Navigation,
        board: BoardController,
        runs: RunsModel,
        shortcuts: KeyBindings,
        open_run: Callable[[str], None],
        open_settings: Callable[[str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._current, self._window = current, window
        self._actions, self._navigation, self._board = actions, navigation, board
        self._runs, self._shortcuts = runs, shortcuts
        self._open_run, self._open_settings = open_run, open_settings
        self.palette: Palette | None = None
        self.sheet: ShortcutSheet | None = None
        window.search.clicked.connect(self.open)
        self.show_search_keys()

    def show_search_keys(self) -> None:
        """Show the keys of the palette in the field that opens it."""
        self._window.search.set_keys(self._shortcuts.native_text("palette"))

    def open(self) -> None:
        """Show the palette."""
        if self.palette is None:
            from helm_desktop.views.palette import Palette

            self.palette = Palette(self._window)
            self.palette.chosen.connect(self._run_entry)
        self.palette.open(list(self.entries()))

    def show_keys(self) -> None:
        """Show the sheet of all keys."""
        from helm_desktop.views.shortcut_sheet import ShortcutSheet

        if self.sheet is None:
            self.sheet = ShortcutSheet(list(key_groups((*ALL, *PLACES), self._keys_of)), self._window)
            self.sheet.change_requested.connect(self._change_keys)
            self.sheet.destroyed.connect(self._sheet_gone)
        self.sheet.show()
        self.sheet.raise_()
        self.sheet.activateWindow()

    # What there is -----------------------------------------------------------------------------

    def entries(self) -> Iterator[PaletteEntry]:
        """Yield every entry that can be opened or done now, those of this run first."""
        session = self._current.session
        if session is not None:
            for control in session.controls.controls:
                message = value_text(control.node, control.current.value)
                yield PaletteEntry("control", control.name, control.name, message, control.capability.help)
        for spec in ALL:
            action = self._actions[spec.id]
            if action.isEnabled() and spec.id not in _NOT_HERE:
                words = action.text().rstrip("…")
                path = " ".join(part for part in (spec.menu, spec.submenu) if part)
                yield PaletteEntry(
                    "command", spec.id, words, self._shortcuts.native_text(spec.id), f"{path} {spec.tip}"
                )
        for title, section, also in SETTINGS:
            yield PaletteEntry("setting", section, title, section if section != title else "", also)
        for row in self._runs.runs:
            yield PaletteEntry("run", row.folder, row.name, row_text(row), f"{row.project} {row.run_id}")
        if session is not None:
            for name in session.streams.names:
                series = session.store.series.get(name)
                value = None if series is None else series.last_value
                yield PaletteEntry("metric", name, name, "" if value is None else number(value))

    def _keys_of(self, spec: ActionSpec) -> str:
        """Return the keys of an action as they are now: those of a place are as the tables say."""
        return table_words(spec) if spec.place else self._shortcuts.native_text(spec.id)

    # Going there -------------------------------------------------------------------------------

    def _run_entry(self, entry: PaletteEntry) -> None:
        if entry.kind == "command":
            self._actions[entry.key].trigger()
        elif entry.kind == "setting":
            self._open_settings(entry.key)
        elif entry.kind == "run":
            self._open_run(entry.key)
        elif entry.kind == "metric":
            self._board.show_metric(entry.key)
        else:
            self._navigation.show_control(entry.key)

    def _change_keys(self) -> None:
        self._open_settings("Shortcuts")

    def _sheet_gone(self) -> None:
        self.sheet = None
