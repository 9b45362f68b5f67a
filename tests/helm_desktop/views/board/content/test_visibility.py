"""Which curves are drawn: one alone, all but some, and all again."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.views.board.content.content import ChartContent
from helpers.contents import content_of, series_of


def three() -> ChartContent:
    """A chart of three curves."""
    names = ("loss/code", "loss/math", "loss/web")
    spec = ChartSpec(series=("loss/{source}",))
    return content_of(spec, *(series_of(name, [1.0, 2.0]) for name in names))


def drawn(content: ChartContent) -> list[str]:
    """The names of the curves that are drawn."""
    return [one.name for one in content.curves.all() if not content.visibility.is_hidden(one.key)]


def key_of(content: ChartContent, name: str) -> str:
    """The key of a curve."""
    return next(one.key for one in content.curves.all() if one.name == name)


def test_that_a_curve_is_shown_alone_and_all_are_shown_again(qtbot: QtBot) -> None:
    content = three()
    with qtbot.waitSignal(content.visibility.changed):
        content.visibility.set_solo(key_of(content, "math"))
    assert drawn(content) == ["math"]
    content.visibility.set_solo(key_of(content, "math"))
    assert drawn(content) == ["code", "math", "web"]
    assert not content.visibility.some_hidden


def test_that_a_second_curve_joins_the_one_that_is_alone() -> None:
    content = three()
    content.visibility.set_solo(key_of(content, "math"))
    content.visibility.toggle(key_of(content, "web"))
    assert drawn(content) == ["math", "web"]


def test_that_hiding_the_last_curve_shows_all() -> None:
    content = three()
    for name in ("code", "math"):
        content.visibility.toggle(key_of(content, name))
    assert drawn(content) == ["web"]
    content.visibility.toggle(key_of(content, "web"))
    assert drawn(content) == ["code", "math", "web"]
    content.visibility.toggle(key_of(content, "web"))
    content.visibility.show_all()
    assert drawn(content) == ["code", "math", "web"]


def test_that_a_highlight_is_told_once(qtbot: QtBot) -> None:
    visibility = three().visibility
    with qtbot.waitSignal(visibility.highlight_changed):
        visibility.highlight("a")
    with qtbot.assertNotEmitted(visibility.highlight_changed):
        visibility.highlight("a")
    assert visibility.highlighted == "a"
