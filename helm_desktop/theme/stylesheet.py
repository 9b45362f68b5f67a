"""The app's only stylesheet, built from the tokens."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from helm_desktop._resources import resource
from helm_desktop.theme.fonts import figure_family, text_font
from helm_desktop.theme.tokens import CARD_RADIUS, FIELD_RADIUS, FIGURE_PX, TEXT_PX, Theme, mix

GROUNDS = ("window", "panel", "card", "raised", "popup", "line", "pill", "fold", "bar", "field")
BOLD = {"title": TEXT_PX, "heading": 15}  # by QFont: a stylesheet cannot set a variable font's weight


def set_look(widget: QWidget, look: str) -> None:
    """Give a widget one of the stylesheet's looks: "title", "quiet", "figure", "primary", "card"…"""
    if widget.property("look") != look:
        widget.setProperty("look", look)
        widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, look in GROUNDS)
        if look in BOLD:
            widget.setFont(text_font(BOLD[look], bold=True))
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()


def set_state(widget: QWidget, name: str, on: bool) -> None:
    """Set a yes-or-no property that the stylesheet knows, such as "invalid" or "selected"."""
    if widget.property(name) != on:
        widget.setProperty(name, on)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()


def _icon(name: str) -> str:
    return resource("icons", f"{name}.svg").as_posix()


def stylesheet(theme: Theme) -> str:
    """Return the whole stylesheet of a theme."""
    parts = (_ground, _token_values, _buttons, _fields, _items, _bars, _menus)
    return "\n".join(part(theme) for part in parts)


def _ground(theme: Theme) -> str:
    return f"""
QMainWindow, QDialog {{ background: {theme.panel}; }}
QWidget[look="window"] {{ background: {theme.window}; }}
QWidget[look="panel"] {{ background: {theme.panel}; }}
QFrame[look="card"] {{
    background: {theme.card}; border: 1px solid {theme.line}; border-radius: {CARD_RADIUS}px;
}}
QFrame[look="card"]:focus {{ border-color: {theme.accent}; }}
QFrame[look="card"][bare="true"]:focus {{ border-color: {theme.line}; }}
QFrame[look="raised"] {{ background: {theme.raised}; border-radius: {CARD_RADIUS}px; }}
QFrame[look="popup"] {{
    background: {theme.raised}; border: 1px solid {theme.line}; border-radius: {CARD_RADIUS}px;
}}
QFrame[look="inset"] {{ border: 1px solid {theme.line}; border-radius: {FIELD_RADIUS}px; }}
QFrame[look="marker"] {{ background: {theme.accent}; border: none; border-radius: 1px; }}
QFrame[look="place"][selected="true"] {{ border: 1px solid {theme.accent}; border-radius: {CARD_RADIUS}px; }}
QFrame[look="bar"] {{ background: {theme.raised}; border: none; border-top: 1px solid {theme.line}; }}
QFrame[look="line"] {{ background: {theme.line}; border: none; }}
QScrollArea, QScrollArea > #qt_scrollarea_viewport, QScrollArea > QWidget > QWidget {{
    background: transparent; border: none;
}}
QToolTip {{
    background: {theme.raised}; color: {theme.text}; border: 1px solid {theme.line}; padding: 4px 8px;
}}
QSplitter::handle {{ background: {theme.line}; }}
QSplitter::handle:horizontal {{ width: 1px; }}
QSplitter::handle:vertical {{ height: 1px; }}
"""


def _token_values(theme: Theme) -> str:
    mono = f'font-family: "{figure_family()}"; font-size: {FIGURE_PX}px;'
    return f"""
QLabel {{ background: transparent; }}
QLabel[look="quiet"] {{ color: {theme.quiet}; }}
QLabel[look="small"] {{ color: {theme.quiet}; font-size: 12px; }}
QLabel[look="small-title"] {{ color: {theme.quiet}; font-size: 12px; padding-top: 6px; }}
QLabel[look="faint"] {{ color: {theme.faint}; }}
QLabel[look="figure"] {{ {mono} }}
QLabel[look="quiet-figure"] {{ {mono} color: {theme.quiet}; }}
QLabel[look="bad-figure"] {{ {mono} color: {theme.bad}; }}
QLabel[look="warn-figure"] {{ {mono} color: {theme.warn}; }}
QLabel[look="bad"] {{ color: {theme.bad}; font-size: 12px; }}
QLabel[look="warn"] {{ color: {theme.warn}; font-size: 12px; }}
QLabel[look="live"] {{ color: {theme.live}; font-size: 12px; }}
QLabel[look="count"] {{
    {mono} color: {theme.quiet}; background: {theme.window}; border-radius: 8px; padding: 1px 6px;
}}
QLabel[look="field"] {{
    background: {theme.window}; color: {theme.quiet}; border: 1px solid {theme.line};
    border-radius: {FIELD_RADIUS}px; padding: 5px 9px; min-height: 18px;
}}
QLabel[look="field"][asking="true"] {{ color: {theme.warn}; }}
QLabel:disabled {{ color: {theme.faint}; }}
QPlainTextEdit[look="figure"], QTextEdit[look="figure"], QLineEdit[look="figure"] {{ {mono} }}
"""


