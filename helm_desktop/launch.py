"""The command's way from its arguments to a window: an empty one at once, what stands in it behind that."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from helm_desktop.startup import display
from helm_desktop.startup.arguments import AppOptions, parse
from helm_desktop.startup.empty_window import EmptyWindow
from helm_desktop.storage.preferences import saved_scale
from helm_sdk.record.layout import config_home

if TYPE_CHECKING:
    from helm_desktop.app import Desktop

UNSEEN_MS = 200  # a window that is never painted, such as a minimised one, is filled after this


class Launch(QObject):
    """Shows the frame and fills it as soon as it has been painted."""

    def __init__(self, app: QApplication, options: AppOptions) -> None:
        super().__init__(app)
        self._app, self._options = app, options
        self.frame = EmptyWindow(app, options)
        self.desktop: Desktop | None = None
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.timeout.connect(self.fill)
        self.frame.window.installEventFilter(self)

    def begin(self) -> None:
        """The empty window, now."""
        self.frame.window.show()
        self._due.start(UNSEEN_MS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's."""
        if event.type() == QEvent.Type.Paint:
            self.frame.window.removeEventFilter(self)
            self._due.start(0)
        return False

    def fill(self) -> None:
        """Make the regions, the models and the threads."""
        try:
            from helm_desktop.app import Desktop

            self.desktop = Desktop(self._app, self._options, self.frame)
            self.desktop.show()
            self._save_screenshot(self.desktop)
        except Exception:
            traceback.print_exc()
            self._app.exit(1)

    def _save_screenshot(self, desktop: Desktop) -> None:
        if self._options.screenshot is None:
            return
        from helm_desktop.startup.screenshot import Screenshot

        shot = Screenshot(desktop.regions, desktop.current, self._options)
        desktop.run_list.not_found.connect(shot.fail)
        desktop.link.failed.connect(shot.fail)
        shot.begin()

    def shutdown(self) -> None:
        """Stop the threads, where any were started."""
        self._due.stop()
        if self.desktop is not None:
            self.desktop.threads.stop()
        self.frame.storage.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the app; the exit status. 2 where there is no display, or for a mistake on the command line."""
    logging.basicConfig(level=logging.WARNING, format="helm-desktop: %(message)s")
    options = parse(sys.argv[1:] if arguments is None else arguments)
    if options.offscreen:
        display.quiet_offscreen()
        with display.prepare_offscreen(options):
            return _run(options)
    if not display.has_display():
        print(display.NO_DISPLAY, file=sys.stderr)
        return 2
    return _run(options)


def _run(options: AppOptions) -> int:
    if not options.offscreen:
        display.set_scale(options.scale or saved_scale(config_home()))
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setApplicationName("Helm")
    opening = Launch(app, options)
    opening.begin()
    try:
        return app.exec()
    finally:
        opening.shutdown()
