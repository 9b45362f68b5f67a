"""The page of media: names, steps, and what each kind looks like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.model.media.content import (
    AudioContent,
    Content,
    HistogramContent,
    ImageContent,
    TableContent,
    TextContent,
    UnreadableMedia,
)
from helm_desktop.model.media.media_model import MediaItem, MediaModel
from helm_desktop.theme import ThemeManager
from helm_desktop.views.media import MediaView
from helm_sdk.protocol.messages import Event


@pytest.fixture
def view(theme: ThemeManager, qtbot: QtBot) -> Iterator[MediaView]:
    """A page with no run yet."""
    made = MediaView()
    made.resize(340, 420)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.hide()


class Script:
    """A run that logs: fills the model and remembers what the page asked to be read."""

    def __init__(self, view: MediaView) -> None:
        self.model = MediaModel()
        self.asked: list[MediaItem] = []
        self._number = 0
        view.item_requested.connect(self.asked.append)
        view.set_model(self.model)

    def log(self, name: str, *steps: int, kind: str = "text", **body: Any) -> None:
        """Values of a name at these steps, in one batch of updates."""
        for step in steps:
            self._number += 1
            said = {"name": name, "type": kind, "file": f"media/{self._number}", **body}
            event = Event(id=self._number, kind="media", time=float(self._number), step=step, body=said)
            self.model.add("rank-0", 1, event)
        self.model.changed.emit()

    @property
    def last(self) -> tuple[str, int]:
        """(name, step) of what was asked for last."""
        return self.asked[-1].name, self.asked[-1].step


def test_that_an_empty_page_says_what_would_fill_it(view: MediaView) -> None:
    view.set_model(MediaModel())
    assert not view.names.isVisible()
    assert "run.text" in view._empty.accessibleDescription()
    Script(view).log("a: b", 3)
    assert view.names.isVisible()
    assert not view._empty.isVisible()


def test_that_it_follows_the_newest_until_the_slider_is_moved(view: MediaView) -> None:
    script = Script(view)
    script.log("a", 0, 10)
    assert (script.last, view.step.text()) == (("a", 10), "step 10 · 2 of 2")
    script.log("a", 20)
    assert script.last == ("a", 20)
    view.slider.setFocus()
    QTest.keyClick(view.slider, Qt.Key.Key_Left)
    assert (script.last, view.step.text()) == (("a", 10), "step 10 · 2 of 3")
    script.log("a", 5, 30)  # one before it, one after it
    assert (script.last, view.step.text()) == (("a", 10), "step 10 · 3 of 5")
    assert len(script.asked) == 3
    QTest.keyClick(view.slider, Qt.Key.Key_End)
    script.log("a", 40)
    assert script.last == ("a", 40)


def test_that_nothing_is_read_while_the_page_is_out_of_sight(view: MediaView) -> None:
    script = Script(view)
    view.hide()
    script.log("a", 1, 2)
    script.log("a", 3)
    assert script.asked == []
    view.show()
    assert [(item.name, item.step) for item in script.asked] == [("a", 3)]


def test_that_names_are_shown_as_they_are_and_chosen_by_key(view: MediaView) -> None:
    script = Script(view)
    script.log("a: b", 1)
    script.log("<b>&x</b>", 2)
    assert [view.names.itemText(place) for place in range(2)] == ["a: b", "<b>&x</b>"]
    assert script.last == ("a: b", 1)
    view.names.setFocus()
    QTest.keyClick(view.names, Qt.Key.Key_Down)
    assert script.last == ("<b>&x</b>", 2)
    assert view.lines() == ["a: b 1", "<b>&x</b> 1"]


def test_that_what_comes_late_for_another_value_is_passed_over(view: MediaView) -> None:
    script = Script(view)
    script.log("a", 1, 2)
    assert view.item is not None
    view.show_content("rank-0/1/1", TextContent("old", False))
    assert view.content is None
    view.show_content(view.item.key, TextContent("new", False))
    assert view.text.toPlainText() == "new"


def test_that_each_kind_is_shown_with_its_measures(view: MediaView) -> None:
    script = Script(view)
    script.log("x", 1, caption="<i>c</i>", bytes=2000, rows=9, non_finite=2)
    assert view.item is not None
    key = view.item.key
    table = TableContent(("a", "b"), (("x", "1"), ("y", "2")), (False, True))
    wave = np.array([[-0.5, -1.0]], np.float32)
    shown: list[tuple[Content, QWidget, str]] = [
        (TextContent("**a** <b>", False), view.text, "<i>c</i> · 2 not finite · 2 KB"),
        (table, view.table, "<i>c</i> · 2 of 9 rows · 2 columns · 2 not finite · 2 KB"),
        (
            HistogramContent((3.0, 1.0), (0.0, 1.0, 2.0), nan=2),
            view.histogram,
            "<i>c</i> · 4 values in 2 bins · 2 NaN · 2 KB",
        ),
        (
            AudioContent(8000, 1.5, wave, -wave),
            view.waveform,
            "<i>c</i> · 2 s · 8,000 Hz · mono · 2 not finite · 2 KB",
        ),
    ]
    for content, page, words in shown:
        view.show_content(key, content)
        assert view.stack.currentWidget() is page
        assert view.about.text() == words
        assert not view.zoom.isVisible()
        assert not view.grab().isNull()
    assert view.text.toPlainText() == "**a** <b>"
    model = view.table.model()
    assert [model.index(1, column).data() for column in range(2)] == ["y", "2"]
    first, second = view.histogram.bars()
    assert first.height() == 3 * second.height()
    assert view.histogram.bin_words(view.histogram.width() - 2.0) == "1 from 1.0 to 2.0"
    view.show_content(key, UnreadableMedia("it is gone"))
    assert view._sentence.text() == "it is gone"


def test_that_markdown_loads_nothing(view: MediaView, tmp_path: Any) -> None:
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    image.save(str(tmp_path / "x.png"))
    script = Script(view)
    script.log("x", 1)
    assert view.item is not None
    text = f"# Title\n\n![x]({tmp_path}/x.png) ![y](file://{tmp_path}/x.png) <b>bold</b> **strong**"
    view.show_content(view.item.key, TextContent(text, True))
    assert "Title" in view.text.toPlainText()
    assert "<b>bold</b>" in view.text.toPlainText()
    kind = QTextDocument.ResourceType.ImageResource
    for name in (f"{tmp_path}/x.png", f"file://{tmp_path}/x.png"):
        assert view.text.document().resource(kind, name).width() == 1


def test_that_a_picture_fits_and_is_shown_pixel_for_pixel(view: MediaView, qtbot: QtBot) -> None:
    script = Script(view)
    script.log("x", 1, kind="image")
    assert view.item is not None
    image = QImage(800, 600, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff0000"))
    view.show_content(view.item.key, ImageContent(image))
    canvas = view.picture.canvas
    qtbot.waitUntil(lambda: canvas.width() == view.picture.viewport().width())
    assert canvas.image_rect().width() <= canvas.width()
    assert canvas.image_rect().width() / canvas.image_rect().height() == pytest.approx(4 / 3, rel=0.02)
    assert view.grab().toImage().pixelColor(view.picture.geometry().center() + view.stack.pos()).red() == 255
    QTest.mouseClick(view.zoom.button("whole"), Qt.MouseButton.LeftButton)
    assert canvas.width() == round(800 / canvas.devicePixelRatioF())
    assert view.picture.horizontalScrollBar().maximum() > 0
    QTest.mouseDClick(view.picture.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert view.picture.fitted
    assert view.zoom.value == "fit"


def test_that_the_value_in_sight_is_the_one_to_save(view: MediaView, qtbot: QtBot) -> None:
    script = Script(view)
    script.log("x", 1, 2)
    with qtbot.waitSignal(view.save_requested) as wish:
        QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
    assert wish.args[0].step == 2


def test_that_another_run_starts_with_its_own_names(view: MediaView) -> None:
    Script(view).log("of the first", 1)
    script = Script(view)
    assert not view.names.isVisible()
    script.log("of the second", 1)
    assert [view.names.itemText(place) for place in range(view.names.count())] == ["of the second"]
