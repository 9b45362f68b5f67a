"""The app in a process of its own: opens the newest run, works on CONTROL's card, says what it sees.

DO=send: types FORM ({field: text}) and EXPIRES, ticks "instead" where INSTEAD is set, clicks Send.
DO=withdraw: clicks that on the card. DO=look: only looks, and sends at SIGUSR1. It never ends by itself.
"""

import json
import os
import signal

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from helm_desktop.app import Desktop
from helm_desktop.startup import display
from helm_desktop.startup.arguments import parse
from helm_desktop.views.controls.card import ControlCard
from helm_desktop.views.controls.fields import NumberEditor
from helm_desktop.views.controls.form import RecordForm

control = os.environ["CONTROL"]
display.quiet_offscreen()
app = QApplication(["helm-desktop"])
desktop = Desktop(app, parse(["--home", os.environ["HELM_RUN_HOME"]]))
desktop.show()
seen: list[tuple[str, ...]] = []
said: list[str] = []
left = [os.environ["DO"]]


def click(widget: QWidget) -> None:
    """As a hand does."""
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def send(card: ControlCard) -> None:
    """Fill in what was asked for, and send it."""
    card.set_open(True)
    for name, text in json.loads(os.environ.get("FORM", "{}")).items():
        assert isinstance(card.editor, RecordForm)
        editor = card.editor.rows[name].editor
        assert isinstance(editor, NumberEditor)
        editor.field.selectAll()
        QTest.keyClicks(editor.field, text)
    if os.environ.get("EXPIRES"):
        click(card.terms.link)
        QTest.keyClicks(card.terms.expires, os.environ["EXPIRES"])
    if os.environ.get("INSTEAD"):
        QTest.keyClick(card.terms.replaces, Qt.Key.Key_Space)
    click(card.header.button or card.send)


def look() -> None:
    """Acts as soon as there is a card to act on, then says every state that its requests come to."""
    card = desktop.regions.controls.cards.get(control)
    if card is None or desktop.current.session is None or not desktop.current.session.complete:
        return
    model = desktop.current.session.controls
    if not said:
        said.append("card")
        print("app has its card", flush=True)
    if left[0] == "send":
        left[0] = ""
        send(card)
    elif left[0] == "withdraw" and card.decisions.isVisible():
        left[0] = ""
        click(card.decisions.cancel)
    own = model.control(control)
    states = [record.state for record in model.commands.of(control)]
    if own is not None and own.sent is not None:
        states.insert(0, "requested")
    drawn = (", ".join(states), *(step.stage for step in card.track.steps))
    if states and drawn not in seen[-1:]:
        seen.append(drawn)
        print("app sees:", drawn[0], "|", *(step.text for step in card.track.steps), flush=True)


def send_now(number: int, frame: object) -> None:
    """SIGUSR1: send now."""
    left[0] = "send"


signal.signal(signal.SIGUSR1, send_now)
timer = QTimer()
timer.timeout.connect(look)
timer.start(10)
app.exec()
