"""The keys that count only where the focus is. Each tuple holds the keys of one widget."""

from __future__ import annotations

from typing import Final

from helm_desktop.actions.spec import ActionSpec


def _keys(place: str, *rows: tuple[str, str, str]) -> tuple[ActionSpec, ...]:
    """Return a record for each row of handler, keys and what they do."""
    return tuple(ActionSpec(action, text, shortcut=keys, place=place) for action, keys, text in rows)


def chosen(specs: tuple[ActionSpec, ...], *ids: str) -> tuple[ActionSpec, ...]:
    """Return those of the records that have these ids."""
    return tuple(spec for spec in specs if spec.id in ids)


def first_key(specs: tuple[ActionSpec, ...], action: str) -> str:
    """Return the first key of a handler, as Qt's portable text, for the line of a menu."""
    return next(spec.keys[0] for spec in specs if spec.id == action)


_BOARD: Final = "On the board"
_CHART: Final = "On a chart"
_EDITOR: Final = "In the chart editor"
_CONTROL: Final = "On a control"
_LISTS: Final = "In lists"
_FIELDS: Final = "In fields, forms and pages"

BOARD: Final = _keys(
    _BOARD, ("leave", "Esc", "From one chart back to the board; from a search back to all charts")
)
DRAG: Final = _keys(_BOARD, ("cancel", "Esc", "While a chart is dragged: leave it where it was"))

CHART_RANGE: Final = _keys(
    _CHART,
    ("pan_back", "Left", "Move along"),
    ("pan_on", "Right", "Move along"),
    ("zoom_in", "+; =", "Zoom in, zoom out"),
    ("zoom_out", "-", "Zoom in, zoom out"),
    ("follow", "Home", "Follow the run"),
)
CHART_CURSOR: Final = _keys(
    _CHART,
    ("point_before", ",", "Crosshair to the point before, after"),
    ("point_after", ".", "Crosshair to the point before, after"),
    ("far_before", "<", "The same, further"),
    ("far_after", ">", "The same, further"),
    ("cursor_up", "Up", "The row above, below; higher, lower while it is read"),
    ("cursor_down", "Down", "The row above, below; higher, lower while it is read"),
)
CHART: Final = _keys(
    _CHART,
    ("log_y", "L", "Logarithmic y"),
    ("ignore_outliers", "O", "Ignore outliers"),
    ("fit_y", "F", "Fit y to the values"),
    ("smoothing", "S", "Smoothing"),
    ("note", "N", "Note on this step"),
    ("edit", "E", "Edit the chart"),
    ("copy", "Ctrl+C", "Copy the picture"),
    ("save", "Ctrl+S", "Save the picture"),
    ("menu", "Menu", "Open its menu"),
)
CHART_ROW: Final = _keys(_CHART, ("open_row", "Return", "On a heatmap's row: its layer in the model"))
CHART_CARD: Final = (
    *chosen(CHART, "edit"),
    *_keys(
        _CHART,
        ("full", "Return", "Full window"),
        ("duplicate", "D", "Duplicate"),
        ("hide", "H", "Hide or show"),
        ("pin", "P", "Pin or unpin"),
        ("delete", "Del", "Delete"),
    ),
)
LEGEND: Final = _keys(
    "On a chart's legend",
    ("curve_before", "Left", "Another curve"),
    ("curve_after", "Right", "Another curve"),
    ("solo", "Return", "This curve alone, and all again"),
    ("toggle", "Space", "Hide or show this curve"),
    ("list", "Down", "All curves"),
)

DRAWINGS: Final = _keys(
    _EDITOR,
    ("before", "Left", "On a drawing: the one beside it"),
    ("after", "Right", "On a drawing: the one beside it"),
    ("above", "Up", "On a drawing: the one above, below"),
    ("below", "Down", "On a drawing: the one above, below"),
)
SERIES_NAME: Final = _keys(
    _EDITOR,
    ("part_before", "Left", "On a series: another part of its name"),
    ("part_after", "Right", "On a series: another part of its name"),
    ("make_variable", "Return; Space", "On a series: make that part a variable"),
    ("type_name", "F2", "On a series: type another name or pattern"),
)
EDITOR: Final = _keys(
    _EDITOR,
    ("apply", "Ctrl+Return", "Done"),
    ("undo", "Ctrl+Z", "Undo the last change"),
    ("redo", "Ctrl+Shift+Z", "Redo"),
    ("leave", "Esc", "Leave without a change"),
)

