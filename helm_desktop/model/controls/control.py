"""One declared control: what it is, what it is set to, and what the run really used."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from helm_desktop.model.controls.card_notes import NO_NOTE, CardNote
from helm_desktop.model.controls.sent_commands import SentCommand
from helm_sdk.protocol.history import CommandRecord, CurrentValue
from helm_sdk.protocol.kinds import MISSING, Mixture, Node, Record, SchemaError, Unknown, parse
from helm_sdk.protocol.messages import Capability, RateOverride


@dataclass(frozen=True)
class UsedValue:
    """What the run used, and at which step."""

    value: float
    step: int


@dataclass
class Control:
    """One name, which several processes may declare: one card."""

    name: str
    capability: Capability
    node: Node
    processes: tuple[str, ...]
    unavailable: str = ""
    over: bool = False  # the run has ended
    current: CurrentValue = field(default_factory=lambda: CurrentValue(None))
    latest: CommandRecord | None = None
    sent: SentCommand | None = None  # sent from here, and not recorded yet
    ran: UsedValue | None = None
    rate_overrides: tuple[RateOverride, ...] = ()  # of the rate that it sets, a group each
    note: CardNote = NO_NOTE

    @property
    def takes_input(self) -> bool:
        """Whether there is a form to fill in; without one a button is enough."""
        if isinstance(self.node, Record):
            return bool(self.node.fields)
        return bool(self.capability.input_schema) or not self.capability.button

    @property
    def blocked(self) -> str:
        """Why nothing can be sent; empty when something can."""
        return "the run has ended" if self.over else self.unavailable

    @property
    def refused(self) -> str:
        """Why what was sent last could not be received; empty where that is not known."""
        return self.sent.refused if self.sent is not None else ""

    @property
    def button(self) -> str:
        """The word on the button of a control that can be sent as it is; empty where a form comes first."""
        if not self.takes_input:
            return self.capability.button or "Run"
        needs = not isinstance(self.node, Record) or self.node.required or self.node.one_of
        return "" if needs else self.capability.button

    @property
    def mixture(self) -> tuple[str, Mixture] | None:
        """The field and the kind of a control that is a mixture and nothing else."""
        if isinstance(self.node, Mixture):
            return "", self.node
        if isinstance(self.node, Record) and len(self.node.fields) == 1:
            only = self.node.fields[0]
            may_lack = only.optional and only.default in (MISSING, None)  # a form can say so
            return (only.name, only.type) if isinstance(only.type, Mixture) and not may_lack else None
        return None

    @property
    def changed(self) -> bool:
        """Whether a change was ever applied."""
        return self.current.change is not None

    @property
    def streams(self) -> set[str]:
        """The streams that the card shows."""
        names = {self.capability.reads}
        if self.mixture is not None:
            kind = self.mixture[1]
            names |= {kind.sampled_stream(component) for component in kind.components}
        return names - {""}


def node_of(capability: Capability) -> Node:
    """Return the parsed input schema; one that cannot be read still makes a card, which says so."""
    try:
        return parse(capability.input_schema)
    except SchemaError as error:
        return Unknown(f"a schema that cannot be read: {error}", capability.input_schema)


def weights_in(value: Any, field_name: str) -> Mapping[str, object]:
    """Return the weights of a mixture inside a control's value; empty where there are none."""
    inner = value.get(field_name) if field_name and isinstance(value, Mapping) else value
    weights = inner.get("weights") if isinstance(inner, Mapping) else None
    return weights if isinstance(weights, Mapping) else {}
