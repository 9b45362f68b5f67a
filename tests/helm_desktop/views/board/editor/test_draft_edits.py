"""The form of the chart editor and the draft behind it."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.chart_draft import ChartDraft
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.editor.draft_edits import DraftEdits

NAMES = ("norm/layer0", "norm/layer1", "train/loss")


@pytest.fixture
def edits(qtbot: QtBot, theme: ThemeManager) -> DraftEdits:
    """The edits of the draft of a chart of the loss."""
    frame = QWidget()
    qtbot.addWidget(frame)
    made = DraftEdits(frame)
    made.panel.setParent(frame)
    made.begin(ChartDraft(ChartSpec(series=("train/loss",)), NAMES))
    return made


def test_that_an_edit_changes_the_draft_and_emits_changed(edits: DraftEdits, qtbot: QtBot) -> None:
    with qtbot.waitSignal(edits.changed):
        edits.panel.series.added.emit("norm/layer0")
    assert edits.draft.spec.series == ("train/loss", "norm/layer0")
    with qtbot.waitSignal(edits.changed):
        edits.panel.options.changed.emit("log_y", True)
    assert edits.draft.spec.log_y


def test_that_what_cannot_be_done_is_explained_and_changes_nothing(edits: DraftEdits, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(edits.changed):
        edits.panel.series.added.emit("nothing here")
    assert edits.panel.problem.text() == "No stream of this run is named nothing here"
    assert not edits.panel.problem.isHidden()
    assert edits.draft.spec.series == ("train/loss",)
    edits.panel.series.added.emit("norm/layer0")
    assert edits.panel.problem.isHidden()


def test_that_edits_are_undone_and_redone(edits: DraftEdits, qtbot: QtBot) -> None:
    edits.panel.tiles.chosen.emit("bars")
    with qtbot.waitSignal(edits.changed):
        edits.undo()
    drawn = [edits.draft.spec.draw]
    edits.undo(again=True)
    assert [*drawn, edits.draft.spec.draw] == ["lines", "bars"]
    with qtbot.assertNotEmitted(edits.changed):
        edits.undo(again=True)


def test_that_a_variable_needs_a_series_first(edits: DraftEdits) -> None:
    edits.begin(ChartDraft(ChartSpec(), NAMES))
    edits.panel.plus.click()
    assert edits.panel.problem.text() == "Add a series first. A variable is a part of the name of a series."


def test_that_another_draft_begins_without_the_problem_of_the_one_before(edits: DraftEdits) -> None:
    edits.panel.series.added.emit("nothing here")
    edits.begin(ChartDraft(ChartSpec(series=("norm/layer0",)), NAMES))
    assert edits.panel.problem.isHidden()
    assert [row.field.text for row in edits.panel.series.rows] == ["norm/layer0"]


def test_that_streams_that_come_later_can_be_added(edits: DraftEdits) -> None:
    edits.set_names((*NAMES, "eval/loss"))
    edits.panel.series.added.emit("eval/loss")
    assert edits.draft.spec.series == ("train/loss", "eval/loss")
