import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from helm_desktop.widgets import SegmentedControl, focus_next, has_focus
from helm_desktop.widgets.tab_order import stops


class Window(QWidget):
    """Two columns whose widgets were made in no order."""

    def __init__(self) -> None:
        super().__init__()
        self.left, self.right = QWidget(), QWidget()
        row = QHBoxLayout(self)
        row.addWidget(self.left)
        row.addWidget(self.right)
        grid = QGridLayout(self.left)
        for name, at in (("d", (1, 1)), ("a", (0, 0)), ("c", (1, 0)), ("b", (0, 1))):
            grid.addWidget(QPushButton(name), *at)
        column = QVBoxLayout(self.right)
        self.segments = SegmentedControl((("one", "one"), ("two", "two")), name="s")
        self.segments.set_value("two")
        column.addWidget(self.segments)
        self.last = QLineEdit("z")
        column.addWidget(self.last)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return focus_next([self.left, self.right], forward=forward)


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    """On the screen."""
    made = Window()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def names(widgets: list[QWidget]) -> list[str]:
    """What they say."""
    return [one.text() for one in widgets if isinstance(one, QPushButton | QLineEdit)]


def presses(key: Qt.Key, times: int) -> list[str]:
    """What has the focus after each press."""
    found = []
    for _ in range(times):
        now = QApplication.focusWidget()
        assert now is not None
        QTest.keyClick(now, key)
        after = QApplication.focusWidget()
        assert isinstance(after, QPushButton | QLineEdit)
        found.append(after.text())
    return found


def test_that_tab_goes_by_rows_through_one_region_after_the_other_and_round(window: Window) -> None:
    assert names(stops(window.left)) == ["a", "b", "c", "d"]
    stops(window.left)[0].setFocus()
    assert presses(Qt.Key.Key_Tab, 6) == ["b", "c", "d", "two", "z", "a"]
    assert presses(Qt.Key.Key_Backtab, 3) == ["z", "two", "d"]


def test_that_what_is_hidden_or_disabled_is_passed_by(window: Window) -> None:
    a, b, c, _ = stops(window.left)
    b.setEnabled(False)
    c.hide()
    a.setFocus()
    assert presses(Qt.Key.Key_Tab, 2) == ["d", "two"]
    window.right.hide()
    assert has_focus(window.left), "Qt gives the focus on"
    a.setFocus()
    assert presses(Qt.Key.Key_Tab, 2) == ["d", "a"]


def test_that_a_region_without_anything_to_stop_at_is_no_trap(window: Window) -> None:
    for one in stops(window.left):
        one.setEnabled(False)
    assert focus_next([window.left, window.right])
    assert has_focus(window.right)
    assert not focus_next([window.left])


def test_that_what_lies_inside_of_a_stop_follows_it(qtbot: QtBot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    row = QHBoxLayout(whole)
    for name in ("first", "second"):
        card = QGroupBox(name)
        card.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column = QVBoxLayout(card)
        column.addWidget(QPushButton(f"{name} button"))
        row.addWidget(card)
    whole.show()
    told = [one.title() if isinstance(one, QGroupBox) else names([one])[0] for one in stops(whole)]
    assert told == ["first", "first button", "second", "second button"]


def test_that_what_is_scrolled_out_of_sight_is_not_read_among_its_neighbours(qtbot: QtBot) -> None:
    whole, area, body = QWidget(), QScrollArea(), QWidget()
    qtbot.addWidget(whole)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    inner = QVBoxLayout(body)
    for at in range(20):
        inner.addWidget(QPushButton(str(at)))
    area.setWidget(body)
    area.setWidgetResizable(True)
    column = QVBoxLayout(whole)
    column.addWidget(QPushButton("above"))
    column.addWidget(area)
    column.addWidget(QPushButton("below"))
    whole.resize(200, 260)
    whole.show()
    qtbot.waitExposed(whole)
    hidden = QScrollArea(whole)  # as on a tab that is not in front
    hidden.resize(whole.size())
    hidden.hide()
    for value in (0, area.verticalScrollBar().maximum()):
        area.verticalScrollBar().setValue(value)
        assert names(stops(whole)) == ["above", *map(str, range(20)), "below"]


def test_that_what_gets_the_focus_is_scrolled_into_sight(qtbot: QtBot) -> None:
    area, body = QScrollArea(), QWidget()
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    qtbot.addWidget(area)
    column = QVBoxLayout(body)
    for at in range(40):
        column.addWidget(QPushButton(str(at)))
    area.setWidget(body)
    area.setWidgetResizable(True)
    area.resize(200, 200)
    area.show()
    qtbot.waitExposed(area)
    assert focus_next([area], forward=False)
    focused = area.focusWidget()
    assert isinstance(focused, QPushButton)
    assert focused.text() == "39"
    assert area.verticalScrollBar().value() == area.verticalScrollBar().maximum()
