"""weight_decay: of every group that has one, or of the group that is named."""

from __future__ import annotations

from typing import Any

from helm_sdk.models import Applied, CommandContext
from helm_sdk.protocol.builders import enum_of, field, number, record_schema
from helm_sdk.protocol.kinds import as_number
from helm_sdk.torch._controls.base import ControlParts, Declaration, TrainerControl, capability
from helm_sdk.torch._schedules.groups import plain, set_value


class WeightDecayControl(TrainerControl):
    """Groups that began without decay keep none unless they are named."""

    def __init__(self, parts: ControlParts) -> None:
        self._rates = parts.rates
        self._read_back = parts.read_back
        self._next_step = parts.next_step
        self._without: set[str] = set()  # labels of the groups that began without decay
        self._seen: set[str] = set()
        self._note_groups()

    def _note_groups(self) -> None:
        """See how a group that is new began."""
        for group in self._rates.groups:
            if group.label not in self._seen:
                self._seen.add(group.label)
                if plain(group.options.get("weight_decay", 0.0)) == 0.0:
                    self._without.add(group.label)

    @property
    def _having(self) -> list[int]:
        """The groups that have the option, whatever its value."""
        return [flat for flat, group in enumerate(self._rates.groups) if "weight_decay" in group.options]

    @property
    def _meant(self) -> list[int]:
        """The groups that began with decay."""
        self._note_groups()
        return [flat for flat in self._having if self._rates.groups[flat].label not in self._without]

    def declare(self) -> Declaration:
        """Return a form for a value, and the group where there are several."""
        labels = [self._rates.groups[flat].label for flat in self._having]
        fields = [field("value", number(0))]
        if len(self._rates.groups) > 1 and labels:
            fields.append(
                field("group", enum_of(labels), optional=True, help="this group, also if it has none")
            )
        shown = self._shown()
        options = {} if shown is None else self._rates.groups[shown].options
        declared = capability(
            "weight_decay",
            input_schema=record_schema(*fields),
            starting={"value": plain(options["weight_decay"])} if options else None,
            help="From the next step on. Groups that began without weight decay keep none unless named.",
            reads="" if shown is None else f"optim/weight_decay/{self._rates.groups[shown].label}",
        )
        return Declaration(declared, "" if self._having else "the optimizer has no weight_decay")

    def check(self, value: Any, context: CommandContext) -> None:
        """Refuse a change that is meant for no group."""
        if not self._targets(value.get("group")):
            raise ValueError("every group began without weight decay: name the group that should get one")

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Set it in place; the next optimizer step uses it."""
        decay = float(as_number(value["value"]))
        targets = self._targets(value.get("group"))
        shown = targets[0]
        before = plain(self._rates.groups[shown].options["weight_decay"])
        for flat in targets:
            set_value(self._rates.groups[flat].options, "weight_decay", decay)
        self._read_back.expect(context.id, lambda: self._rates.decay[shown])
        kept = {"group": value["group"]} if value.get("group") is not None else {}
        return Applied(
            old={"value": before, **kept},
            new={"value": decay, **kept},
            result={"groups": [self._rates.groups[flat].label for flat in targets]},
            step=self._next_step(),
        )

    def state(self) -> Any:
        """Return the weight decay of every group that has one, by the group's label."""
        groups = [self._rates.groups[flat] for flat in self._having]
        return {"groups": {group.label: plain(group.options["weight_decay"]) for group in groups}}

    def restore(self, state: Any) -> None:
        """Groups that the state does not know keep what they have."""
        for flat in self._having:
            group = self._rates.groups[flat]
            kept = state["groups"].get(group.label)
            if kept is not None and plain(group.options["weight_decay"]) != kept:
                set_value(group.options, "weight_decay", kept)

    def _targets(self, label: str | None) -> list[int]:
        if label is None:
            return self._meant
        return [flat for flat in self._having if self._rates.groups[flat].label == label]

    def _shown(self) -> int | None:
        return next(iter(self._meant or self._having), None)
