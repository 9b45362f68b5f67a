"""The rates that optimizers really use: the schedule's own, and in its place what somebody has sent.

What the next step uses stands in `param_groups`, so that whoever reads it between steps sees what runs. The
schedule's own rate is kept here. It is put back while a scheduler steps and it is what a `state_dict` holds,
so that chained, closed-form and plateau schedulers all go on as if nothing had happened.

An example, a schedule of 0.1, 0.09, 0.081 … that multiplies the rate it finds by 0.9, scaled by a half:

    before optimizer.step   param_groups 0.05    kept here 0.1
    scheduler.step          finds 0.1, sets 0.09
    after scheduler.step    param_groups 0.045   kept here 0.09

A script that sets the rate by hand at each step has no such moment. There the steered rate stands in
`param_groups` just during `optimizer.step`, and the script finds what it has set.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from helm_sdk.torch._schedules import scheduler_calls
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


@dataclass(slots=True)
class _Steered:
    """A rate that stands in a group in place of the schedule's own."""

    options: dict[str, Any]
    own: Number  # the schedule's, a copy where it is a tensor
    put: Any  # the object in the group: a float of ours, or the group's tensor, filled
    version: int  # of the tensor after it was filled
    override: Override  # what it was made from; past the last keyframe, what holds from then on

    def stands(self) -> bool:
        """Whether it is still there; False when somebody has set another rate."""
        there = self.options.get("lr")
        return there is self.put and (
            not isinstance(there, torch.Tensor) or there._version == self.version  # noqa: SLF001 - torch's own
        )

    def withdraw(self) -> None:
        """Put the schedule's own rate back, unless somebody has set another one."""
        if not self.stands():
            return
        if isinstance(self.put, torch.Tensor):
            with torch.no_grad():
                self.put.copy_(torch.as_tensor(self.own))
        else:
            self.options["lr"] = self.own


class _Compiled:
    """Written by the hooks where `torch.compile` traces them: one value, which is never read there."""

    def __init__(self) -> None:
        self.ran = False


