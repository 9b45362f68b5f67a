"""One declared control: what it is, the value that it is set to, and the value that the run used."""

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
    """A value that the run used, and the step at which it did."""

    value: float
    step: int


@dataclass
class Control:
    """A control for its card. Several processes may declare the same name: they have one card."""

    name: str
    capability: Capability
    node: Node
    processes: tuple[str, ...]
    unavailable: str = ""
    run_ended: bool = False
    current: CurrentValue = field(default_factory=lambda: CurrentValue(None))
    latest: CommandRecord | None = None
    sent: SentCommand | None = None  # sent by this app, and not recorded by the run yet
    ran: UsedValue | None = None
    rate_overrides: tuple[RateOverride, ...] = ()  # of the rates that it sets, one for each group
    note: CardNote = NO_NOTE

    @property
    def takes_input(self) -> bool:
        """Whether the control has a form to fill in; otherwise a button is enough."""
        if isinstance(self.node, Record):
            return bool(self.node.fields)
        return bool(self.capability.input_schema) or not self.capability.button

    @property
    def blocked(self) -> str:
        """Why nothing can be sent to the control; empty when something can be."""
        return "the run has ended" if self.run_ended else self.unavailable

    @property
    def refused(self) -> str:
        """Why the last command could not be received; empty where nothing went wrong."""
        return self.sent.refused if self.sent is not None else ""

    @property
    def button(self) -> str:
        """The text of the button that sends without a form; empty where a form has to be filled in."""
        if not self.takes_input:
            return self.capability.button or "Run"
        needs_input = not isinstance(self.node, Record) or self.node.required or self.node.one_of
        return "" if needs_input else self.capability.button

    @property
    def mixture(self) -> tuple[str, Mixture] | None:
        """Field and node of a mixture that is the whole input; the field is empty for the input itself."""
        if isinstance(self.node, Mixture):
            return "", self.node
        if isinstance(self.node, Record) and len(self.node.fields) == 1:
            only = self.node.fields[0]
            may_be_absent = only.optional and only.default in (MISSING, None)  # a form can leave it out
            return (only.name, only.type) if isinstance(only.type, Mixture) and not may_be_absent else None
        return None

    @property
    def changed(self) -> bool:
        """Whether a change has been applied."""
        return self.current.change is not None

    @property
    def streams(self) -> set[str]:
        """The names of the streams that the card shows."""
        names = {self.capability.reads}
        if self.mixture is not None:
            kind = self.mixture[1]
            names |= {kind.sampled_stream(component) for component in kind.components}
        return names - {""}


def node_of(capability: Capability) -> Node:
    """Return the parsed input schema; an Unknown node for one that cannot be read."""
    try:
        return parse(capability.input_schema)
    except SchemaError as error:
        return Unknown(f"a schema that cannot be read: {error}", capability.input_schema)


def weights_in(value: Any, field_name: str) -> Mapping[str, object]:
    """Return the weights of a mixture in the value of a control; empty where there are none."""
    inner = value.get(field_name) if field_name and isinstance(value, Mapping) else value
    weights = inner.get("weights") if isinstance(inner, Mapping) else None
    return weights if isinstance(weights, Mapping) else {}
