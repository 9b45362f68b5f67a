import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.theme import ThemeManager
from helm_desktop.widgets import (
    ElidedLabel,
    EmptyState,
    FlowLayout,
    FoldingSection,
    IconButton,
    MarkGlyph,
    NumberField,
    Pill,
    ProgressLine,
    SegmentedControl,
    StateDot,
    Step,
    StepTrack,
    ToggleSwitch,
)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def _themed(theme: ThemeManager) -> None:
    """Widgets wear the theme."""


def test_that_a_label_knows_that_it_is_elided(qtbot: QtBot) -> None:
    label = ElidedLabel("a title that is far too long")
    qtbot.addWidget(label)
    label.resize(60, 20)
    label.show()
    assert label.elided
    assert label.shown_text().endswith("…")
    assert label.text() == label.toolTip() == label.accessibleName() == "a title that is far too long"
    label.resize(400, 20)
    assert not label.elided
    assert not label.toolTip()


def test_that_a_segment_is_chosen_by_mouse_and_key(qtbot: QtBot) -> None:
    control = SegmentedControl([("rate", "rate"), ("scale", "scale"), ("plan", "plan")], name="Set")
    qtbot.addWidget(control)
    control.show()
    chosen: list[object] = []
    control.chosen.connect(chosen.append)
    QTest.mouseClick(control.button("scale"), LEFT)
    QTest.keyClick(control, Qt.Key.Key_Right)
    QTest.keyClick(control, Qt.Key.Key_Right)
    assert chosen == ["scale", "plan"]
    control.set_value("gone")
    assert control.value is None
    assert len(chosen) == 2


def test_that_true_is_not_taken_for_one(qtbot: QtBot) -> None:
    control = SegmentedControl([(True, "yes"), (1, "one")])
    qtbot.addWidget(control)
    control.set_value(1)
    assert control.value == 1
    assert control.value is not True


def test_that_a_number_is_kept_to_the_letter(qtbot: QtBot) -> None:
    field = NumberField("lr", unit="per step", step="0.001")
    qtbot.addWidget(field)
    field.show()
    QTest.keyClicks(field, "1.50e-3")
    assert field.value_text == "1.50e-3"
    assert field.accessibleName() == "lr, in per step"
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert field.number is not None
    assert float(field.number) == 0.0025
    field.set_invalid("lr is too large")
    assert field.property("invalid") is True
    assert field.accessibleDescription() == "lr is too large"


def test_that_space_turns_a_switch(qtbot: QtBot) -> None:
    switch = ToggleSwitch("enabled")
    qtbot.addWidget(switch)
    switch.show()
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert switch.isChecked()
    QTest.mouseClick(switch, LEFT)
    assert not switch.isChecked()


def test_that_a_state_has_a_word_beside_its_colour(qtbot: QtBot) -> None:
    dot = StateDot("live", "live")
    bare = StateDot("killed at step 37", "bad", show_word=False)
    for widget in (dot, bare):
        qtbot.addWidget(widget)
    words = dot.findChild(QLabel)
    assert isinstance(words, QLabel)
    assert words.text() == dot.accessibleName() == "live"
    assert bare.toolTip() == bare.accessibleName() == "killed at step 37"
    with pytest.raises(ValueError, match="none of"):
        dot.set_state("live", "green")


def test_that_each_mark_is_drawn_in_its_shape(qtbot: QtBot, theme: ThemeManager) -> None:
    pictures = []
    for kind in ("change", "checkpoint", "rule"):
        glyph = MarkGlyph(kind)
        qtbot.addWidget(glyph)
        picture = glyph.grab().toImage()
        pictures.append([picture.pixelColor(x, y).name() for x in range(12) for y in range(12)])
    assert pictures[0] != pictures[1] != pictures[2]
    assert theme.current().warn in pictures[0]
    assert theme.current().checkpoint in pictures[1]


def colours(widget: QWidget) -> set[str]:
    """Every colour that a widget is painted in."""
    picture = widget.grab().toImage()
    return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}


