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


def shortcut_rows(specs: tuple[ActionSpec, ...]) -> list[tuple[str, str]]:
    """(shortcut, what it does) for everything that has one."""
    return [(spec.shortcut, spec.text.rstrip("…")) for spec in specs if spec.shortcut]