def _buttons(theme: Theme) -> str:
    hover = mix(theme.raised, theme.text, 0.08)
    down = mix(theme.raised, theme.text, 0.16)
    return f"""
QPushButton, QToolButton {{
    background: {theme.raised}; color: {theme.text}; border: 1px solid {theme.line};
    border-radius: {FIELD_RADIUS}px; padding: 5px 12px; min-height: 18px;
}}
QPushButton:hover, QToolButton:hover {{ background: {hover}; }}
QPushButton:pressed, QToolButton:pressed {{ background: {down}; }}
QPushButton:focus, QToolButton:focus {{ border-color: {theme.accent}; }}
QPushButton:disabled, QToolButton:disabled {{ color: {theme.faint}; }}
QPushButton[look="primary"] {{
    background: {theme.button}; color: {theme.on_button}; border-color: {theme.button};
}}
QPushButton[look="primary"]:hover {{ background: {mix(theme.button, theme.text, 0.12)}; }}
QPushButton[look="primary"]:pressed {{ background: {mix(theme.button, theme.text, 0.22)}; }}
QPushButton[look="primary"]:focus {{ border-color: {theme.text}; }}
QPushButton[look="primary"]:disabled {{
    background: {theme.raised}; color: {theme.faint}; border-color: {theme.line};
}}
QPushButton[look="flat"], QToolButton[look="flat"], QToolButton[look="flat"]:disabled {{
    background: transparent; border-color: transparent; color: {theme.quiet}; padding: 2px 4px;
    min-height: 16px;
}}
QPushButton[look="flat"]:hover, QToolButton[look="flat"]:hover {{ color: {theme.text}; }}
QPushButton[look="flat"]:focus, QToolButton[look="flat"]:focus {{ border-color: {theme.accent}; }}
QPushButton[look="search"] {{ background: {theme.window}; padding: 0; min-height: 22px; text-align: left; }}
QPushButton[look="search"]:hover {{ border-color: {theme.faint}; }}
QPushButton[look="search"]:focus {{ border-color: {theme.accent}; }}
QPushButton[look="notice"] {{
    background: transparent; border: 1px solid transparent; font-size: 12px; padding: 2px 8px;
    min-height: 16px; border-radius: {FIELD_RADIUS}px; text-align: left; color: {theme.warn};
}}
QPushButton[look="notice"][tone="bad"] {{ color: {theme.bad}; }}
QPushButton[look="notice"]:hover {{ background: {theme.raised}; }}
QPushButton[look="notice"]:focus {{ border-color: {theme.accent}; }}
QPushButton[look="link"] {{
    background: transparent; border: 1px solid transparent; color: {theme.quiet}; font-size: 12px;
    padding: 1px 0; min-height: 16px; border-radius: 4px;
}}
QPushButton[look="link"]:hover {{ color: {theme.text}; text-decoration: underline; }}
QPushButton[look="link"]:focus {{ border-color: {theme.accent}; }}
QPushButton[look="link"]:disabled {{ color: {theme.faint}; }}
QToolButton[look="flat-small"] {{
    background: transparent; border: 1px solid transparent; color: {theme.quiet}; font-size: 12px;
    padding: 0 1px; margin: 0; min-height: 14px; border-radius: 4px;
}}
QToolButton[look="flat-small"]:hover {{ color: {theme.text}; border-color: {theme.line}; }}
QToolButton[look="flat-small"]:focus {{ border-color: {theme.accent}; }}
QWidget[look="fold"] {{ border: 1px solid transparent; border-radius: 4px; }}
QWidget[look="fold"]:focus {{ border-color: {theme.accent}; }}
QToolButton[look="toggle"] {{
    background: transparent; color: {theme.quiet}; padding: 4px 7px; font-family: "{figure_family()}";
    font-size: {FIGURE_PX}px;
}}
QToolButton[look="toggle"]:hover {{ color: {theme.text}; }}
QToolButton[look="toggle"]:checked {{ color: {theme.accent}; border-color: {theme.accent}; }}
QToolButton::menu-indicator {{ image: none; }}
QPushButton[look="pill"] {{
    background: transparent; color: {theme.quiet}; border: 1px solid {theme.line}; border-radius: 10px;
    padding: 1px 8px; min-height: 16px; font-size: 12px;
}}
QPushButton[look="pill"]:hover {{ color: {theme.text}; }}
QPushButton[look="pill"]:focus {{ border-color: {theme.accent}; }}
QPushButton[look="pill"][tone="accent"] {{ color: {theme.accent}; }}
QPushButton[look="pill"][tone="live"] {{ color: {theme.live}; }}
QPushButton[look="pill"][tone="warn"] {{ color: {theme.warn}; }}
QPushButton[look="pill"][tone="bad"] {{ color: {theme.bad}; }}
QPushButton[look="chip"] {{
    background: {theme.window}; color: {theme.text}; border: 1px solid {theme.line}; border-radius: 5px;
    padding: 1px 7px; min-height: 16px; font-family: "{figure_family()}"; font-size: {FIGURE_PX}px;
}}
QPushButton[look="chip"]:hover {{ border-color: {theme.faint}; }}
QPushButton[look="chip"]:focus {{ border-color: {theme.accent}; }}
QPushButton[look="chip"]:!checked {{ color: {theme.faint}; }}
QPushButton[look="chip"][tone="accent"] {{ color: {theme.accent}; }}
QFrame[look="segments"] {{
    background: transparent; border: 1px solid {theme.line}; border-radius: {FIELD_RADIUS}px;
}}
QFrame[look="bar"] QFrame[look="segments"] {{ background: {theme.window}; }}
QPushButton[look="segment"] {{
    background: transparent; color: {theme.quiet}; border: 1px solid transparent;
    border-radius: {FIELD_RADIUS - 1}px; padding: 3px 9px; min-height: 18px;
}}
QPushButton[look="segment"]:hover {{ color: {theme.text}; }}
QPushButton[look="choice"] {{
    background: transparent; color: {theme.quiet}; border: 1px solid {theme.line};
    border-radius: {FIELD_RADIUS}px; padding: 2px 8px; min-height: 18px;
}}
QPushButton[look="choice"]:hover {{ color: {theme.text}; }}
QPushButton[look="choice"]:checked {{ background: {theme.raised}; color: {theme.text}; }}
QPushButton[look="choice"]:focus {{ border-color: {theme.accent}; }}
QPushButton[look="segment"]:checked {{ background: {theme.raised}; color: {theme.text}; }}
QPushButton[look="segment"]:focus {{ border-color: {theme.accent}; }}
QPushButton[look="segment"]:disabled {{ color: {theme.faint}; }}
"""


