"""The app's fonts: Inter for text, JetBrains Mono for figures, the system's where they are missing."""

from importlib import import_module
from pathlib import Path

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from helm_desktop.theme.tokens import FIGURE_PX, TEXT_PX

_loaded: dict[str, str] = {}


def _family(package: str) -> str:
    """Return the family that a font package brings, or nothing when it is not installed."""
    if package not in _loaded:
        _loaded[package] = ""
        try:
            root = Path(str(import_module(package).ROOT))
        except (ImportError, AttributeError):
            return ""
        for path in sorted(root.glob("files/*.ttf")):
            number = QFontDatabase.addApplicationFont(str(path))
            families = QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
            if families and "Italic" not in path.name:
                _loaded[package] = families[0]
    return _loaded[package]


def text_family() -> str:
    """Return the family for words."""
    return _family("fontpkg_inter") or QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()


def figure_family() -> str:
    """Return the family for figures: every digit has the same width."""
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    return _family("fontpkg_jetbrains_mono") or fixed.family()


def text_font(pixels: int = TEXT_PX, *, bold: bool = False) -> QFont:
    """Return the font for words, with figures of equal width and no slack at other scales."""
    font = QFont(text_family())
    font.setPixelSize(pixels)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
        font.setVariableAxis(
            QFont.Tag("wght"), 600
        )  # Inter comes as one variable file: weight alone does nothing
    font.setFeature(QFont.Tag("tnum"), 1)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def figure_font(pixels: int = FIGURE_PX) -> QFont:
    """Return the font for figures."""
    font = QFont(figure_family())
    font.setPixelSize(pixels)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFeature(QFont.Tag("calt"), 0)  # "->" stays two characters
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def install(app: QApplication) -> None:
    """Load the fonts and makes the text font the app's own."""
    app.setFont(text_font())
