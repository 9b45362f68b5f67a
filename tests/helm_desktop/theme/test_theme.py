import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop._resources import resource
from helm_desktop.theme import Theme, ThemeManager, contrast, fonts, load_theme, set_look, theme_of
from helm_desktop.theme.stylesheet import stylesheet
from helm_desktop.theme.tokens import SchemeName

SCHEMES: tuple[SchemeName, ...] = ("dark", "light")


@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.parametrize("ink", ["text", "quiet"])
@pytest.mark.parametrize("ground", ["window", "panel", "card"])
def test_that_words_can_be_read(name: SchemeName, ink: str, ground: str) -> None:
    theme = load_theme(name)
    assert contrast(getattr(theme, ink), getattr(theme, ground)) >= 4.5


@pytest.mark.parametrize("name", SCHEMES)
def test_that_the_primary_button_can_be_read(name: SchemeName) -> None:
    theme = load_theme(name)
    assert contrast(theme.on_button, theme.button) >= 4.5
    assert contrast(theme.text, theme.raised) >= 4.5


@pytest.mark.parametrize("name", SCHEMES)
def test_that_every_curve_has_a_readable_form(name: SchemeName) -> None:
    theme = load_theme(name)
    for index in range(64):
        assert contrast(theme.readable(theme.curve(index), theme.card), theme.card) >= 4.5
        assert contrast(theme.ink_on(theme.curve(index)), theme.curve(index)) >= 4.0


@pytest.mark.parametrize("name", SCHEMES)
def test_that_the_tokens_are_those_of_the_design(name: SchemeName) -> None:
    raw = json.loads(resource("theme", f"{name}.json").read_text(encoding="utf-8"))
    expected = {"dark": ("0e1116", "4cc2ff", "f5b83d"), "light": ("f3f5f8", "0a7fc2", "b27700")}[name]
    assert (raw["window"], raw["accent"], raw["warn"]) == expected
    assert len(raw["curves"]) == 8


def test_that_no_scheme_means_dark(qapp: QApplication, theme: ThemeManager) -> None:
    assert qapp.styleHints().colorScheme() == Qt.ColorScheme.Unknown
    theme.choose("system")
    assert theme.current().name == "dark"


def test_that_a_chosen_theme_is_worn_and_told(qtbot: QtBot, theme: ThemeManager) -> None:
    with qtbot.waitSignal(theme.changed):
        theme.choose("light")
    assert theme_of().name == "light"
    with qtbot.assertNotEmitted(theme.changed):
        theme.choose("light")


def test_that_the_stylesheet_is_built_from_the_tokens() -> None:
    theme = load_theme("light")
    sheet = stylesheet(theme)
    assert theme.card in sheet
    assert load_theme("dark").card not in sheet


def test_that_figures_are_tabular(theme: ThemeManager) -> None:
    for font in (fonts.text_font(), fonts.figure_font()):
        metrics = QFontMetricsF(font)
        assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("0000")


def test_that_the_packaged_fonts_are_used(theme: ThemeManager) -> None:
    assert QFontInfo(fonts.text_font()).family() == "Inter"
    assert QFontInfo(fonts.figure_font()).family() == "JetBrains Mono"


def test_that_bold_words_are_bold(qtbot: QtBot, theme: ThemeManager) -> None:
    plain, bold = QLabel("Controls"), QLabel("Controls")
    qtbot.addWidget(plain)
    qtbot.addWidget(bold)
    set_look(bold, "title")
    for label in (plain, bold):
        label.ensurePolished()
    width = QFontMetricsF(bold.font()).horizontalAdvance("Controls")
    assert width > QFontMetricsF(plain.font()).horizontalAdvance("Controls")
    assert bold.font().weight() == QFont.Weight.DemiBold


def test_that_a_missing_font_package_is_no_error(
    monkeypatch: pytest.MonkeyPatch, theme: ThemeManager
) -> None:
    monkeypatch.setattr(fonts, "_loaded", {})
    monkeypatch.setattr(fonts, "import_module", _not_there)
    assert fonts.text_family()
    assert fonts.figure_family()


def _not_there(name: str) -> None:
    raise ImportError(name)


def test_that_looks_reach_the_pixels(qtbot: QtBot, theme: ThemeManager) -> None:
    button = QPushButton("Send")
    set_look(button, "primary")
    qtbot.addWidget(button)
    button.resize(80, 30)
    for name in SCHEMES:
        theme.choose(name)
        assert _colour_at(button, 12, 6) == load_theme(name).button


def _colour_at(widget: QWidget, x: int, y: int) -> str:
    return widget.grab().toImage().pixelColor(x, y).name()


def test_that_a_theme_is_a_value() -> None:
    assert isinstance(load_theme("dark"), Theme)
    assert load_theme("dark") == load_theme("dark") != load_theme("light")