def _fields(theme: Theme) -> str:
    return f"""
QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QAbstractSpinBox {{
    background: {theme.window}; color: {theme.text}; border: 1px solid {theme.line};
    border-radius: {FIELD_RADIUS}px; padding: 5px 8px; min-height: 18px;
    selection-background-color: {theme.button}; selection-color: {theme.on_button};
}}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QComboBox:focus, QAbstractSpinBox:focus {{
    border-color: {theme.accent};
}}
QLineEdit[invalid="true"], QPlainTextEdit[invalid="true"], QComboBox[invalid="true"] {{
    border-color: {theme.bad};
}}
QLineEdit:disabled, QPlainTextEdit:disabled, QComboBox:disabled {{ color: {theme.faint}; }}
QLineEdit:read-only, QPlainTextEdit:read-only {{ background: {theme.panel}; }}
QLineEdit[look="inline"] {{
    background: transparent; border-color: transparent; padding: 1px 4px; min-height: 16px;
    font-family: "{figure_family()}"; font-size: {FIGURE_PX}px;
}}
QLineEdit[look="inline"]:hover {{ border-color: {theme.line}; background: {theme.window}; }}
QLineEdit[look="inline"]:focus {{ border-color: {theme.accent}; background: {theme.window}; }}
QLineEdit[look="inline"][invalid="true"] {{ border-color: {theme.bad}; }}
QComboBox::drop-down {{ border: none; width: 22px; }}
QComboBox::down-arrow {{ image: url("{_icon("chevron-down")}"); width: 12px; height: 12px; }}
QComboBox QAbstractItemView {{
    background: {theme.raised}; border: 1px solid {theme.line}; selection-background-color: {theme.button};
    selection-color: {theme.on_button};
}}
QCheckBox {{ spacing: 8px; background: transparent; }}
QCheckBox:disabled {{ color: {theme.faint}; }}
QCheckBox::indicator {{
    width: 14px; height: 14px; border: 1px solid {theme.quiet}; border-radius: 4px;
    background: {theme.window};
}}
QCheckBox::indicator:checked {{
    background: {theme.button}; border-color: {theme.button};
    image: url("{_icon("check-dark" if theme.dark else "check")}");
}}
QCheckBox::indicator:focus {{ border-color: {theme.accent}; }}
QSlider {{ background: transparent; min-height: 20px; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {theme.raised}; }}
QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {theme.accent}; }}
QSlider::handle:horizontal {{
    width: 12px; height: 12px; margin: -5px 0; border-radius: 7px;
    background: {theme.text}; border: 1px solid {theme.line};
}}
QSlider::handle:horizontal:focus {{ border: 2px solid {theme.accent}; }}
"""


