"""What can be done in the app, as records: menus, shortcuts and the shortcut sheet are made from them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ActionSpec:
    """One thing that can be done."""

    id: str
    text: str
    menu: str
    shortcut: str = ""
    tip: str = ""
    checkable: bool = False
    group: str = ""  # of actions of which one is chosen
    separator: bool = False  # a line above it
    submenu: str = ""  # inside of its menu
