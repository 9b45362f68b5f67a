"""A further control of the trainer, as somebody would add one: this file, and a line in the registry."""

from __future__ import annotations

import os
from typing import Any

from helm_sdk.models import Applied, CommandContext
from helm_sdk.protocol.builders import field, number, record_schema
from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.torch._controls.base import ControlParts, Declaration, TrainerControl, capability
from helm_sdk.torch._controls.registry import CONTROLS


class MomentumControl(TrainerControl):
    """The momentum of every group. Above 0.9 it is refused, and above 0.8 it fails on the last rank."""

    by_default = False

    def __init__(self, parts: ControlParts) -> None:
        self._groups = [group.options for group in parts.rates.groups if "momentum" in group.options]
        self._next_step = parts.next_step

    def declare(self) -> Declaration:
        """A number."""
        schema = record_schema(field("value", number(0, 1)))
        declared = capability("momentum", input_schema=schema, starting=self._shown())
        return Declaration(declared, "" if self._groups else "the optimizer has no momentum")

    def check(self, value: Any, context: CommandContext) -> None:
        """Refuse what is too much."""
        if value["value"] > 0.9:
            raise InvalidValue("value", f"{value['value']} is more than this model stands")

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Set it in every group; on the last rank it may fail half way."""
        before = self._shown()
        for number_, options in enumerate(self._groups):
            options["momentum"] = value["value"]
            last = os.environ.get("RANK_OF_TEST") == os.environ.get("LAST_RANK_OF_TEST", "none")
            if number_ == 0 and value["value"] > 0.8 and last:
                raise RuntimeError("the second group did not take it")
        return Applied(old=before, new=value, step=self._next_step())

    def state(self) -> Any:
        """The momentum of each group."""
        return [options["momentum"] for options in self._groups]

    def restore(self, state: Any) -> None:
        """Each group's own."""
        for options, momentum in zip(self._groups, state, strict=True):
            options["momentum"] = momentum

    def _shown(self) -> Any:
        return {"value": self._groups[0]["momentum"]} if self._groups else None


def register() -> None:
    """The one line."""
    CONTROLS["momentum"] = MomentumControl
