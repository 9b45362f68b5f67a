"""What can be done to the board, in the order of its menu."""

from __future__ import annotations

from typing import Final

from helm_desktop.actions.spec import ActionSpec

PAGE: Final = (
    ActionSpec("next_page", "Next page", "Board", "Ctrl+PgDown", submenu="Page"),
    ActionSpec("previous_page", "Previous page", "Board", "Ctrl+PgUp", submenu="Page"),
    ActionSpec("new_page", "New page", "Board", "Ctrl+T", submenu="Page", separator=True),
    ActionSpec("rename_page", "Rename page…", "Board", "F2", submenu="Page"),
    ActionSpec("page_left", "Move page left", "Board", "Ctrl+Shift+PgUp", submenu="Page"),
    ActionSpec("page_right", "Move page right", "Board", "Ctrl+Shift+PgDown", submenu="Page"),
    ActionSpec("delete_page", "Delete page and charts", "Board", "", submenu="Page", separator=True),
)
CHART: Final = (
    ActionSpec("edit_chart", "Edit chart…", "Board", "Ctrl+E", submenu="Chart"),
    ActionSpec("new_chart", "New chart…", "Board", "Ctrl+N", submenu="Chart"),
    ActionSpec(
        "note_chart",
        "Add a note to a step…",
        "Board",
        "Ctrl+M",
        "On the step under the crosshair, which , and . lead along the curve",
        submenu="Chart",
    ),
    ActionSpec("full_chart", "Full window", "Board", "Ctrl+Return", submenu="Chart"),
    ActionSpec("duplicate_chart", "Duplicate", "Board", "Ctrl+D", submenu="Chart", separator=True),
    ActionSpec("hide_chart", "Hide or show", "Board", "Ctrl+H", submenu="Chart"),
    ActionSpec("pin_chart", "Pin or unpin", "Board", "Ctrl+Shift+P", submenu="Chart"),
    ActionSpec("delete_chart", "Delete", "Board", "Ctrl+Shift+Backspace", submenu="Chart"),
    ActionSpec("chart_earlier", "Move back", "Board", "Ctrl+Alt+Left", submenu="Chart", separator=True),
    ActionSpec("chart_later", "Move on", "Board", "Ctrl+Alt+Right", submenu="Chart"),
    ActionSpec("chart_wider", "Wider", "Board", "Alt+Shift+Right", submenu="Chart"),
    ActionSpec("chart_narrower", "Narrower", "Board", "Alt+Shift+Left", submenu="Chart"),
    ActionSpec("chart_taller", "Taller", "Board", "Alt+Shift+Down", submenu="Chart"),
    ActionSpec("chart_lower", "Lower", "Board", "Alt+Shift+Up", submenu="Chart"),
)
BOARD: Final = (
    ActionSpec("undo", "Undo", "Board", "Ctrl+Z", "Undo the last edit of the board"),
    ActionSpec("redo", "Redo", "Board", "Ctrl+Shift+Z"),
    ActionSpec("find_charts", "Find charts", "Board", "Ctrl+Shift+F", separator=True),
    *CHART,
    *PAGE,
    ActionSpec("new_section", "New section", "Board", "Ctrl+Shift+N"),
    ActionSpec("fold_all", "Fold all sections", "Board", "Ctrl+Shift+Up", separator=True),
    ActionSpec("unfold_all", "Unfold all sections", "Board", "Ctrl+Shift+Down"),
    ActionSpec("show_hidden", "Show hidden charts", "Board", checkable=True),
    ActionSpec(
        "whole_run",
        "Show the whole run",
        "Board",
        "Ctrl+0",
        "Undo every zoom and follow the run",
        separator=True,
    ),
    ActionSpec("choose_x", "Choose the x axis…", "Board", "Ctrl+Shift+X"),
    ActionSpec("choose_smoothing", "Smoothing…", "Board", "Ctrl+Shift+S"),
    ActionSpec("save_board", "Export board…", "Board", separator=True),
    ActionSpec("load_board", "Load board…", "Board"),
    ActionSpec("reset_board", "Reset layout", "Board"),
)
