from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from helm_desktop.theme import ThemeManager
from helm_desktop.widgets import Share, SplitBar

Make = Callable[..., SplitBar]


@pytest.fixture
def make(qtbot: QtBot, theme: ThemeManager) -> Make:
    def made(*weights: float, locked: int | None = None) -> SplitBar:
        bar = SplitBar("Mixture", draggable=True)
        bar.set_segments(
            [
                Share(f"c{i}", weight, theme.current().curve(i), i == locked)
                for i, weight in enumerate(weights)
            ]
        )
        qtbot.addWidget(bar)
        bar.resize(400, bar.height())
        bar.show()
        return bar

    return made


def at(x: float) -> QPoint:
    return QPoint(round(x), 10)


def test_that_a_drag_only_says_what_is_wished(make: Make) -> None:
    bar = make(40, 30, 20, 10)
    wishes: list[tuple[int, float]] = []
    bar.dragged.connect(lambda index, share: wishes.append((index, share)))
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=at(bar.divider_x(1)))
    QTest.mouseMove(bar, at(320))
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=at(320))
    assert wishes[-1][0] == 1
    assert wishes[-1][1] == pytest.approx(0.4)
    assert bar.shares == (0.4, 0.3, 0.2, 0.1)


def test_that_a_wish_never_leaves_the_neighbours_room(make: Make) -> None:
    bar = make(40, 30, 20, 10)
    wishes: list[float] = []
    bar.dragged.connect(lambda index, share: wishes.append(share))
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=at(bar.divider_x(0)))
    QTest.mouseMove(bar, at(399))
    QTest.mouseMove(bar, at(0))
    assert wishes == [pytest.approx(0.7), 0.0]


def test_that_keys_move_the_chosen_divider(make: Make, qtbot: QtBot) -> None:
    bar = make(40, 30, 20, 10)
    wishes: list[tuple[int, float]] = []
    bar.dragged.connect(lambda index, share: wishes.append((index, round(share, 6))))
    QTest.keyClick(bar, Qt.Key.Key_Right)
    QTest.keyClick(bar, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(bar, Qt.Key.Key_Down)
    QTest.keyClick(bar, Qt.Key.Key_Left)
    assert wishes == [(0, 0.41), (0, 0.35), (1, 0.29)]


def test_that_a_locked_neighbour_holds_the_divider(make: Make) -> None:
    bar = make(40, 30, 20, 10, locked=1)
    wishes: list[int] = []
    bar.dragged.connect(lambda index, share: wishes.append(index))
    for index in range(3):
        QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=at(bar.divider_x(index)))
        QTest.mouseMove(bar, at(bar.divider_x(index) - 8))
        QTest.mouseRelease(bar, Qt.MouseButton.LeftButton)
    assert wishes == [2]


def test_that_an_empty_segment_can_be_opened_from_either_side(make: Make) -> None:
    bar = make(50, 0, 50)
    assert bar.divider_at(200 - 3) == 0
    assert bar.divider_at(200 + 3) == 1


def test_that_a_thin_segment_still_has_a_handle(make: Make) -> None:
    bar = make(50, 0.5, 49.5)
    assert bar.divider_at(bar.divider_x(0) - 4) == 0
    assert bar.divider_at(bar.divider_x(1) + 4) == 1
    assert bar.divider_at(20) is None


def test_that_the_bar_is_told_to_a_screen_reader(make: Make) -> None:
    bar = make(75, 25)
    assert bar.accessibleName() == "Mixture"
    assert bar.accessibleDescription() == "c0 75.0%, c1 25.0%"
    QTest.keyClick(bar, Qt.Key.Key_Up)
    assert "between c0 and c1" in bar.accessibleName()


def test_that_a_bar_without_weight_is_empty(make: Make) -> None:
    assert make(0, 0).shares == (0.0, 0.0)
