"""Tells how each group's rate follows from its schedule, whenever that has become otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_
from typing import Any

from helm_sdk.protocol.messages import RateOverride
from helm_sdk.torch._schedules.rate_overrides import HeldRate, Override, ScaledRate
from helm_sdk.torch._schedules.rates import UsedRates
from helm_sdk.torch._schedules.schedule_names import schedule_names

Publish = Callable[[list[RateOverride]], Any]


class OverrideReports:
    """Looks after each step: a keyframe that was passed last changes an override by itself."""

    def __init__(self, rates: UsedRates, schedulers: Sequence[Any], publish: Publish) -> None:
        self._rates = rates
        self._names = schedule_names(schedulers, rates.optimizers)
        self._publish = publish
        self._told: list[Override] | None = None

    def publish_changes(self) -> None:
        """Publish the overrides where one is not what was told last."""
        overrides, reported = self._rates.overrides, self._told
        if reported is not None and len(reported) == len(overrides) and all(map(is_, reported, overrides)):
            return
        self._told = list(overrides)
        if self._rates.groups:
            groups = zip(self._rates.groups, overrides, strict=True)
            self._publish(
                [
                    override_report(f"optim/lr/{g.label}", self._names[g.number], override)
                    for g, override in groups
                ]
            )


def override_report(stream: str, schedule: str, override: Override) -> RateOverride:
    """Return an override as others read it."""
    if isinstance(override, ScaledRate):
        return RateOverride(stream=stream, schedule=schedule, factor=override.target / override.base)
    if isinstance(override, HeldRate):
        return RateOverride(stream=stream, schedule=schedule, held=override.value)
    before = override.before
    return RateOverride(
        stream=stream,
        schedule=schedule,
        factor=before.target / before.base if isinstance(before, ScaledRate) else 1.0,
        held=before.value if isinstance(before, HeldRate) else None,
        points=tuple(zip(override.at, override.values, strict=True)),
        axis="tokens" if override.tokens else "step",
        then_hold=override.hold,
    )
