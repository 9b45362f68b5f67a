"""The sheet of keys is made from the records, and the records are the keys that the widgets know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence

import helm_desktop
from helm_desktop.actions import places
from helm_desktop.actions.key_rows import as_markdown, key_groups, key_name
from helm_desktop.actions.places import PLACES
from helm_desktop.actions.spec import ActionSpec
from helm_desktop.actions.tables import ALL, MENUS

SOURCE = Path(helm_desktop.__file__).parent
QT_KEY = re.compile(r"Qt\.Key\.Key_(\w+)")
PORTABLE = {"Escape": "Esc", "Enter": "Return"}  # where Qt's name of a key is not its text
OWN_KEYS: dict[str, tuple[ActionSpec, ...]] = {  # widgets, which know no records: those of their keys
    "number_field.py": places.NUMBER,
    "page_with_chapters.py": places.FORM,
    "search_field.py": places.FORM,
    "segmented.py": places.CHOICE,
    "split_bar.py": places.DIVIDER,
}


def test_that_keys_of_places_are_such_as_qt_writes_them() -> None:
    for spec in PLACES:
        assert spec.keys
        assert not spec.menu
        for keys in spec.keys:
            assert QKeySequence(keys).toString() == keys


def test_that_no_widget_has_a_key_or_a_handler_twice() -> None:
    for name, specs in vars(places).items():
        if not name.isupper() or name == "PLACES" or not isinstance(specs, tuple):
            continue
        keys = [keys for spec in specs for keys in spec.keys]
        assert len(set(keys)) == len(keys), name
        assert len({spec.id for spec in specs}) == len(specs), name
        assert set(specs) <= set(PLACES), name


@pytest.mark.parametrize("folder", ["controllers", "views", "window"])
def test_that_what_handles_a_key_knows_it_from_the_records(folder: str) -> None:
    knowing = {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / folder).rglob("*.py")
        if QT_KEY.search(path.read_text(encoding="utf-8"))
    }
    assert not knowing


def test_that_widgets_know_the_keys_of_their_records_and_no_others() -> None:
    knowing = {path.name: path.read_text(encoding="utf-8") for path in (SOURCE / "widgets").glob("*.py")}
    del knowing["key_handlers.py"]
    for name, text in knowing.items():
        known = {PORTABLE.get(key, key) for key in QT_KEY.findall(text)}
        assert known == {keys.rsplit("+", 1)[-1] for spec in OWN_KEYS.get(name, ()) for keys in spec.keys}, (
            name
        )


def test_that_keys_are_named_as_they_are_printed() -> None:
    named = {
        "Shift+Left": "Shift+←",
        "Del": "Delete",
        "+": "+",
        "Ctrl++": "Ctrl++",
        "Ctrl+PgUp": "Ctrl+Page Up",
    }
    assert {keys: key_name(keys) for keys in named} == named


def test_that_every_key_has_a_row_and_neighbours_that_do_the_same_share_one() -> None:
    groups = dict(key_groups((*ALL, *PLACES)))
    assert list(groups)[: len(MENUS)] == list(MENUS)
    assert ("F1 or ?", "Keyboard shortcuts") in groups["Help"]
    assert ("← →", "Move along") in groups["On a chart"]
    assert ("E", "Edit the chart") in groups["On a chart"]
    assert len([row for row in groups["On a chart"] if row[0] == "E"]) == 1
    said = {(title, text) for title, rows in groups.items() for _, text in rows}
    for spec in (*ALL, *PLACES):
        if spec.shortcut and spec.text:
            assert (spec.place or spec.menu, spec.text.rstrip("…")) in said


def test_that_the_sheet_is_written_as_markdown() -> None:
    specs = (
        ActionSpec("a", "Open…", "File", "Ctrl+O"),
        ActionSpec("b", "Without a key", "File"),
        ActionSpec("c", "Split a|b", shortcut="|", place="On a bar"),
    )
    assert as_markdown(key_groups(specs), level=3) == (
        "### File\n\n| Keys | What they do |\n|---|---|\n| `Ctrl+O` | Open |\n\n"
        "### On a bar\n\n| Keys | What they do |\n|---|---|\n| `\\|` | Split a\\|b |\n"
    )
