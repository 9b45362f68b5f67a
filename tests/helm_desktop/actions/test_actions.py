"""The table of actions."""

from PySide6.QtGui import QKeySequence

from helm_desktop.actions.tables import ALL, MENUS
from helm_desktop.storage.key_bindings import KeyBindings


def test_that_ids_and_shortcuts_are_unique() -> None:
    ids = [spec.id for spec in ALL]
    keys = [keys for spec in ALL for keys in spec.keys]
    assert len(set(ids)) == len(ids)
    assert len(set(keys)) == len(keys)


def test_that_every_action_is_in_a_menu_with_keys_that_qt_knows() -> None:
    for spec in ALL:
        assert spec.menu in MENUS
        assert spec.text
        for keys in spec.keys:
            assert QKeySequence(keys).toString() == keys


def test_that_keys_are_given_taken_and_given_back() -> None:
    shortcuts = KeyBindings(ALL, {"demo": "Ctrl+R", "gone with an older version": "Ctrl+Y"})
    assert shortcuts.keys("shortcuts") == [QKeySequence("F1"), QKeySequence("?")]
    assert shortcuts.words("demo") == "Ctrl+R"
    assert not shortcuts.own("demo")
    assert shortcuts.problem("settings", "Ctrl+R") == "Ctrl+R is Run the demo: give that another key first"
    assert shortcuts.problem("settings", "?").startswith("? is Keyboard shortcuts")
    assert shortcuts.problem("demo", "Ctrl+R") == ""
    shortcuts.set("demo", None)
    assert shortcuts.keys("demo") == []
    assert shortcuts.problem("settings", "Ctrl+R") == ""
    shortcuts.set("quit", "")
    assert shortcuts.words("quit") == ""
    assert not shortcuts.own("quit")
    shortcuts.set("quit", "Ctrl+Q")  # as the table says: nothing to keep
    assert shortcuts.own("quit")
