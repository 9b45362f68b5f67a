"""Menus and shortcuts made from the tables of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMainWindow, QMenu

from helm_desktop.actions.spec import ActionSpec
from helm_desktop.storage.key_bindings import parse


def build_menus(
    window: QMainWindow,
    titles: Sequence[str],
    specs: Sequence[ActionSpec],
    handlers: Mapping[str, Callable[..., None]],
) -> dict[str, QAction]:
    """Return an action for each record, in its menu and connected to the handler of its id."""
    menus: dict[str, QMenu] = {title: window.menuBar().addMenu(title) for title in titles}
    below: dict[tuple[str, str], QMenu] = {}
    groups: dict[str, QActionGroup] = {}
    actions: dict[str, QAction] = {}
    for spec in specs:
        menu = menus[spec.menu]
        if spec.submenu:
            key = spec.menu, spec.submenu
            if key not in below:
                below[key] = menu.addMenu(spec.submenu)
            menu = below[key]
        if spec.separator:
            menu.addSeparator()
        action = QAction(spec.text, window)
        action.setObjectName(spec.id)
        action.setCheckable(spec.checkable)
        if spec.shortcut:
            action.setShortcuts(parse(spec.shortcut))
        if spec.tip:
            action.setStatusTip(spec.tip)
            action.setToolTip(spec.tip)
        if spec.group:
            group = groups.setdefault(spec.group, QActionGroup(window))
            group.addAction(action)
        action.triggered.connect(handlers[spec.id])
        menu.addAction(action)
        actions[spec.id] = action
    return actions
