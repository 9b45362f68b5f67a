"""The plan that a run published, and the present overrides of its rates."""

from __future__ import annotations

from typing import Any

import msgspec

from helm_desktop.model.board.default_layout import PLANNED
from helm_sdk.protocol.messages import Plan, PlanCurve, RateOverride

_FIRST_RATE = "optim/lr/group0"


class RunPlan:
    """The newest plan and overrides. A bad catalogue raises `msgspec.ValidationError` and changes nothing."""

    def __init__(self) -> None:
        self.published = Plan()
        self.overrides: tuple[RateOverride, ...] = ()

    def read_plan(self, body: Any) -> None:
        """Read the body of a "plan" catalogue."""
        self.published = msgspec.convert(body, Plan)

    def read_overrides(self, body: Any) -> None:
        """Read the body of a "rate_overrides" catalogue."""
        self.overrides = msgspec.convert(body, tuple[RateOverride, ...])

    @property
    def steps(self) -> int | None:
        """The number of planned steps; for a plan in tokens, where its curves end. None without a plan."""
        return self.published.step or _end_of_curves(self.published)

    @property
    def tokens(self) -> int | None:
        """The number of planned tokens; None for a plan in steps."""
        return self.published.tokens

    def curve(self, stream: str) -> PlanCurve | None:
        """Return the planned values of a stream, or None. `optim/lr/planned` has those of the first rate."""
        for curve in self.published.curves:
            if curve.stream == stream or (curve.stream == PLANNED and stream == _FIRST_RATE):
                return curve
        return None

    def override(self, stream: str) -> RateOverride | None:
        """Return the override of the rate in a stream; None where the run reports none."""
        return next((override for override in self.overrides if override.stream == stream), None)


def _end_of_curves(plan: Plan) -> int | None:
    last = max((curve.steps[-1] for curve in plan.curves if curve.steps), default=None)
    return last + 1 if last is not None and plan.tokens is not None else None
