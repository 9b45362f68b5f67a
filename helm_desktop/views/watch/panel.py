"""Rules of the open run, the form that makes one, and what waits for approval."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from helm_desktop.model.rules.rules_model import RulesModel
from helm_desktop.model.run.session import Session
from helm_desktop.theme import set_look
from helm_desktop.views.watch.approvals import Approvals
from helm_desktop.views.watch.form_rows import small_label
from helm_desktop.views.watch.rule_card import RuleCard
from helm_desktop.views.watch.rule_form import RuleForm
from helm_desktop.widgets import EmptyState, FlowLayout
from helm_sdk.rules import Rule
from helm_sdk.rules.state import FIRED

_PACE_MS = 200  # of the words on the cards; the engine itself waits for nothing


class WatchPanel(QWidget):
    """Scrolls by itself."""

    approval_decided = Signal(str, str, bool, str)  # process, command id, whether it is approved, reason
    waiting_changed = Signal(int)  # how many wait for approval
    step_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Watch")
        self._session: Session | None = None
        self._model: RulesModel | None = None
        self.cards: dict[str, RuleCard] = {}
        self.offers: dict[str, QPushButton] = {}
        self.note, self.new = QLabel(), QPushButton("+ Rule")
        self.form, self.approvals = RuleForm(), Approvals()
        self.empty = EmptyState(
            "No rules",
            "A rule looks at a metric and tells you, or acts, when it is too high, stuck, not a number or "
            "silent. + Rule makes one; it is kept for this project.",
        )
        self._offer_line = small_label("Offered for what this run logs:")
        self._clock = QTimer(self, singleShot=True, interval=_PACE_MS)
        self._lay_out()
        self._connect()
        self._rebuild()

    def set_session(self, session: Session | None) -> None:
        """Another run."""
        if self._model is not None and self._session is not None:
            self._model.rules_changed.disconnect(self._rebuild)
            self._model.states_changed.disconnect(self._soon)
            self._session.streams_changed.disconnect(self._rebuild_offers)
            self._session.refused.disconnect(self.approvals.complain)
        self._session = session
        self._model = session.rules if session is not None else None
        if session is not None:
            session.rules.rules_changed.connect(self._rebuild)
            session.rules.states_changed.connect(self._soon)
            session.streams_changed.connect(self._rebuild_offers)
            session.refused.connect(self.approvals.complain)
        self.form.set_session(session)
        self.form.hide()
        self.approvals.set_model(session.controls if session is not None else None)
        self._rebuild()

    # Building ----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        set_look(self.note, "small")
        set_look(self.new, "flat")
        self.new.setAccessibleName("New rule")
        top.addWidget(self.note, 1)
        top.addWidget(self.new)
        self._offers = QWidget()
        self._flow = FlowLayout(self._offers, gap=6, line_gap=4)
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(0, 0, 4, 4)
        self._column.setSpacing(8)
        for widget in (self.empty, self._offer_line, self._offers, self.form, self.approvals):
            self._column.addWidget(widget)
        self._column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self.area, 1)
        self.form.hide()

    def _connect(self) -> None:
        self.new.clicked.connect(self._open_form)
        self.form.rule_ready.connect(self._set_rule)
        self.form.closed.connect(self._form_closed)
        self.approvals.decided.connect(self.approval_decided)
        self.approvals.count_changed.connect(self.waiting_changed)
        self._clock.timeout.connect(self._refresh)

    def _rebuild(self) -> None:
        states = self._model.states if self._model is not None else []
        wanted = [state.rule.id for state in states]
        for rule_id in [rule_id for rule_id in self.cards if rule_id not in wanted]:
            card = self.cards.pop(rule_id)
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        for place, rule_id in enumerate(wanted):
            card = self.cards.get(rule_id) or self._made(rule_id)
            self._column.insertWidget(place, card)
        self._rebuild_offers()
        self._refresh()

    def _made(self, rule_id: str) -> RuleCard:
        card = self.cards[rule_id] = RuleCard(rule_id)
        card.edit_requested.connect(self._edit)
        card.enable_requested.connect(self._enable)
        card.remove_requested.connect(self._remove)
        card.step_requested.connect(self.step_requested)
        return card

    def _rebuild_offers(self) -> None:
        offered = self._model.offered() if self._model is not None else []
        if [rule.id for rule in offered] != list(self.offers):
            for button in self.offers.values():
                button.hide()
                button.deleteLater()
            while self._flow.count():
                self._flow.takeAt(0)
            self.offers = {rule.id: self._offer(rule) for rule in offered}
        self._show_parts()

    def _offer(self, rule: Rule) -> QPushButton:
        button = QPushButton(f"+ {rule.title}")
        set_look(button, "pill")
        button.setProperty("rule", rule.id)
        button.setAccessibleName(f"Offered rule: {rule.title}")
        button.clicked.connect(self._add_offered)
        self._flow.addWidget(button)
        return button

    # Keeping up --------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's."""
        super().showEvent(event)
        self._refresh()

    def _soon(self) -> None:
        if self.isVisible() and not self._clock.isActive():
            self._clock.start()

    def _refresh(self) -> None:
        model = self._model
        states = model.states if model is not None else []
        for state in states:
            card = self.cards.get(state.rule.id)
            if card is not None and model is not None:
                card.show_state(state, *model.text(state.rule.id))
        fired = sum(state.status == FIRED for state in states)
        words = "1 rule" if len(states) == 1 else f"{len(states)} rules"
        self.note.setText("" if not states else f"{words}, {fired} fired" if fired else f"{words}, all quiet")

    def _show_parts(self) -> None:
        forming = not self.form.isHidden()
        self.empty.setVisible(not self.cards and not forming)
        offered = bool(self.offers) and not forming
        self._offer_line.setVisible(offered)
        self._offers.setVisible(offered)

    # The user's hand ---------------------------------------------------------------------------

    def _open_form(self, rule: Rule | None = None, *, known: bool = False) -> None:
        self.form.open(rule if isinstance(rule, Rule) else None, known=known)
        self._show_parts()
        QTimer.singleShot(0, self._show_form)

    def _show_form(self) -> None:
        self.area.ensureWidgetVisible(self.form, 0, 8)

    def _form_closed(self) -> None:
        self._show_parts()
        self.new.setFocus()

    def _add_offered(self) -> None:
        button = self.sender()
        rules = self._model.offered() if self._model is not None else []
        for rule in rules:
            if rule.id == button.property("rule"):
                self._open_form(rule)

    def _set_rule(self, rule: Rule) -> None:
        if self._model is not None:
            self._model.set_rule(rule)

    def _edit(self, rule_id: str) -> None:
        for state in self._model.states if self._model is not None else []:
            if state.rule.id == rule_id:
                self._open_form(state.rule, known=True)

    def _enable(self, rule_id: str, on: bool) -> None:
        if self._model is not None:
            self._model.enable(rule_id, on)

    def _remove(self, rule_id: str) -> None:
        if self._model is not None:
            self._model.remove(rule_id)
