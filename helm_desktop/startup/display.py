"""Where the window is drawn: a display, or an offscreen screen as large as what is asked for."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from helm_desktop.startup.arguments import AppOptions

NO_DISPLAY = (
    "helm-desktop: there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set).\n"
    "To take a picture of a run:  helm-desktop latest --offscreen --screenshot board.png\n"
    "To follow it in this shell:  helmctl watch latest"
)
DEFAULT_SIZE = (1600, 1000)
SCALE = "QT_SCALE_FACTOR"
_ROOM = 200


def has_display() -> bool:
    """Return True when a window can be opened here."""
    if not sys.platform.startswith("linux"):
        return True
    chosen = os.environ.get("QT_QPA_PLATFORM", "")
    if chosen and chosen.split(":")[0] not in {"xcb", "wayland"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def prepare_offscreen(options: AppOptions) -> tempfile.TemporaryDirectory[str]:
    """Tell Qt of a screen that is large enough; the folder holds its description until Qt has read it."""
    width, height = options.size or DEFAULT_SIZE
    scale = options.scale or 1.0
    screen = {
        "name": "offscreen",
        "x": 0,
        "y": 0,
        "width": round((width + _ROOM) * scale),
        "height": round((height + _ROOM) * scale),
        "logicalDpi": 96,
        "logicalBaseDpi": 96,
        "dpr": 1,  # Qt takes it for the screen and not for its windows
    }
    folder = tempfile.TemporaryDirectory(prefix="helm-offscreen-")
    path = Path(folder.name) / "screens.json"
    description = {"synchronousWindowSystemEvents": False, "windowFrameMargins": False, "screens": [screen]}
    path.write_text(json.dumps(description), encoding="utf-8")
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={path}"
    os.environ[SCALE] = f"{scale:g}"
    return folder


def set_scale(scale: float) -> None:
    """Draw everything so large; Qt reads it once, as the app begins. At 1 it is left to the system."""
    if scale != 1.0:
        os.environ[SCALE] = f"{scale:g}"


def scale_now() -> float:
    """Return the scale that this process draws at."""
    try:
        return float(os.environ.get(SCALE, "1"))
    except ValueError:
        return 1.0


def quiet_offscreen() -> None:
    """Keep one line of the offscreen plugin's, said for each window, off the shell."""
    from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

    def tell(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if "propagateSizeHints" not in text:
            print(text, file=sys.stderr)

    qInstallMessageHandler(tell)
