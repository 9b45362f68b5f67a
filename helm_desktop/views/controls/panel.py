"""The dock's Controls section: a card for each declared control."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from helm_desktop import format as fmt
from helm_desktop.model.controls.control import Control
from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.theme import set_look
from helm_desktop.views.controls.card import ControlCard
from helm_desktop.widgets import ElidedLabel, EmptyState


class ControlsPanel(QWidget):
    """Header, then the cards, mixtures first. Scrolls by itself."""

    send_requested = Signal(object)  # Command
    cancel_requested = Signal(str, str)  # process, command id
    approval_requested = Signal(str, str, bool)  # process, command id, whether it is approved

    def __init__(self, model: ControlsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "panel")
        self.setAccessibleName("Controls")
        self._model = model
        self.cards: dict[str, ControlCard] = {}
        self.title, self.where = QLabel("Controls"), ElidedLabel("", "small")
        set_look(self.title, "title")
        self.where.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.empty = EmptyState(
            "No controls",
            "This run declares none. A script declares them with tr.watch(…), run.on(…), @run.command or "
            "run.tunable(…); each becomes a card here.",
        )
        self._lay_out()
        model.controls_changed.connect(self._rebuild)
        model.control_changed.connect(self._refresh)
        self._rebuild()

    def set_model(self, model: ControlsModel) -> None:
        """Show another run's controls."""
        if model is not self._model:
            self._model.controls_changed.disconnect(self._rebuild)
            self._model.control_changed.disconnect(self._refresh)
            self._model = model
            model.controls_changed.connect(self._rebuild)
            model.control_changed.connect(self._refresh)
            self._drop_all()
        self._rebuild()

    def show_problem(self, command_id: str, sentence: str) -> None:
        """Say on the card of a command why the run did not get what was decided about it."""
        for card in self.cards.values():
            card.decisions.show_problem(command_id, sentence)

    def bring_forward(self, name: str) -> None:
        """Open a card, scrolls to it and gives it the focus."""
        card = self.cards.get(name)
        if card is not None:
            card.set_open(True)
            self._area.ensureWidgetVisible(card)
            card.header.setFocus()

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(14, 12, 14, 6)
        header.addWidget(self.title)
        header.addWidget(self.where, 1)
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(14, 2, 12, 12)
        self._column.setSpacing(8)
        self._column.addWidget(self.empty)
        self._column.addStretch(1)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(header)
        column.addWidget(self._area, 1)

    def _rebuild(self) -> None:
        controls = sorted(self._model.controls, key=lambda control: control.mixture is None)
        wanted = [control.name for control in controls]
        for name in [name for name in self.cards if name not in wanted]:
            self._drop(name)
        for place, control in enumerate(controls):
            card = self.cards.get(control.name)
            if card is not None and card.made_from != control.capability:
                self._drop(control.name)
                card = None
            if card is None:
                card = ControlCard(self._model, control.name)
                card.send_requested.connect(self.send_requested)
                card.decisions.cancel_requested.connect(self.cancel_requested)
                card.decisions.approval_requested.connect(self.approval_requested)
                self.cards[control.name] = card
            self._column.insertWidget(place, card)
            card.refresh()
        self.empty.setVisible(not controls)
        self.where.setText(_where(controls))

    def _refresh(self, name: str) -> None:
        card = self.cards.get(name)
        if card is not None:
            card.refresh()
        self.where.setText(_where(self._model.controls))

    def _drop(self, name: str) -> None:
        card = self.cards.pop(name)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _drop_all(self) -> None:
        for name in list(self.cards):
            self._drop(name)


def _where(controls: list[Control]) -> str:
    """ "8 declared by rank-0", or the one safe point that applies them all."""
    if not controls:
        return ""
    processes = sorted({process for control in controls for process in control.processes if process})
    by = (
        f" by {processes[0]}"
        if len(processes) == 1
        else f" by {fmt.plural(len(processes), 'process', 'processes')}"
    )
    over = ", the run has ended" if controls[0].run_ended else ""
    return f"{len(controls)} declared{by if processes else ''}{over}"
