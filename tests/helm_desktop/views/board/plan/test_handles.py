"""The handles of a draft and the drag of one, without the mouse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.views.board.plan.handles import REACH_PX
from helpers.drafting import drafting
from helpers.plan_scene import Scene

pytestmark = pytest.mark.usefixtures("theme")


@pytest.fixture
def scene(qapp: QApplication, qtbot: QtBot) -> Iterator[Scene]:
    """A draft with one keyframe on a chart."""
    made = Scene(drafting())
    qtbot.addWidget(made.chart)
    qtbot.addWidget(made.bar)
    made.begin()
    yield made
    made.model.set_session(None)


def test_that_a_handle_is_found_within_reach_and_no_further(scene: Scene) -> None:
    handles = scene.overlay.handles
    place = handles.place(0)
    assert handles.at(place + QPointF(REACH_PX - 1, 0)) == 0
    assert handles.at(place + QPointF(REACH_PX + 1, 0)) is None


def test_that_the_label_of_a_handle_has_its_step_and_value(scene: Scene) -> None:
    ((step, _),) = scene.frames
    assert scene.overlay.handles.label(0).startswith(f"step {step} · ")


def test_that_a_keyframe_follows_the_pointer_only_while_it_is_dragged(scene: Scene, qtbot: QtBot) -> None:
    drag, before = scene.overlay.drag, scene.frames
    to = scene.overlay.places.place(401, 2.6e-3)
    drag.move(to, snaps=False)
    assert scene.frames == before
    drag.begin(0)
    with qtbot.waitSignal(drag.moved):
        drag.move(to, snaps=False)
    ((_, value),) = scene.frames
    assert value == pytest.approx(2.6e-3, rel=0.06)
    assert drag.end()
    assert not drag.end()


def test_that_the_y_range_is_kept_while_a_keyframe_is_dragged(scene: Scene) -> None:
    drag, ranges = scene.overlay.drag, scene.chart.ranges
    shown = ranges.y.shown
    drag.begin(0)
    assert ranges.y.held == shown
    drag.end()
    assert ranges.y.held is None


def test_that_the_range_grows_while_the_pointer_is_above_the_picture(scene: Scene, qtbot: QtBot) -> None:
    drag, ranges = scene.overlay.drag, scene.chart.ranges
    top = ranges.y.shown[1]
    drag.begin(0)
    drag.move(QPointF(scene.overlay.handles.place(0).x(), -40.0), snaps=True)
    qtbot.waitUntil(lambda: ranges.y.shown[1] > top, timeout=10_000)
    drag.end()
