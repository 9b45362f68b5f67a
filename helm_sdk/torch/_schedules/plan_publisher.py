"""The plan of a run: how far it goes, and the rates that the schedule will set until then."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any

from helm_sdk._shared.notice import Notices
from helm_sdk.protocol.messages import Plan, PlanCurve
from helm_sdk.torch._schedules.forecast import Forecast, ForecastThread
from helm_sdk.torch._schedules.rate_overrides import KeyframedRate, Override
from helm_sdk.torch._schedules.rates import UsedRates
from helm_sdk.torch._schedules.schedule import WatchedSchedulers
from helm_sdk.torch._schedules.simulation import Simulation

FIRST_WAIT_S = 0.25  # between forecasts that turned out wrong; doubled each time
LONGEST_WAIT_S = 60.0
WORTH = 0.01  # a token plan's estimated end moves when it is off by this part of it


def _differ(thought: list[float], ran: list[float | None]) -> bool:
    """Return True when the schedule did otherwise, by more than closed forms and recursions differ."""
    return any(
        rate is not None and not math.isclose(rate, planned, rel_tol=1e-9)
        for planned, rate in zip(thought, ran, strict=False)
    )


class PlanPublisher:
    """Keeps the published plan true: worked out again when the schedule or the rates turn out otherwise."""

    def __init__(
        self,
        rates: UsedRates,
        schedule: WatchedSchedulers,
        keep: Iterable[object],
        next_step: Callable[[], int],
        publish: Callable[[Plan], Any],
        notices: Notices,
    ) -> None:
        self._rates = rates
        self._schedule = schedule
        self._keep = tuple(keep)
        self._next_step = next_step
        self._publish = publish
        self._notices = notices
        self.step: int | None = None
        self.tokens: int | None = None
        self._stop: int | None = None
        self._stale = False
        self._by_hand = False  # whether the script sets the rates, not a scheduler
        self._pace = 0.0  # tokens a step takes in; 0: it was not said
        self._told_pace = 0.0  # the same when the plan was published
        self._over_tokens = False  # whether some group's rates follow keyframes in tokens
        self._wait = 0.0
        self._last = -math.inf
        self.forecasts = ForecastThread(
            [f"optim/lr/{group.label}" for group in rates.groups], self._publish_curves
        )
        rates.before_step = self._note_step
        rates.on_change = self._rates_changed

    def set(self, step: int | None, tokens: int | None) -> None:
        """Say where the run ends; the curves follow from a thread."""
        self.step, self.tokens = step, tokens
        self._stop = step
        if step is not None:
            self.refresh()

    def refresh(self) -> None:
        """Run the schedule ahead again, from how it stands now."""
        start = self._next_step()
        if self._stop is None or self._stop <= start:
            return
        self._stale = False
        self._last = time.monotonic()
        if any(self._rates.by_hand):
            self._plan_nothing(start)
            return
        try:
            simulation = self.simulate()
        except Exception as error:
            self._notices.once("plan", f"the schedule cannot be run ahead, no rate is planned: {error!r}")
            return
        forecast = Forecast(start, self._stop, self._schedule.every, self._schedule.until_next)
        self.forecasts.plan(forecast, simulation, self._overrides())

    def _plan_nothing(self, start: int) -> None:
        """The script sets the rates by hand: nobody but itself knows the next one."""
        if not self._by_hand:
            self._by_hand = True
            self.forecasts.forecast = None
            text = "The script sets the learning rate itself: no rate is planned (reported once)"
            self._notices.once("by hand", text)
            self._publish(Plan(step=self.step, tokens=self.tokens, made_at=start, curves=()))

    def follow_groups(self) -> None:
        """Plan for the groups that the optimizers have now."""
        self.forecasts.streams = tuple(f"optim/lr/{group.label}" for group in self._rates.groups)
        self.refresh()

    def simulate(self) -> Simulation:
        """Return the schedule as it stands, to be stepped without touching it."""
        with self._rates.own_rates():
            return Simulation(self._schedule.schedulers, self._rates.optimizers, self._keep)

    def next_raws(self) -> list[float]:
        """The schedule's own rates at the next optimizer step, whether or not it has been stepped for it."""
        schedule = self._schedule
        if not schedule.due:
            return self._rates.raws()
        try:
            simulation = self.simulate()
            simulation.advance()
            return simulation.rates()
        except Exception:
            return self._rates.raws()

    def after_step(self, step: int, tokens_seen: float, steps_seen: int) -> None:
        """Compare a step with what was planned for it; look again where it was otherwise."""
        if tokens_seen > 0:
            self._pace = tokens_seen / steps_seen
            if self.tokens is not None:
                self._estimate(step, self._pace, tokens_seen)
            if self._over_tokens and abs(self._pace - self._told_pace) > WORTH * self._pace:
                self._stale = True
        forecast = self.forecasts.forecast
        if forecast is None or self._stop is None:
            return
        thought = forecast.at(step)
        if thought is not None and thought != self._rates.raw and _differ(thought, self._rates.raw):
            self._stale = True
        if self._stale and time.monotonic() - self._last >= self._wait:
            self._wait = min(LONGEST_WAIT_S, max(FIRST_WAIT_S, 2 * self._wait))
            self.refresh()

    def close(self) -> None:
        """Stop working ahead."""
        self.forecasts.close()

    def _note_step(self) -> None:
        if self._schedule.note_step():
            self._stale = True

    def _rates_changed(self) -> None:
        if self._stale:  # what a plateau has done since must not be published again as it was thought
            self.refresh()
        else:
            self.forecasts.again(self._overrides(), self._next_step())

    def _overrides(self) -> list[Override]:
        """Return the overrides over steps: keyframes in tokens lie where they are thought to come."""
        self._told_pace = self._pace
        keyframed = [override for override in self._rates.overrides if isinstance(override, KeyframedRate)]
        self._over_tokens = any(override.tokens for override in keyframed)
        if not self._pace or not self._over_tokens:
            return self._rates.overrides
        now = self._rates.now()
        return [
            override.in_steps(now, self._pace) if isinstance(override, KeyframedRate) else override
            for override in self._rates.overrides
        ]

    def _estimate(self, step: int, per_step: float, seen: float) -> None:
        assert self.tokens is not None
        stop = step + 1 + math.ceil(max(0.0, self.tokens - seen) / per_step)
        if self._stop is None or abs(stop - self._stop) > max(1.0, WORTH * self._stop):
            self._stop = stop
            self._stale = True
            if self.forecasts.forecast is None:
                self.refresh()

    def _publish_curves(self, made_at: int, curves: tuple[PlanCurve, ...]) -> None:
        if self._by_hand:
            return  # worked out before that was seen
        self._publish(Plan(step=self.step, tokens=self.tokens, made_at=made_at, curves=curves))
