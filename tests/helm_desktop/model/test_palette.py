"""What the palette finds, and in which order."""

from __future__ import annotations

from PySide6.QtCore import Qt

from helm_desktop.model.palette import MOST, PaletteEntry, PaletteModel, find

ENTRIES = [
    PaletteEntry("control", "lr", "lr", "1.5e-3", "the learning rate"),
    PaletteEntry("command", "show_watch", "Watch", "Ctrl+Shift+W", "View"),
    PaletteEntry("setting", "Appearance", "Theme", "Appearance", "dark light"),
    PaletteEntry("run", "/runs/1", "lr-1e-1", "killed at step 37", "quickstart 2026"),
    PaletteEntry("metric", "train/loss", "train/loss", "0.412"),
    PaletteEntry("metric", "optim/lr/group0", "optim/lr/group0"),
    PaletteEntry("metric", "eval/closs", "eval/closs"),
]


def keys(text: str) -> list[str]:
    """What is found, by its key."""
    return [entry.key for entry in find(ENTRIES, text)]


def test_that_the_best_comes_first() -> None:
    assert keys("lr") == ["lr", "/runs/1", "optim/lr/group0"]
    assert keys("loss") == ["train/loss", "eval/closs"]  # at a word's beginning before within one
    assert keys("LR group") == ["optim/lr/group0"]


def test_that_kinds_and_hidden_words_find_too() -> None:
    assert keys("dark") == ["Appearance"]
    assert keys("run lr") == ["/runs/1"]
    assert keys("metric eval") == ["eval/closs"]
    assert keys("learning rate") == ["lr"]
    assert keys("killed") == []  # how it stands changes; it is not its name
    assert keys("no such thing") == []


def test_that_nothing_typed_shows_all_in_order_and_much_is_cut() -> None:
    assert keys("  ") == [entry.key for entry in ENTRIES]
    many = [PaletteEntry("metric", f"m{at}", f"layer/{at}/norm") for at in range(20_000)]
    assert len(find(many, "")) == len(find(many, "norm")) == MOST
    assert [entry.key for entry in find(many, "layer/19999/")] == ["m19999"]


def test_that_rows_tell_screen_readers_what_they_are() -> None:
    model = PaletteModel()
    model.set_entries(ENTRIES)
    model.narrow("theme")
    index = model.index(0)
    assert model.rowCount() == 1
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "setting, Theme, Appearance"
    assert index.data(PaletteModel.EntryRole) == ENTRIES[2]
