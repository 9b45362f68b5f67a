"""grad_clip: the limit that `clip_grad_norm_` applies in the loop."""

from __future__ import annotations

from typing import Any

from helm_sdk.models import Applied, CommandContext
from helm_sdk.protocol.builders import field, number, record_schema
from helm_sdk.protocol.kinds import as_number
from helm_sdk.torch._controls.base import ControlParts, Declaration, TrainerControl, capability

NOT_CALLED = "the loop has not called clip_grad_norm_ yet"


class GradClipControl(TrainerControl):
    """Once set, the limit goes before the one that the loop's call names; null is no limit."""

    def __init__(self, parts: ControlParts) -> None:
        self._clipping = parts.clipping
        self._read_back = parts.read_back
        self._next_step = parts.next_step

    def declare(self) -> Declaration:
        """Return a form for the largest norm, or none. Without a call in the loop nothing would clip."""
        declared = capability(
            "grad_clip",
            input_schema=record_schema(
                field("max_norm", number(0, exclusive=["min"]), default=None, help="none: no limit")
            ),
            starting={"max_norm": self._clipping.limit},
            help="Scales gradients down to this norm from the next step on; none measures and does not clip.",
        )
        return Declaration(declared, "" if self._clipping.called else NOT_CALLED)

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Set the limit; the next call of `clip_grad_norm_` uses it."""
        given = value.get("max_norm")
        before = self._clipping.limit
        self._clipping.set_limit(None if given is None else float(as_number(given)))
        self._read_back.expect(context.id, lambda: self._clipping.used)
        return Applied(
            old={"max_norm": before}, new={"max_norm": self._clipping.limit}, step=self._next_step()
        )

    def state(self) -> Any:
        """Return the limit in force, and whether the control set it."""
        return {"max_norm": self._clipping.limit, "set": self._clipping.was_set}

    def restore(self, state: Any) -> None:
        """The limit, and who gave it."""
        self._clipping.limit, self._clipping.was_set = state["max_norm"], state["set"]
