"""Keys that only mean something where the focus is; the actions of the menus have theirs in the tables."""

from __future__ import annotations

from typing import Final

PLACES: Final[tuple[tuple[str, tuple[tuple[str, str], ...]], ...]] = (
    (
        "On a chart",
        (
            ("← →", "Move along"),
            ("+ -", "Zoom in, zoom out"),
            ("Home", "Follow the run"),
            (", .", "Crosshair to the point before, after"),
            ("< >", "The same, further"),
            ("↑ ↓", "The row above, below; higher, lower while it is read"),
            ("L", "Logarithmic y"),
            ("O", "Ignore outliers"),
            ("F", "Fit y to the values"),
            ("S", "Smoothing"),
            ("N", "Note on this step"),
            ("E", "Edit the chart"),
            ("Return", "Full window; on a heatmap's row: its layer in the model"),
            ("D", "Duplicate"),
            ("H", "Hide or show"),
            ("P", "Pin or unpin"),
            ("Delete", "Delete"),
            ("Ctrl+C", "Copy the picture"),
            ("Ctrl+S", "Save the picture"),
        ),
    ),
    (
        "On a chart's legend",
        (
            ("← →", "Another curve"),
            ("Return", "This curve alone, and all again"),
            ("Space", "Hide or show this curve"),
            ("↓", "All curves"),
        ),
    ),
    (
        "In the chart editor",
        (
            ("← →", "On a series: another part of its name"),
            ("Return", "On a series: make that part a variable"),
            ("F2", "On a series: type another name or pattern"),
            ("Ctrl+Return", "Done"),
            ("Ctrl+Z", "Take the last change back"),
            ("Ctrl+Shift+Z", "Do it again"),
            ("Esc", "Leave without a change"),
        ),
    ),
    (
        "On a keyframe of a draft",
        (
            ("← →", "Earlier, later; Shift further"),
            ("↑ ↓", "Higher, lower; Shift further"),
            (", .", "The keyframe before, after"),
            ("Return", "Type its step and value"),
            ("Delete", "Take it out"),
        ),
    ),
    (
        "On a mixture's divider",
        (("← →", "Move by 1%; Shift by 5%"), ("↑ ↓", "The divider before, after")),
    ),
    (
        "In a table of sources",
        (("Return", "Sort by this column; again: the other way"), ("Ctrl+C", "Copy the row")),
    ),
    (
        "In lists",
        (
            ("Return", "Metrics: add to the chart in focus"),
            ("Shift+Return", "Metrics: make a chart"),
            ("Space", "Rules: what can be done with one"),
            ("E", "Activity: edit a note"),
            ("Delete", "Rules, notes: remove"),
            ("Esc", "Empty a search, close a form"),
        ),
    ),
)
