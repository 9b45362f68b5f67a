"""Saving a chart from the real window: progress, Cancel by the mouse, and a file that is exact."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

import helm_sdk
from helm_desktop.app import Desktop
from helm_desktop.model.series.row_snapshot import RowSnapshot
from helm_desktop.model.series.series_model import Series
from helm_desktop.storage import export
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.export_notice import ExportNotice
from helpers.desktop import desktop

LEFT = Qt.MouseButton.LeftButton
PATIENCE_MS = 20_000
VALUES = [1 / (step + 3) for step in range(200)]


def chart_of(window: Desktop, qtbot: QtBot, points: int) -> ChartView:
    """The chart of the run, drawn with all its points."""
    board = window.regions.board

    def drawn() -> bool:
        chart = board.charts.chart("loss")
        return chart is not None and chart.content.point_count == points and not chart.renderer.dirty

    qtbot.waitUntil(drawn, timeout=PATIENCE_MS)
    chart = board.charts.chart("loss")
    assert chart is not None
    return chart


def log(home: Path) -> None:
    """A run of some points."""
    with helm_sdk.init("p", name="r", home=home) as run:
        for step, value in enumerate(VALUES):
            run.log({"loss": value}, step=step)


def save_by_keys(chart: ChartView, path: Path) -> None:
    """Ctrl+S, and the name in the dialog."""
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    (dialog,) = chart.window().findChildren(QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.close()
    QApplication.sendPostedEvents(dialog, QEvent.Type.DeferredDelete.value)


def said(window: Desktop) -> str:
    """What stands at the window's foot."""
    return window.window.statusBar().currentMessage()


def notice_of(window: Desktop) -> ExportNotice:
    """Where progress is shown."""
    assert window.exports.notice is not None
    return window.exports.notice


class Held:
    """Rows that are written only as far as they are let."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = threading.Semaphore(0)
        kept = export.csv_rows

        def csv_rows(*parts: object) -> bytes:
            assert self.gate.acquire(timeout=PATIENCE_MS / 1000)
            return kept(*parts)  # type: ignore[arg-type]

        monkeypatch.setattr(export, "csv_rows", csv_rows)
        monkeypatch.setattr(export, "ROWS", 20)  # ten steps

    def release(self, steps: int) -> None:
        """Write so many more."""
        self.gate.release(steps)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    made = Held(monkeypatch)
    yield made
    made.release(1_000)


def test_that_a_chart_is_saved_exactly_by_its_keys(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    log(tmp_path / "home")
    with desktop(qapp, tmp_path / "home") as window:
        chart = chart_of(window, qtbot, len(VALUES))
        save_by_keys(chart, tmp_path / "a.csv")
        qtbot.waitUntil(lambda: said(window) == f"Saved the chart to {tmp_path / 'a.csv'}")
        rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))
        assert [float(row["value"]) for row in rows] == VALUES
        assert [int(row["step"]) for row in rows] == list(range(len(VALUES)))
        save_by_keys(chart, tmp_path / "a.png")
        qtbot.waitUntil(lambda: said(window).endswith("a.png"))
        assert QImage(str(tmp_path / "a.png")).width() == 1_600
        save_by_keys(chart, tmp_path / "a.svg")
        qtbot.waitUntil(lambda: said(window).endswith("a.svg"))
        assert "<polyline" in (tmp_path / "a.svg").read_text()
        save_by_keys(chart, tmp_path / "nowhere" / "a.png")
        qtbot.waitUntil(lambda: said(window).startswith("The chart was not saved: "))
        assert window.exports.notice is None or not window.exports.notice.isVisible()


def test_that_progress_is_shown_over_the_board_and_moves_nothing(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, held: Held
) -> None:
    log(tmp_path / "home")
    with desktop(qapp, tmp_path / "home") as window:
        chart = chart_of(window, qtbot, len(VALUES))
        board = window.regions.board
        before = (board.geometry(), chart.mapTo(board, QPoint()), chart.size())
        save_by_keys(chart, tmp_path / "a.csv")
        held.release(5)
        qtbot.waitUntil(lambda: window.exports.notice is not None and notice_of(window).isVisible())
        notice = notice_of(window)
        (row,) = notice.rows.values()
        assert row.cancel.accessibleName() == "Cancel saving a.csv"
        qtbot.waitUntil(lambda: (row.progress.share or 0.0) > 0.0)
        assert row.share.text() in ("10%", "20%", "30%", "40%", "50%")
        assert board.rect().contains(notice.geometry())
        assert notice.geometry().bottom() > board.height() - 40
        assert (board.geometry(), chart.mapTo(board, QPoint()), chart.size()) == before
        assert next(label.text() for label in notice.findChildren(QLabel)) == "Saving a.csv"
        assert not (tmp_path / "a.csv").exists(), "it appears when it is complete"
        window.window.resize(1_300, 800)
        qtbot.waitUntil(lambda: board.rect().contains(notice.geometry()))
        held.release(100)
        qtbot.waitUntil(lambda: not notice.isVisible())
        assert said(window) == f"Saved the chart to {tmp_path / 'a.csv'}"
        assert len((tmp_path / "a.csv").read_text().splitlines()) == len(VALUES) + 1


def test_that_cancel_by_the_mouse_leaves_no_file_and_the_next_one_goes_on(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, held: Held
) -> None:
    log(tmp_path / "home")
    target = tmp_path / "files"
    target.mkdir()
    with desktop(qapp, tmp_path / "home") as window:
        chart = chart_of(window, qtbot, len(VALUES))
        save_by_keys(chart, target / "a.csv")
        save_by_keys(chart, target / "b.csv")
        held.release(2)
        qtbot.waitUntil(lambda: window.exports.notice is not None and len(notice_of(window).rows) == 2)
        first, second = notice_of(window).rows.values()
        qtbot.waitUntil(lambda: first.cancel.isVisible())
        QTest.mouseClick(first.cancel, LEFT)
        assert not first.cancel.isEnabled()
        held.release(1)  # the step that was under way
        qtbot.waitUntil(lambda: said(window) == "Cancelled: nothing was saved")
        assert list(notice_of(window).rows.values()) == [second]
        assert not (target / "a.csv").exists()
        held.release(100)
        qtbot.waitUntil(lambda: not notice_of(window).isVisible())
        assert [one.name for one in target.iterdir()] == ["b.csv"]


def test_that_closing_the_window_ends_an_export_without_half_a_file(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    log(tmp_path / "home")
    target = tmp_path / "files"
    target.mkdir()
    series = Series("loss")
    steps = np.arange(2_000_000)
    series.append("trainer", 1, steps, steps * 0.5, steps / 7)
    (segment,) = series.segments.values()
    with desktop(qapp, tmp_path / "home") as window:
        chart_of(window, qtbot, len(VALUES))
        window.exports.save(str(target / "a.csv"), [RowSnapshot.of("loss", segment)] * 20)
        qtbot.waitUntil(lambda: any(target.iterdir()))
    assert list(target.iterdir()) == []