KEYFRAME: Final = _keys(
    "On a keyframe of a draft",
    ("earlier", "Left", "Earlier, later"),
    ("later", "Right", "Earlier, later"),
    ("far_earlier", "Shift+Left", "Earlier, later by ten times as much"),
    ("far_later", "Shift+Right", "Earlier, later by ten times as much"),
    ("higher", "Up", "Higher, lower"),
    ("lower", "Down", "Higher, lower"),
    ("far_higher", "Shift+Up", "Higher, lower by ten times as much"),
    ("far_lower", "Shift+Down", "Higher, lower by ten times as much"),
    ("keyframe_before", ",", "The keyframe before, after"),
    ("keyframe_after", ".", "The keyframe before, after"),
    ("first", "Home", "The first, the last keyframe"),
    ("last", "End", "The first, the last keyframe"),
    ("type_values", "Return", "Type its step and value; a figure types its value"),
    ("add", "Ins; +", "Add one after it"),
    ("remove", "Del; Backspace", "Delete it"),
    ("finish", "Ctrl+Return", "On to the change bar"),
    ("leave", "Esc", "Back to the chart"),
)

CONTROL_HEADER: Final = _keys(_CONTROL, ("toggle", "Return; Space", "Open or close it"))
SCHEDULE_CHART: Final = _keys(
    _CONTROL,
    ("keyframe_before", "Left", "On its keyframes: the one before, after"),
    ("keyframe_after", "Right", "On its keyframes: the one before, after"),
    ("remove", "Del; Backspace", "On its keyframes: delete it"),
)

SOURCES: Final = _keys(
    "In a table of sources",
    ("sort", "Return", "Sort by this column; again: the other way"),
    ("copy", "Ctrl+C; Ctrl+Ins", "Copy the row"),
)
METRICS: Final = _keys(
    _LISTS,
    ("add", "Return", "Metrics: add to the chart in focus"),
    ("new_chart", "Shift+Return", "Metrics: make a chart"),
)
RULE: Final = _keys(
    _LISTS,
    ("toggle", "Space; Return", "Rules: what can be done with one"),
    ("remove", "Del", "Rules, notes: remove"),
)
ACTIVITY: Final = _keys(
    _LISTS, ("edit", "E", "Activity: edit a note"), ("delete", "Del", "Rules, notes: remove")
)

NOTE: Final = _keys(
    _FIELDS, ("save", "Return", "In a note: save it"), ("new_line", "Shift+Return", "In a note: another line")
)
TITLE: Final = _keys(
    _FIELDS,
    ("save", "Return", "In a title: rename"),
    ("leave", "Esc", "Empty a search; close a form, a page"),
)
FORM: Final = chosen(TITLE, "leave")
PALETTE: Final = _keys(
    "In the search of everything",
    ("up", "Up", "Choose what was found"),
    ("down", "Down", "Choose what was found"),
    ("page_up", "PgUp", "The same, further"),
    ("page_down", "PgDown", "The same, further"),
    ("leave", "Esc", "Close it"),
)
SHEET: Final = _keys(
    "In the sheet of keys",
    ("close", "Esc; F1", "Close it"),
    ("search", "Return", ""),  # the search goes on as it is typed; the key must not press a button
)

# Widgets know nothing of these records, as Qt's own do not: a test compares both.
DIVIDER: Final = _keys(
    "On a mixture's divider",
    ("less", "Left", "Move by 1%"),
    ("more", "Right", "Move by 1%"),
    ("far_less", "Shift+Left", "Move by 5%"),
    ("far_more", "Shift+Right", "Move by 5%"),
    ("divider_before", "Up", "The divider before, after"),
    ("divider_after", "Down", "The divider before, after"),
)
NUMBER: Final = _keys(
    _FIELDS,
    ("more", "Up", "In a number: one step more, less"),
    ("less", "Down", "In a number: one step more, less"),
)
CHOICE: Final = _keys(
    _FIELDS,
    ("before", "Left", "In a row of choices: the one beside it"),
    ("after", "Right", "In a row of choices: the one beside it"),
)

PLACES: Final = (
    *(CHART_RANGE + CHART_CURSOR + CHART + CHART_CARD + CHART_ROW + LEGEND + BOARD + DRAG),
    *(DRAWINGS + SERIES_NAME + EDITOR + KEYFRAME + DIVIDER + CONTROL_HEADER + SCHEDULE_CHART),
    *(SOURCES + METRICS + RULE + ACTIVITY + PALETTE + NOTE + NUMBER + CHOICE + TITLE + FORM + SHEET),
)