class UsedRates:
    """The rates of every group of some optimizers, and how often each optimizer has stepped.

    Hooks before and after `optimizer.step` put the rate in and record what was used. A step that is part of
    a compiled graph runs no Python: its rate is put in before it, by `prepare`, and recorded after it.
    """

    def __init__(
        self,
        optimizers: Sequence[torch.optim.Optimizer],
        now: Callable[[], LoopPosition] = lambda: LoopPosition(0),
        following: Callable[[], LoopPosition] | None = None,
    ) -> None:
        self.now = now  # the step that the loop is in
        self._following = following or now  # the one after it
        self.optimizers = tuple(optimizers)
        self.groups = groups_of(optimizers)
        self.overrides: list[Override] = [FOLLOW] * len(self.groups)
        self.used: list[Number | None] = [None] * len(self.groups)  # by the last optimizer step
        self.raw: list[float | None] = [None] * len(self.groups)  # the schedule's; None on a device
        self.decay: list[Number | None] = [None] * len(self.groups)
        self.steps = [0] * len(self.optimizers)  # optimizer steps that really ran
        self.by_hand: list[bool] = [False] * len(self.groups)  # the script sets it, not a scheduler
        self._depth = [0] * len(self.optimizers)  # a class's step may call that of the class it is made from
        self._stepped = [False] * len(self.optimizers)  # since the loop's last step
        self._compiled = [_Compiled() for _ in self.optimizers]
        self.compiled = False  # whether a step of an optimizer was part of a compiled graph
        self.before_step: Callable[[], None] | None = None  # called once, at the first optimizer's step
        self.on_change: Callable[[], None] | None = None
        self.guards: dict[int, Callable[[], bool]] = {}  # by id of a scheduler: whether it may step
        self.pending: list[RateChange] = []  # they take effect with the next optimizer step
        self._steered: list[_Steered | None] = [None] * len(self.groups)
        self._is_steered = False  # whether one of them is not None
        self._scheduling = 0  # how many calls of scheduler.step are on the stack
        self._scheduled = [True] * len(self.optimizers)  # a scheduler may have set rates since its last step
        self._handles: list[Any] = []
        self._of: list[list[int]] = []
        self._index()

    def attach(self, schedulers: Sequence[Any] = ()) -> None:
        """Hook every optimizer, and see the calls of their schedulers."""
        for number, optimizer in enumerate(self.optimizers):
            before, after = self._hooks(number)
            self._handles.append(optimizer.register_step_pre_hook(before))
            self._handles.append(optimizer.register_step_post_hook(after))
            for name, hook in (
                ("register_state_dict_post_hook", self._own_in_state),
                ("register_load_state_dict_post_hook", self._loaded),
            ):
                register = getattr(optimizer, name, None)
                if register is not None:
                    self._handles.append(register(hook))
        scheduler_calls.register(self.optimizers, schedulers, self)

    def detach(self) -> None:
        """Leave the optimizers as they were found, the schedule's own rates in them."""
        self._withdraw()
        scheduler_calls.unregister(self.optimizers, self)
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    def end_step(self) -> None:
        """A training step has ended: an optimizer step that raised is not going on any more."""
        if max(self._depth, default=0):
            self._depth = [0] * len(self.optimizers)
        self._stepped = [False] * len(self.optimizers)

    def note_compiled(self) -> None:
        """Record the steps that were part of a compiled graph since the last call."""
        for number, compiled in enumerate(self._compiled):
            if not compiled.ran:
                continue
            compiled.ran, self.compiled = False, True
            if number == 0 and self.before_step is not None:
                self.before_step()
            for flat in self._of[number]:
                steered = self._steered[flat]
                if steered is not None and isinstance(self.overrides[flat], KeyframedRate):
                    self.overrides[flat] = steered.override
                self._observe(flat)
            self._scheduled[number] = False
            self.steps[number] += 1
            self._stepped[number] = True

    def prepare(self, scheduler_due: Callable[[], bool]) -> None:
        """Put in what the next step uses: once a loop's step has ended and its command is applied.

        Args:
            scheduler_due: Whether the loop has yet to step its scheduler before the next optimizer step.
        """
        if self.compiled and self.pending and not scheduler_due():
            self._resolve()
            self._steer()
        elif self._is_steered:
            self._steer()

    def change(self, change: RateChange) -> None:
        """Let a change take effect with the next optimizer step."""
        self.pending.append(change)

    def raws(self) -> list[float]:
        """The schedule's rate of every group as it stands (waits for the device of a rate that is there)."""
        return [plain(self._own(flat)) for flat in range(len(self.groups))]

    @contextlib.contextmanager
    def own_rates(self) -> Iterator[None]:
        """Return a context manager in which `param_groups` hold the schedule's own rates."""
        self._begin_scheduling()
        try:
            yield
        finally:
            self._end_scheduling()

    def preview(self, raws: list[float]) -> list[float]:
        """Return the rates that the next step would use where the schedule gives `raws`."""
        now = self.now()
        return [override.rate(raw, now) for override, raw in zip(self._next(raws), raws, strict=True)]

    def check(self, change: RateChange, raws: list[float]) -> None:
        """Raise ZeroScheduleRate, in one sentence, when the change has nothing to relate to at `raws`."""
        change.apply(self._next(raws), raws, self.now())

    # The calls of schedulers -------------------------------------------------------------------

    def before_scheduler(self, scheduler: Any) -> bool:
        """Put the schedule's own rates back; False where the scheduler must not step."""
        self.note_compiled()
        self._begin_scheduling()
        guard = self.guards.get(id(scheduler)) if self._scheduling == 1 else None
        return guard is None or guard()

    def after_scheduler(self, scheduler: Any) -> None:
        """Put the steered rates in again."""
        self._end_scheduling()
        if self.compiled and self.pending and not self._scheduling:
            self._resolve()
            self._steer()

    def next_rates(self, optimizers: Sequence[torch.optim.Optimizer], own: list[Any]) -> list[Any]:
        """Return the rates that the next step of the optimizers uses, given what the scheduler reports."""
        flats = [flat for one in optimizers if one in self.optimizers for flat in self._of[self._number(one)]]
        if not self._is_steered or len(flats) != len(own):
            return own
        return [
            own[at] if steered is None or not steered.stands() else observed(steered.put)
            for at, steered in enumerate(self._steered[flat] for flat in flats)
        ]

    def _begin_scheduling(self) -> None:
        self._scheduling += 1
        if self._scheduling == 1:
            self._scheduled = [True] * len(self.optimizers)
            self._withdraw()

    def _end_scheduling(self) -> None:
        self._scheduling -= 1
        if not self._scheduling:
            self._steer()

    # Inside ------------------------------------------------------------------------------------

    def _number(self, optimizer: torch.optim.Optimizer) -> int:
        return next(number for number, one in enumerate(self.optimizers) if one is optimizer)

    def _next(self, raws: list[float]) -> list[Override]:
        overrides = list(self.overrides)
        for change in self.pending:
            overrides = change.apply(overrides, raws, self.now())
        return overrides

    def _hooks(self, number: int) -> tuple[Callable[..., None], Callable[..., None]]:
        compiled = self._compiled[number]

        def before(optimizer: Any, args: Any, kwargs: Any) -> None:
            if torch.compiler.is_compiling():  # a constant where a graph is traced: nothing else is seen
                compiled.ran = True
                return
            self._depth[number] += 1
            self._before(number)

        def after(optimizer: Any, args: Any, kwargs: Any) -> None:
            if torch.compiler.is_compiling():
                return
            self._depth[number] -= 1
            if self._depth[number] <= 0:
                self._depth[number] = 0
                self.steps[number] += 1
                self._stepped[number] = True
            if self._is_steered:
                for flat in self._of[number]:
                    if self.by_hand[flat]:
                        self._withdraw_one(flat)

        return before, after

    def _before(self, number: int) -> None:
        if len(self.optimizers[number].param_groups) != len(self._of[number]):
            self._grow()
        if number == 0 and self._depth[0] == 1 and self.before_step is not None:
            self.before_step()
        if self.pending:
            self._resolve()
        for flat in self._of[number]:
            if self.overrides[flat] is not FOLLOW or self._steered[flat] is not None:
                self._steer_one(flat, self.now, runs=True)
            self._observe(flat)
        self._scheduled[number] = False

    def _observe(self, flat: int) -> None:
        """Record what the step uses of a group."""
        options = self.groups[flat].options
        steered = self._steered[flat]
        rate = options.get("lr")
        used = rate if rate is None or type(rate) is float else observed(rate)
        own = used if steered is None else observed(steered.own)
        raw = own if isinstance(own, float) else None
        before = self.raw[flat]
        scheduled = self._scheduled[self.groups[flat].number]
        if not scheduled and before is not None and raw is not None and raw != before:
            self.by_hand[flat] = True
        self.raw[flat], self.used[flat] = raw, used
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

    def _own(self, flat: int) -> Number:
        """The schedule's rate of a group, as it stands."""
        steered = self._steered[flat]
        if steered is not None and steered.options is self.groups[flat].options and steered.stands():
            return steered.own
        own: Number = self.groups[flat].options["lr"]
        return own

    def _steer(self) -> None:
        """Put in what comes next, where it is not what the schedule says."""
        for number, flats in enumerate(self._of):
            position = self._following if self._stepped[number] else self.now
            for flat in flats:
                group = self.groups[flat]
                if group.index >= len(group.optimizer.param_groups) or self.by_hand[flat]:
                    continue
                if self.overrides[flat] is not FOLLOW or self._steered[flat] is not None:
                    self._steer_one(flat, position)

    def _steer_one(self, flat: int, position: Callable[[], LoopPosition], *, runs: bool = False) -> None:
        options, override = self.groups[flat].options, self.overrides[flat]
        if options.get("lr") is None:
            return
        own = self._own(flat)
        if override is FOLLOW:
            self._withdraw_one(flat)
            return
        now = NOWHERE
        if isinstance(override, KeyframedRate):
            now = position()
            override = override.advanced(plain(own), now)
            if runs:  # else it is only looked ahead to, and the schedule may step before
                self.overrides[flat] = override
        self._put(flat, options, own, override, now)

    def _put(
        self, flat: int, options: dict[str, Any], own: Number, override: Override, now: LoopPosition
    ) -> None:
        held: Any = options["lr"]
        if not isinstance(held, torch.Tensor):
            options["lr"] = put = override.rate(plain(own), now)
            if put is own:  # an object of its own tells it from what others set
                options["lr"] = put = float(repr(put))
            self._steered[flat] = _Steered(options, own, put, 0, override)
        else:
            with torch.no_grad():
                kept = own.detach().clone() if own is held else own
                if isinstance(override, ScaledRate):
                    held.copy_(torch.as_tensor(kept).double() / override.base * override.target)
                else:
                    value = (
                        override.value if isinstance(override, HeldRate) else override.rate(plain(kept), now)
                    )
                    held.fill_(value)
            version = held._version  # noqa: SLF001 - torch's own
            self._steered[flat] = _Steered(options, kept, held, version, override)
        self._is_steered = True

    def _withdraw(self) -> None:
        if self._is_steered:
            for flat in range(len(self._steered)):
                self._withdraw_one(flat)
            self._is_steered = False

    def _withdraw_one(self, flat: int) -> None:
        steered, self._steered[flat] = self._steered[flat], None
        if steered is not None and steered.options is self.groups[flat].options:
            steered.withdraw()

    def _own_in_state(self, optimizer: Any, state: dict[str, Any]) -> None:
        """A state that is saved holds the schedule's own rates: what people sent is saved beside it."""
        flats = self._of[self._number(optimizer)]
        for flat, group in zip(flats, state["param_groups"], strict=False):
            steered = self._steered[flat]
            if steered is not None and steered.stands():
                own = steered.own
                group["lr"] = own.detach().clone() if isinstance(own, torch.Tensor) else own

    def _loaded(self, optimizer: Any) -> None:
        """A state was loaded: the rates in it are the schedule's."""
        for flat in self._of[self._number(optimizer)]:
            self._steered[flat] = None
        self._scheduled = [True] * len(self.optimizers)
        if not self._scheduling:
            self._steer()

    def _index(self) -> None:
        self._of = [
            [flat for flat, group in enumerate(self.groups) if group.number == number]
            for number in range(len(self.optimizers))
        ]

    def _grow(self) -> None:
        """A group was added while training: the known ones keep their overrides."""
        self._withdraw()
        known = {group.label: at for at, group in enumerate(self.groups)}
        before, by_hand = self.overrides, self.by_hand
        self.groups = groups_of(self.optimizers)
        found = [known.get(group.label) for group in self.groups]
        self.overrides = [FOLLOW if at is None else before[at] for at in found]
        self.by_hand = [at is not None and by_hand[at] for at in found]
        self.used = [None] * len(self.groups)
        self.raw = [None] * len(self.groups)
        self.decay = [None] * len(self.groups)
        self._steered = [None] * len(self.groups)
        self._index()