def test_that_an_icon_is_painted_in_the_colours_of_the_theme(qtbot: QtBot, theme: ThemeManager) -> None:
    button = IconButton("gear", "Run menu", pixels=32)
    flat = IconButton("edit", "Edit chart", "flat", pixels=32)
    for widget in (button, flat):
        qtbot.addWidget(widget)
    for choice in ("dark", "light"):
        theme.choose(choice)
        assert theme.current().text in colours(button)
        assert theme.current().quiet in colours(flat)
    flat.setEnabled(False)
    assert theme.current().faint in colours(flat)
    assert flat.toolTip() == flat.accessibleName() == "Edit chart"


def test_that_each_icon_has_a_picture_of_its_own(qtbot: QtBot) -> None:
    pictures = []
    for kind in ("edit", "full-window", "gear", "more"):
        button = IconButton(kind, kind)
        qtbot.addWidget(button)
        pictures.append(button.grab().toImage())
    assert all(pictures[one] != pictures[other] for one in range(4) for other in range(one))


def test_that_a_section_folds(qtbot: QtBot) -> None:
    content = QLabel("inside")
    section = FoldingSection("train and optim", content, note="4 charts")
    qtbot.addWidget(section)
    section.show()
    button = section.button
    with qtbot.waitSignal(section.folded):
        QTest.mouseClick(button, LEFT)
    assert content.isHidden()
    assert button.accessibleName() == "train and optim, folded"
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert not content.isHidden()


def test_that_a_track_says_its_stations_in_order(qtbot: QtBot) -> None:
    track = StepTrack()
    qtbot.addWidget(track)
    track.set_steps([Step("requested", "done"), Step("waiting for trainer.step", "now")])
    assert track.accessibleName() == "requested → waiting for trainer.step"
    assert track.heightForWidth(80) > track.heightForWidth(400)


def test_that_a_long_reason_wraps_instead_of_widening_its_card(qtbot: QtBot) -> None:
    track = StepTrack()
    qtbot.addWidget(track)
    reason = "rejected: lr and scale are both given, send one of them, and tell which of the two was meant"
    track.set_steps([Step("requested by somebody", "done"), Step(reason, "bad")])
    track.resize(240, 100)
    track.show()
    assert track.minimumSizeHint().width() <= 240
    words = next(label for label in track.findChildren(QLabel) if label.text() == reason)
    assert words.mapTo(track, words.rect().bottomRight()).x() <= 240
    assert words.height() >= 3 * words.fontMetrics().height()


def test_that_a_flow_wraps_to_its_width(qtbot: QtBot) -> None:
    box = QWidget()
    flow = FlowLayout(box, gap=8)
    buttons = [QPushButton(f"Button {number}") for number in range(4)]
    for button in buttons:
        flow.addWidget(button)
    qtbot.addWidget(box)
    box.resize(200, 200)
    box.show()
    assert buttons[0].y() < buttons[3].y()
    assert all(button.geometry().right() < 200 for button in buttons)


def test_that_pills_and_lines_and_empty_places_have_names(qtbot: QtBot) -> None:
    pill, line = Pill("drafting a change", "warn"), ProgressLine("Step")
    empty = EmptyState("No runs yet", "Two lines in a script start one.")
    for widget in (pill, line, empty):
        qtbot.addWidget(widget)
    assert pill.accessibleName() == "drafting a change"
    assert pill.focusPolicy() == Qt.FocusPolicy.NoFocus
    line.set_share(1.4)
    assert line.accessibleName() == "Step: 100%"
    pressed: list[bool] = []
    button = empty.add_button("Copy", primary=True)
    button.clicked.connect(lambda: pressed.append(True))
    empty.show()
    QTest.mouseClick(button, LEFT, pos=QPoint(5, 5))
    assert pressed
    assert empty.accessibleName() == "No runs yet"


def test_that_a_flow_has_room_for_its_last_line(qtbot: QtBot, theme: ThemeManager) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = FlowLayout(holder, gap=4, line_gap=4)
    buttons = [QPushButton(f"button {number}") for number in range(4)]
    for button in buttons:
        flow.addWidget(button)
    width = buttons[0].sizeHint().width() * 2 + 10
    holder.resize(width, flow.heightForWidth(width))
    holder.show()
    assert buttons[-1].geometry().bottom() < holder.height()
