"""grad_clip: the limit that `clip_grad_norm_` applies in the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from helm_sdk.models import Applied, Capability, CommandContext
from helm_sdk.protocol.builders import field, number, record_schema
from helm_sdk.protocol.kinds import as_number
from helm_sdk.torch._controls.base import ReadBack, capability
from helm_sdk.torch._steps.clipping import Clipping

NOT_CALLED = "the loop has not called clip_grad_norm_ yet"


class GradClipControl:
    """Once set, the limit goes before the one that the loop's call names; null is no limit."""

    def __init__(self, clipping: Clipping, read_back: ReadBack, next_step: Callable[[], int]) -> None:
        self._clipping = clipping
        self._read_back = read_back
        self._next_step = next_step

    @property
    def unavailable(self) -> str:
        """Without a call in the loop there is nothing that would clip."""
        return "" if self._clipping.called else NOT_CALLED

    @property
    def capability(self) -> Capability:
        """The largest norm, or none."""
        return capability(
            "grad_clip",
            input_schema=record_schema(
                field("max_norm", number(0, exclusive=["min"]), default=None, help="none: no limit")
            ),
            starting={"max_norm": self._clipping.limit},
            help="Scales gradients down to this norm from the next step on; none measures and does not clip.",
        )

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Set the limit; the next call of `clip_grad_norm_` uses it."""
        given = value.get("max_norm")
        before = self._clipping.limit
        self._clipping.set_limit(None if given is None else float(as_number(given)))
        self._read_back.expect(context.id, lambda: self._clipping.used)
        return Applied(
            old={"max_norm": before}, new={"max_norm": self._clipping.limit}, step=self._next_step()
        )
