"""The app in a process of its own: opens the newest run, clicks Send on CONTROL's card, says what it sees.

SEND=0: only looks. It never ends by itself.
"""

import os

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from helm_desktop import display
from helm_desktop.app import Desktop
from helm_desktop.arguments import parse
from helm_desktop.views.controls.fields import NumberEditor
from helm_desktop.views.controls.form import RecordForm

control = os.environ["CONTROL"]
display.quiet_offscreen()
app = QApplication(["helm-desktop"])
desktop = Desktop(app, parse(["--home", os.environ["HELM_RUN_HOME"]]))
desktop.show()
seen: list[str] = []
asked = os.environ["SEND"] == "0"


def look() -> None:
    """Sends as soon as there is a card, then says every state that the card comes to."""
    global asked
    card = desktop.screen.controls.cards.get(control)
    if card is None or desktop.session is None or not desktop.session.complete:
        return
    if not asked:
        asked = True
        if card.header.button is not None:
            QTest.mouseClick(card.header.button, Qt.MouseButton.LeftButton)
        else:
            card.set_open(True)
            assert isinstance(card.editor, RecordForm)
            editor = card.editor.rows["lr"].editor
            assert isinstance(editor, NumberEditor)
            editor.field.setText("")
            QTest.keyClicks(editor.field, "5e-3")
            QTest.mouseClick(card.send, Qt.MouseButton.LeftButton)
    for record in desktop.session.controls.changes(control):
        if [record.state] != seen[-1:]:
            seen.append(record.state)
            print("app sees:", record.state, flush=True)


timer = QTimer()
timer.timeout.connect(look)
timer.start(10)
app.exec()
