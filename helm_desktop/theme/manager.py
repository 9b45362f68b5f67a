"""Which theme the app wears: the system's, or the one that was chosen."""

from typing import Literal

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory, QWidget

from helm_desktop.theme import fonts
from helm_desktop.theme.stylesheet import stylesheet
from helm_desktop.theme.tokens import SCHEMES, SchemeName, Theme, load_theme

Choice = Literal["system", "dark", "light"]

_PROPERTY = "helm_theme"


class ThemeManager(QObject):
    """Dresses the application and says when its theme changed. Made once, by the app, and handed on."""

    changed = Signal()

    def __init__(self, app: QApplication, choice: Choice = "system", *, dressed: bool = True) -> None:
        """dressed: False leaves the stylesheet to `dress`, for when many widgets have been made: with it each
        would be styled again whenever it finds a parent."""
        super().__init__(app)
        self._app, self._dressed = app, dressed
        self._choice: Choice = choice
        for name in SCHEMES:  # read before there is a window: changing between them touches no file
            load_theme(name)
        self._theme = self._resolved_choice()
        style = QStyleFactory.create("Fusion")
        if style is not None:
            app.setStyle(style)
        fonts.install(app)
        self._colour()
        app.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def choice(self) -> Choice:
        """What was chosen: "system", "dark" or "light"."""
        return self._choice

    def current(self) -> Theme:
        """Return the theme that is applied to the app."""
        return self._theme

    def choose(self, choice: Choice) -> None:
        """Apply this theme from now on, or follow the system."""
        self._choice = choice
        self._set_theme(self._resolved_choice())

    def apply_theme(self) -> None:
        """Put the stylesheet on every widget there is, and on those to come."""
        self._dressed = True
        self._app.setStyleSheet(stylesheet(self._theme))

    def _resolved_choice(self) -> Theme:
        if self._choice != "system":
            return load_theme(self._choice)
        light = self._app.styleHints().colorScheme() == Qt.ColorScheme.Light
        name: SchemeName = "light" if light else "dark"
        return load_theme(name)

    def _follow_system(self) -> None:
        self._set_theme(self._resolved_choice())

    def _set_theme(self, theme: Theme) -> None:
        if theme != self._theme:
            self._theme = theme
            self._colour()
            self.changed.emit()

    def _colour(self) -> None:
        self._app.setProperty(_PROPERTY, self._theme)
        self._app.setPalette(palette(self._theme))
        if self._dressed:
            self.apply_theme()


def theme_of(widget: QWidget | None = None) -> Theme:
    """Return the theme to paint with: the app's, or the dark one before a theme is applied."""
    app = QCoreApplication.instance()
    theme = app.property(_PROPERTY) if app is not None else None
    return theme if isinstance(theme, Theme) else load_theme("dark")


def palette(theme: Theme) -> QPalette:
    """Return the theme for what a stylesheet does not reach: native parts, links, item views."""
    role = QPalette.ColorRole
    made = QPalette()
    colours = {
        role.Window: theme.panel,
        role.Base: theme.window,
        role.AlternateBase: theme.card,
        role.Button: theme.raised,
        role.WindowText: theme.text,
        role.Text: theme.text,
        role.ButtonText: theme.text,
        role.BrightText: theme.text,
        role.PlaceholderText: theme.quiet,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Highlight: theme.button,
        role.HighlightedText: theme.on_button,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.Light: theme.raised,
        role.Midlight: theme.raised,
        role.Mid: theme.line,
        role.Dark: theme.line,
        role.Shadow: theme.window,
        role.Accent: theme.accent,
    }
    for which, colour in colours.items():
        made.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, QColor(theme.faint))
    return made
