"""Every action of the window, in the order of its menus."""

from __future__ import annotations

from typing import Final

from helm_desktop.actions.board import BOARD
from helm_desktop.actions.spec import ActionSpec

MENUS: Final = ("File", "Run", "View", "Board", "Help")

FILE: Final = (
    ActionSpec(
        "open_folder", "Open a run folder…", "File", "Ctrl+O", "Show a run that lies anywhere on this machine"
    ),
    ActionSpec("demo", "Run the demo", "File", "", "Start the example training and show it"),
    ActionSpec(
        "settings",
        "Settings…",
        "File",
        "Ctrl+,",
        "Theme, scale, approvals, notifications, keys, shortcuts",
        separator=True,
    ),
    ActionSpec("quit", "Quit", "File", "Ctrl+Q", "Close the window; runs go on", separator=True),
)
RUN: Final = (
    ActionSpec("next_run", "Next run", "Run", "Alt+Down"),
    ActionSpec("previous_run", "Previous run", "Run", "Alt+Up"),
    ActionSpec("filter_runs", "Filter runs", "Run", "Ctrl+F"),
    ActionSpec(
        "sources",
        "Sources…",
        "Run",
        "Ctrl+Shift+O",
        "Who writes which stream and how often, every control, every process",
        separator=True,
    ),
    ActionSpec("copy_run_id", "Copy run id", "Run", "Ctrl+Shift+I"),
    ActionSpec("show_folder", "Show run folder", "Run"),
    ActionSpec(
        "policy",
        "Permissions…",
        "Run",
        "",
        "Approvals, and limits for programs: the policy that your runs enforce",
        separator=True,
    ),
)
VIEW: Final = (
    ActionSpec(
        "palette", "Search everything…", "View", "Ctrl+K", "Metrics, runs, commands, controls, settings"
    ),
    ActionSpec("toggle_runs", "Runs panel", "View", "Ctrl+1", checkable=True, separator=True),
    ActionSpec("toggle_dock", "Dock", "View", "Ctrl+2", checkable=True),
    ActionSpec("show_controls", "Controls", "View", "Ctrl+Shift+C", separator=True),
    ActionSpec("show_watch", "Watch", "View", "Ctrl+Shift+W"),
    ActionSpec("show_activity", "Activity", "View", "Ctrl+Shift+A"),
    ActionSpec("show_details", "Details", "View", "Ctrl+Shift+D"),
    ActionSpec("show_metrics", "Metrics", "View", "Ctrl+Shift+M"),
    ActionSpec("show_media", "Media", "View", "Ctrl+Shift+E"),
    ActionSpec(
        "theme_system", "Follow the system's theme", "View", checkable=True, group="theme", separator=True
    ),
    ActionSpec("theme_dark", "Dark", "View", checkable=True, group="theme"),
    ActionSpec("theme_light", "Light", "View", checkable=True, group="theme"),
    ActionSpec("full_screen", "Full screen", "View", "F11", checkable=True, separator=True),
)
HELP: Final = (
    ActionSpec("shortcuts", "Keyboard shortcuts", "Help", "F1; ?"),
    ActionSpec("about", "About Helm", "Help"),
)
ALL: Final = FILE + RUN + VIEW + BOARD + HELP
