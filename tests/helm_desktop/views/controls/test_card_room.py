"""Cards in a dock that is narrow and scrolls."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.theme import ThemeManager
from helm_desktop.views.controls import ControlsPanel
from helm_sdk.protocol.messages import ControlState
from helpers.drafting import LR_OF_GROUPS


def test_that_a_choice_of_four_leaves_the_card_within_the_dock(qtbot: QtBot, theme: ThemeManager) -> None:
    model = ControlsModel()
    model.set_catalogue([ControlState(capability=LR_OF_GROUPS)], "rank-0")
    panel = ControlsPanel(model)
    panel.send_requested.connect(model.on_sent)  # as the sender of commands does
    model.setParent(panel)
    qtbot.addWidget(panel)
    panel.resize(334, 300)
    panel.show()
    card = panel.cards["lr"]
    card.set_open(True)
    area = panel.findChild(QScrollArea)
    assert area is not None
    qtbot.waitUntil(lambda: area.verticalScrollBar().isVisible())
    body = area.widget()
    assert body is not None
    qtbot.waitUntil(lambda: body.width() <= area.viewport().width())
    assert body.minimumSizeHint().width() <= area.viewport().width()
