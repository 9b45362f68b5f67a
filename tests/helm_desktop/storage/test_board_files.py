"""Boards on disk: kept whole, read by later versions, never written over when they cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from helm_desktop.model.board import edits as edits
from helm_desktop.model.board.board_model import BoardModel
from helm_desktop.model.board.layout import BoardChart, BoardLayout, BoardPage, BoardSection
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.storage import board_files
from helm_desktop.storage.board_files import BoardError, BoardFiles, decode, encode
from helm_desktop.storage.storage_thread import Storage

LAYOUT = BoardLayout(
    pages=(BoardPage("p", "Mine", (BoardSection("s", "Charts", ("a", "chart:1")),)),),
    placed=("a", "b"),
    charts={"chart:1": BoardChart(spec=ChartSpec(series=("a/{x}",), draw="heatmap"), columns=2, pinned=True)},
    folded=("s",),
    smoothing=0.5,
)


def files(tmp_path: Path, storage: Storage) -> tuple[BoardModel, BoardFiles]:
    """A board that is kept in a folder."""
    model = BoardModel()
    return model, BoardFiles(model, tmp_path, storage, model)


def test_that_a_board_comes_back_as_it_was(tmp_path: Path, qtbot: QtBot, storage: Storage) -> None:
    model, kept = files(tmp_path, storage)
    kept.open("quick start")
    assert storage.finish()
    model.set_names(["a", "b"])
    model.arrange("add", lambda layout: edits.add_page(layout, "Mine"))
    path = kept.path("quick start")
    assert path is not None
    qtbot.waitUntil(path.is_file)
    again, other = files(tmp_path, storage)
    other.open("quick start")
    assert storage.finish()
    assert again.layout == model.layout
    model.stack.undo()
    kept.flush()
    assert storage.finish()
    assert not path.exists(), "an untouched board is no file"


def test_that_the_file_of_one_project_is_not_that_of_another(
    tmp_path: Path, qtbot: QtBot, storage: Storage
) -> None:
    model, kept = files(tmp_path, storage)
    for project in ("one", "two"):
        kept.open(project)
        assert storage.finish()
        model.change("smoothing", lambda layout: layout.with_(smoothing=0.5))
    kept.open("three")
    assert storage.finish()
    assert model.layout == BoardLayout()
    assert not model.stack.canUndo()
    assert sorted(path.name for path in (tmp_path / "boards").iterdir()) == ["one.json", "two.json"]


def test_that_a_sibling_keeps_the_board_and_its_undo(tmp_path: Path, qtbot: QtBot, storage: Storage) -> None:
    model, kept = files(tmp_path, storage)
    kept.open("one")
    assert storage.finish()
    model.change("smoothing", lambda layout: layout.with_(smoothing=0.5))
    kept.open("one")
    assert storage.finish()
    assert model.stack.canUndo()
    kept.flush()
    assert storage.finish()


def test_that_a_board_goes_through_json() -> None:
    assert decode(json.dumps(encode(LAYOUT, "x")).encode()) == LAYOUT


def test_that_an_older_board_is_brought_up_one_version_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def first(plain: board_files.Plain) -> board_files.Plain:
        plain["board"] = plain.pop("layout")
        return plain

    def second(plain: board_files.Plain) -> board_files.Plain:
        plain["board"]["smoothing"] /= 100
        return plain

    monkeypatch.setattr(board_files, "VERSION", 3)
    monkeypatch.setattr(board_files, "MIGRATIONS", {1: first, 2: second})
    old = {"helm_board": 1, "layout": {"smoothing": 50}}
    assert decode(json.dumps(old).encode()) == BoardLayout(smoothing=0.5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"helm_board": 1}',
        '{"helm_board": 1, "board": {"smoothing": 7}}',
        '{"helm_board": "x"}',
    ],
)
def test_that_what_is_no_board_is_said_and_set_aside(
    text: str, tmp_path: Path, qtbot: QtBot, storage: Storage
) -> None:
    with pytest.raises(BoardError):
        decode(text.encode())
    model, kept = files(tmp_path, storage)
    path = kept.path("one")
    assert path is not None
    path.parent.mkdir()
    path.write_text(text)
    with qtbot.waitSignal(kept.notified) as said:
        kept.open("one")
        assert storage.finish()
    assert "moved to one.unread.json" in said.args[0]
    assert model.layout == BoardLayout()
    assert (tmp_path / "boards" / "one.unread.json").read_text() == text


def test_that_a_newer_board_stays_as_it_is(tmp_path: Path, qtbot: QtBot, storage: Storage) -> None:
    model, kept = files(tmp_path, storage)
    path = kept.path("one")
    assert path is not None
    path.parent.mkdir()
    text = json.dumps({"helm_board": 99, "board": {}})
    path.write_text(text)
    with qtbot.waitSignal(kept.notified) as said:
        kept.open("one")
        assert storage.finish()
    assert "newer" in said.args[0]
    model.change("smoothing", lambda layout: layout.with_(smoothing=0.5))
    kept.flush()
    assert storage.finish()
    assert path.read_text() == text


def two(
    tmp_path: Path, storage: Storage
) -> tuple[tuple[BoardModel, BoardFiles], tuple[BoardModel, BoardFiles]]:
    """The same board in two windows."""
    pair = files(tmp_path, storage), files(tmp_path, storage)
    for model, kept in pair:
        model.set_names(["a", "b"])
        kept.open("one")
        assert storage.finish()
    return pair


def test_that_what_one_window_keeps_the_other_shows_soon(
    tmp_path: Path, qtbot: QtBot, storage: Storage
) -> None:
    (first, _), (second, _) = two(tmp_path, storage)
    first.change("smoothing", lambda layout: layout.with_(smoothing=0.5))
    qtbot.waitUntil(lambda: second.layout.smoothing == 0.5)
    assert not second.stack.canUndo()
    second.change("size", lambda layout: edits.resize_chart(layout, "a", 2, 1))
    qtbot.waitUntil(lambda: "a" in first.layout.charts)
    first.stack.undo()
    qtbot.waitUntil(lambda: second.layout.smoothing == 0.0)
    assert "a" in second.layout.charts
    second.stack.undo()
    qtbot.waitUntil(lambda: first.is_default)


def test_that_edits_of_the_same_moment_are_both_kept(tmp_path: Path, qtbot: QtBot, storage: Storage) -> None:
    (first, one), (second, other) = two(tmp_path, storage)
    first.change("smoothing", lambda layout: layout.with_(smoothing=0.5))
    second.change("size", lambda layout: edits.resize_chart(layout, "a", 2, 1))
    one.flush()
    assert storage.finish()
    other.flush()
    assert storage.finish()
    qtbot.waitUntil(lambda: first.layout == second.layout)
    assert first.layout.smoothing == 0.5
    assert first.layout.charts["a"].columns == 2
    path = one.path("one")
    assert path is not None
    assert decode(path.read_bytes()) == first.layout


def test_that_a_file_spoilt_meanwhile_is_set_aside_and_the_board_stays(
    tmp_path: Path, qtbot: QtBot, storage: Storage
) -> None:
    model, kept = files(tmp_path, storage)
    kept.open("one")
    assert storage.finish()
    model.change("smoothing", lambda layout: layout.with_(smoothing=0.5))
    kept.flush()
    assert storage.finish()
    path = kept.path("one")
    assert path is not None
    with qtbot.waitSignal(kept.notified) as said:
        path.write_text("{")
    assert "moved to one.unread.json and the board stays as it is here" in said.args[0]
    qtbot.waitUntil(path.is_file)
    assert decode(path.read_bytes()).smoothing == 0.5
    assert path.with_suffix(".unread.json").read_text() == "{"


def test_that_a_hidden_window_looks_at_nothing_and_at_once_when_it_is_seen_again(
    tmp_path: Path, qtbot: QtBot, storage: Storage
) -> None:
    (first, keeper), (second, hidden) = two(tmp_path, storage)
    hidden.set_watching(False)
    first.change("smoothing", lambda layout: layout.with_(smoothing=0.5))
    keeper.flush()
    assert storage.finish()
    assert not hidden.findChildren(QTimer)[1].isActive()
    assert second.layout.smoothing == 0.0
    hidden.set_watching(True)
    assert storage.finish()
    assert second.layout.smoothing == 0.5
    assert hidden.findChildren(QTimer)[1].isActive()