def _items(theme: Theme) -> str:
    hover = mix(theme.panel, theme.raised, 0.6)
    return f"""
QAbstractItemView {{
    background: transparent; border: none; outline: none; alternate-background-color: transparent;
    selection-background-color: {theme.raised}; selection-color: {theme.text};
}}
QAbstractItemView::item {{ padding: 3px 6px; border-radius: {FIELD_RADIUS}px; }}
QAbstractItemView::item:hover {{ background: {hover}; }}
QAbstractItemView::item:selected {{ background: {theme.raised}; color: {theme.text}; }}
QAbstractItemView::item:focus {{ border: 1px solid {theme.accent}; }}
QHeaderView {{ background: transparent; border: none; }}
QHeaderView::section {{
    background: transparent; color: {theme.quiet}; border: none; border-bottom: 1px solid {theme.line};
    padding: 4px 9px; font-size: 12px;
}}
QTableCornerButton::section {{ background: transparent; border: none; }}
QTabBar {{ background: transparent; border: none; }}
QTabBar::tab {{
    background: transparent; color: {theme.quiet}; padding: 7px 14px; border: none;
    border-bottom: 2px solid transparent;
}}
QTabWidget QTabBar::tab {{ padding: 7px 9px; }}
QTabBar::tab:hover {{ color: {theme.text}; }}
QTabBar::tab:selected {{ color: {theme.text}; border-bottom-color: {theme.accent}; }}
QTabBar::tab:focus {{ color: {theme.accent}; }}
QTabWidget::pane {{ border: none; border-top: 1px solid {theme.line}; }}
"""


def _bars(theme: Theme) -> str:
    return f"""
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {theme.line}; border-radius: 3px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 24px; }}
QScrollBar::handle:horizontal {{ min-width: 24px; }}
QScrollBar::handle:hover {{ background: {theme.faint}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QProgressBar {{ background: {theme.raised}; border: none; border-radius: 2px; max-height: 4px; }}
QProgressBar::chunk {{ background: {theme.accent}; border-radius: 2px; }}
QStatusBar {{ background: {theme.panel}; color: {theme.quiet}; }}
"""


def _menus(theme: Theme) -> str:
    return f"""
QMenuBar {{
    background: {theme.panel}; color: {theme.quiet}; border-bottom: 1px solid {theme.line}; padding: 2px 8px;
}}
QMenuBar::item {{ background: transparent; padding: 5px 9px; border-radius: {FIELD_RADIUS}px; }}
QMenuBar::item:selected {{ background: {theme.raised}; color: {theme.text}; }}
QMenu {{
    background: {theme.raised}; border: 1px solid {theme.line}; border-radius: {FIELD_RADIUS}px; padding: 4px;
}}
QMenu::item {{ padding: 5px 20px 5px 12px; border-radius: 4px; }}
QMenu::item:selected {{ background: {theme.button}; color: {theme.on_button}; }}
QMenu::item:disabled {{ color: {theme.faint}; background: transparent; }}
QMenu::separator {{ height: 1px; background: {theme.line}; margin: 4px 8px; }}
"""
