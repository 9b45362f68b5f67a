"""The table of actions."""

from PySide6.QtGui import QKeySequence

from helm_desktop.actions.spec import shortcut_rows
from helm_desktop.actions.tables import ALL, MENUS


def test_that_ids_and_shortcuts_are_unique() -> None:
    ids = [spec.id for spec in ALL]
    keys = [spec.shortcut for spec in ALL if spec.shortcut]
    assert len(set(ids)) == len(ids)
    assert len(set(keys)) == len(keys)


def test_that_every_action_is_in_a_menu_with_keys_that_qt_knows() -> None:
    for spec in ALL:
        assert spec.menu in MENUS
        assert spec.text
        assert not spec.shortcut or QKeySequence(spec.shortcut).toString() == spec.shortcut


def test_that_the_shortcut_sheet_lists_what_has_keys() -> None:
    assert ("Ctrl+O", "Open a run folder") in shortcut_rows(ALL)
