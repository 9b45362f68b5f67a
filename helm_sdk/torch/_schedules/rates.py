"""The rates that optimizers really use: the schedule's own, changed just for the time of each step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from helm_sdk.torch._schedules.groups import Number, groups_of, observed, plain
from helm_sdk.torch._schedules.rate_overrides import (
    FOLLOW,
    HeldRate,
    KeyframedRate,
    LoopPosition,
    Override,
    RateChange,
    ScaledRate,
    ZeroScheduleRate,
)

NOWHERE = LoopPosition(0)  # only keyframes ask where the loop is


class UsedRates:
    """Hooks before and after `optimizer.step`. The scheduler only ever sees its own rates.

    Just before a step the effective rate is put in, just after it the schedule's own comes back, so that
    chained, closed-form and plateau schedulers all go on as if nothing had happened.
    """

    def __init__(
        self,
        optimizers: Sequence[torch.optim.Optimizer],
        now: Callable[[], LoopPosition] = lambda: LoopPosition(0),
    ) -> None:
        self.now = now  # the step that the loop is in
        self.optimizers = tuple(optimizers)
        self.groups = groups_of(optimizers)
        self.overrides: list[Override] = [FOLLOW] * len(self.groups)
        self.used: list[Number | None] = [None] * len(self.groups)  # by the last optimizer step
        self.raw: list[float | None] = [None] * len(self.groups)  # the schedule's; None on a device
        self.decay: list[Number | None] = [None] * len(self.groups)
        self.steps = [0] * len(self.optimizers)  # optimizer steps that really ran
        self._depth = [0] * len(self.optimizers)  # a class's step may call that of the class it is made from
        self.before_step: Callable[[], None] | None = None  # told once, at the first optimizer's step
        self.on_change: Callable[[], None] | None = None
        self.pending: list[RateChange] = []  # they take effect with the next optimizer step
        self._saved: list[tuple[dict[str, Any], Number, Any]] = []
        self._handles: list[Any] = []
        self._of: list[list[int]] = []
        self._index()

    def attach(self) -> None:
        """Hook every optimizer."""
        for number, optimizer in enumerate(self.optimizers):
            before, after = self._hooks(number)
            self._handles.append(optimizer.register_step_pre_hook(before))
            self._handles.append(optimizer.register_step_post_hook(after))

    def detach(self) -> None:
        """Leave the optimizers as they were found, the schedule's own rates in them."""
        self._restore()
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    def end_step(self) -> None:
        """A training step has ended: an optimizer step that raised is not going on any more."""
        if max(self._depth, default=0):
            self._depth = [0] * len(self.optimizers)

    def change(self, change: RateChange) -> None:
        """Let a change take effect with the next optimizer step."""
        self.pending.append(change)

    def raws(self) -> list[float]:
        """The schedule's rate of every group as it stands (waits for the device of a rate that is there)."""
        return [plain(group.options["lr"]) for group in self.groups]

    def preview(self, raws: list[float]) -> list[float]:
        """Return the rates that the next step would use where the schedule gives `raws`."""
        now = self.now()
        return [override.rate(raw, now) for override, raw in zip(self._next(raws), raws, strict=True)]

    def check(self, change: RateChange, raws: list[float]) -> None:
        """Raise NoRate, in one sentence, when the change has nothing to relate to at `raws`."""
        change.apply(self._next(raws), raws, self.now())

    def _next(self, raws: list[float]) -> list[Override]:
        overrides = list(self.overrides)
        for change in self.pending:
            overrides = change.apply(overrides, raws, self.now())
        return overrides

    def _hooks(self, number: int) -> tuple[Callable[..., None], Callable[..., None]]:
        def before(optimizer: Any, args: Any, kwargs: Any) -> None:
            self._depth[number] += 1
            self._before(number)

        def after(optimizer: Any, args: Any, kwargs: Any) -> None:
            self._restore()
            self._depth[number] -= 1
            if self._depth[number] <= 0:
                self._depth[number] = 0
                self.steps[number] += 1

        return before, after

    def _before(self, number: int) -> None:
        if self._saved:  # the last step raised between the hooks
            self._restore()
        if len(self.optimizers[number].param_groups) != len(self._of[number]):
            self._grow()
        if number == 0 and self._depth[0] == 1 and self.before_step is not None:
            self.before_step()
        if self.pending:
            self._resolve()
        for flat in self._of[number]:
            options = self.groups[flat].options
            override = self.overrides[flat]
            rate = options.get("lr")
            seen = rate if rate is None or type(rate) is float else observed(rate)
            self.raw[flat] = seen if isinstance(seen, float) else None
            if override is not FOLLOW and rate is not None:
                self._set_rate(options, override, flat)
                rate = options["lr"]
                seen = rate if type(rate) is float else observed(rate)
            self.used[flat] = seen
            decay = options.get("weight_decay")
            self.decay[flat] = decay if decay is None or type(decay) is float else observed(decay)

    def _resolve(self) -> None:
        raws = self.raws()
        while self.pending:
            try:
                self.overrides = self.pending[0].apply(self.overrides, raws, self.now())
            except ZeroScheduleRate:
                return  # the schedule went to 0 between the command and this step: it waits for a rate
            self.pending.pop(0)
        if self.on_change is not None:
            self.on_change()

    def _set_rate(self, options: dict[str, Any], override: Override, flat: int) -> None:
        raw: Any = options["lr"]
        now = NOWHERE
        if isinstance(override, KeyframedRate):
            now = self.now()
            self.overrides[flat] = override = override.advanced(plain(raw), now)
        if not isinstance(raw, torch.Tensor):
            options["lr"] = rate = override.rate(raw, now)
            self._saved.append((options, raw, rate))
            return
        with torch.no_grad():
            self._saved.append((options, raw.detach().clone(), raw))
            if isinstance(override, ScaledRate):
                raw.copy_(raw.double() / override.base * override.target)
            else:
                raw.fill_(
                    override.value if isinstance(override, HeldRate) else override.rate(plain(raw), now)
                )

    def _restore(self) -> None:
        for options, raw, put in self._saved:
            if options["lr"] is not put:
                continue  # somebody set another rate meanwhile: theirs stays
            if isinstance(put, torch.Tensor):
                with torch.no_grad():
                    put.copy_(torch.as_tensor(raw))
            else:
                options["lr"] = raw
        self._saved.clear()

    def _index(self) -> None:
        self._of = [
            [flat for flat, group in enumerate(self.groups) if group.number == number]
            for number in range(len(self.optimizers))
        ]

    def _grow(self) -> None:
        """A group was added while training: the known ones keep their overrides."""
        known = {group.label: override for group, override in zip(self.groups, self.overrides, strict=True)}
        self.groups = groups_of(self.optimizers)
        self.overrides = [known.get(group.label, FOLLOW) for group in self.groups]
        self.used = [None] * len(self.groups)
        self.raw = [None] * len(self.groups)
        self.decay = [None] * len(self.groups)
        self._index()
