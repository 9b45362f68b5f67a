"""The `helm-desktop` command: starts the app, or says what is missing for it."""

import sys
from importlib.util import find_spec

from helm_desktop.startup.load_qt import load_qt

APP_PACKAGES = ("PySide6", "shiboken6", "pyqtgraph", "numpy")
_QT_LIBRARIES = (
    "libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libdbus-1-3 fontconfig"
)


def main() -> int:
    """Exit status 2 where the app cannot start, with the line to run."""
    missing = [name for name in APP_PACKAGES if find_spec(name) is None]
    if missing:
        print(
            f"helm-desktop: the app is not installed (no {', '.join(missing)}): "
            'run  pip install "helm-desktop[app]"',
            file=sys.stderr,
        )
        return 2
    try:
        load_qt()
    except ImportError as error:
        print(
            f"helm-desktop: Qt cannot load a system library ({error}); "
            f"on Debian or Ubuntu run  sudo apt-get install {_QT_LIBRARIES}",
            file=sys.stderr,
        )
        return 2
    from helm_desktop.launch import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
