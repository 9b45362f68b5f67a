"""What can be done in the app, as records: menus, shortcuts, the keys of each place and their sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SEPARATOR: Final = "; "  # between two keys that do the same


@dataclass(frozen=True)
class ActionSpec:
    """One thing that can be done. Its id is that of the handler that does it."""

    id: str
    text: str
    menu: str = ""  # the title of its menu; empty for a key of a place
    shortcut: str = ""
    tip: str = ""
    checkable: bool = False
    group: str = ""  # of actions of which one is chosen
    separator: bool = False  # a line above it
    submenu: str = ""  # inside of its menu
    place: str = ""  # where the focus must be for its keys; empty: anywhere in the window

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that do it, each as Qt's portable text."""
        return tuple(self.shortcut.split(SEPARATOR)) if self.shortcut else ()
