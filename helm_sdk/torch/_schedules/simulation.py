"""A scheduler run ahead of the training on groups without parameters."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import torch

from helm_sdk.torch._schedules.groups import plain, set_value
from helm_sdk.torch._schedules.wsd import WSDScheduler
from helm_sdk.torch._wrappers import unwrapped

_BY_COUNT = (torch.optim.lr_scheduler.LambdaLR, torch.optim.lr_scheduler.OneCycleLR, WSDScheduler)


class Simulation:
    """Copies of the schedulers that drive stand-ins for the optimizers; the real ones are not touched.

    Made in the training thread (it reads the schedulers), stepped in any thread. Neither the optimizers nor
    the modules and tensors in `keep` are copied, also not where a scheduler's own functions hold them.
    Raises whatever a scheduler that cannot be copied raises.
    """

    def __init__(
        self,
        schedulers: Sequence[Any],
        optimizers: Sequence[torch.optim.Optimizer],
        keep: Iterable[object] = (),
    ) -> None:
        memo: dict[int, Any] = {id(kept): kept for kept in keep}
        self._stand_ins = [_replica(optimizer) for optimizer in optimizers]
        memo.update({id(real): dummy for real, dummy in zip(optimizers, self._stand_ins, strict=True)})
        for wrapper in _optimizer_of(schedulers):
            if id(unwrapped(wrapper)) in memo:
                memo[id(wrapper)] = memo[id(unwrapped(wrapper))]
        self._schedulers = [copy.deepcopy(scheduler, memo) for scheduler in schedulers]

    def rates(self) -> list[float]:
        """Return the rate of every group, in flat order."""
        return [plain(group["lr"]) for dummy in self._stand_ins for group in dummy.param_groups]

    def advance(self, count: int = 1) -> None:
        """That many steps of every scheduler; in one leap where its rate is a function of its count."""
        if count > 1 and all(_leaps(scheduler) for scheduler in self._schedulers):
            for scheduler in self._schedulers:
                _leap(scheduler, count)
            return
        for _ in range(count):
            for scheduler in self._schedulers:
                scheduler.step()


def _optimizer_of(schedulers: Iterable[Any]) -> Iterator[Any]:
    """Yield what schedulers call their optimizer: it may be a wrapper around the one that is watched."""
    for scheduler in schedulers:
        if hasattr(scheduler, "optimizer"):
            yield scheduler.optimizer
        yield from _optimizer_of(getattr(scheduler, "_schedulers", ()))


def _leaps(scheduler: Any) -> bool:
    return type(scheduler) in _BY_COUNT or hasattr(scheduler, "_get_closed_form_lr")


def _leap(scheduler: Any, count: int) -> None:
    if type(scheduler) in _BY_COUNT:
        scheduler.last_epoch += count - 1
        scheduler.step()
        return
    scheduler.last_epoch += count
    for group, rate in zip(scheduler.optimizer.param_groups, scheduler._get_closed_form_lr(), strict=True):  # noqa: SLF001 - torch's own
        set_value(group, "lr", plain(rate))


def _replica(optimizer: torch.optim.Optimizer) -> torch.optim.Optimizer:
    dummy = torch.optim.SGD([torch.zeros(1)], lr=0.0)
    dummy.param_groups = [
        {**{key: _own(value) for key, value in group.items() if key != "params"}, "params": [torch.zeros(1)]}
        for group in optimizer.param_groups
    ]
    dummy.defaults = {key: _own(value) for key, value in optimizer.defaults.items()}

    def step() -> None:  # a scheduler that finds this asks no question about the order of calls
        return None

    step._wrapped_by_lr_sched = True  # type: ignore[attr-defined]  # noqa: SLF001 - torch's own
    dummy.step = step  # type: ignore[assignment, method-assign]
    dummy._opt_called = True  # type: ignore[attr-defined]  # noqa: SLF001 - torch's own
    return dummy


def _own(value: Any) -> Any:
    return value.detach().cpu().clone() if isinstance(value, torch.Tensor) else copy.copy(value)
