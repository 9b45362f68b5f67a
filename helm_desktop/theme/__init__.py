"""Tokens, fonts and the only stylesheet of the app."""

from helm_desktop.theme.fonts import figure_font, text_font
from helm_desktop.theme.manager import Choice, ThemeManager, theme_of
from helm_desktop.theme.stylesheet import set_look, set_state
from helm_desktop.theme.tokens import Theme, contrast, load_theme, mix

__all__ = [
    "Choice",
    "Theme",
    "ThemeManager",
    "contrast",
    "figure_font",
    "load_theme",
    "mix",
    "set_look",
    "set_state",
    "text_font",
    "theme_of",
]
