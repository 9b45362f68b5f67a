"""The app in a process of its own: clicks Send so many times, then says when each click was made."""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).parents[2]))

from helm_desktop.app import Desktop
from helm_desktop.startup import display
from helm_desktop.startup.arguments import parse
from helm_desktop.views.controls.card import ControlCard
from helm_desktop.views.controls.fields import NumberEditor
from helm_desktop.views.controls.form import RecordForm


class Hand(QObject):
    """Types the next number into the form, waits a while, clicks."""

    def __init__(self, desktop: Desktop, step_seconds: float, count: int) -> None:
        super().__init__(desktop)
        self.sent: dict[int, float] = {}
        self._desktop, self._step, self._count = desktop, step_seconds, count
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._act)
        self._typed = False
        self._timer.start(100)

    def _card(self) -> ControlCard | None:
        session, card = self._desktop.current.session, self._desktop.regions.controls.cards.get("take")
        return card if session is not None and session.complete else None

    def _act(self) -> None:
        card = self._card()
        if card is None:
            self._timer.start(100)
        elif len(self.sent) == self._count:
            self._timer.timeout.disconnect(self._act)
            self._timer.timeout.connect(QApplication.quit)
            self._timer.start(round(1000 * (1 + 2 * self._step)))
        elif self._typed:
            self._click(card)
        else:
            self._type(card)

    def _type(self, card: ControlCard) -> None:
        card.set_open(True)
        assert isinstance(card.editor, RecordForm)
        editor = card.editor.rows["mark"].editor
        assert isinstance(editor, NumberEditor)
        editor.field.selectAll()
        QTest.keyClicks(editor.field, str(len(self.sent)))
        self._typed = True
        self._timer.start(round(1000 * (self._step * (2 + random.random()) + 0.03)))

    def _click(self, card: ControlCard) -> None:
        at = time.monotonic()
        QTest.mouseClick(card.send, Qt.MouseButton.LeftButton)
        self.sent[len(self.sent)] = at
        self._typed = False
        self._timer.start(0)


def main() -> int:
    """HOME, seconds a step, how many."""
    home, step_seconds, count = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    display.quiet_offscreen()
    app = QApplication(["helm-desktop"])
    desktop = Desktop(app, parse(["latest", "--home", home, "--size", "1600x1000", "--theme", "dark"]))
    desktop.show()
    hand = Hand(desktop, step_seconds, count)
    app.exec()
    desktop.window.close()
    desktop.threads.stop()
    print(json.dumps(hand.sent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
