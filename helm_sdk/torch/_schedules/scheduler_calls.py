"""Calls of `scheduler.step` and `scheduler.get_last_lr`, seen by whoever steers the optimizer's rates.

The methods are replaced on the schedulers' classes while at least one optimizer is steered. No scheduler
object and no optimizer carries anything of it, so that a copy, a pickle and a `state_dict` are as they would
be without Helm. A scheduler whose optimizer is not registered here is passed through.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import torch

from helm_sdk.torch._wrappers import unwrapped

_NAMES = ("step", "get_last_lr")


class SteeredRates(Protocol):
    """What is told of the calls of a scheduler."""

    def before_scheduler(self, scheduler: Any) -> bool:
        """Put the schedule's own rates back; False where the scheduler must not step."""
        ...

    def after_scheduler(self, scheduler: Any) -> None:
        """Put the steered rates in again."""
        ...

    def next_rates(self, optimizers: Sequence[torch.optim.Optimizer], own: list[Any]) -> list[Any]:
        """Return the rates that the next step of the optimizers uses, given what the scheduler reports."""
        ...


_registered: weakref.WeakKeyDictionary[Any, weakref.ref[Any]] = weakref.WeakKeyDictionary()
_replaced: dict[tuple[type, str], Any] = {}  # (class, method name) -> the method that the class had


def register(
    optimizers: Iterable[torch.optim.Optimizer], schedulers: Iterable[Any], rates: SteeredRates
) -> None:
    """Report the calls of every scheduler of these optimizers to `rates` (held weakly)."""
    classes = [one for one in vars(torch.optim.lr_scheduler).values() if isinstance(one, type)]
    classes += [type(scheduler) for scheduler in _with_parts(schedulers)]
    for one in classes:
        for name in _NAMES:
            _replace(one, name)
    for optimizer in optimizers:
        _registered[optimizer] = weakref.ref(rates)


def unregister(optimizers: Iterable[torch.optim.Optimizer], rates: SteeredRates) -> None:
    """Undo `register`; the classes get their own methods back when no optimizer is left."""
    for optimizer in optimizers:
        held = _registered.get(optimizer)
        if held is not None and held() in (rates, None):
            del _registered[optimizer]
    if any(held() is not None for held in _registered.values()):
        return
    for (owner, name), method in _replaced.items():
        if getattr(vars(owner).get(name), "__wrapped__", None) is method:
            setattr(owner, name, method)
    _replaced.clear()


def original_step(scheduler: Any) -> Callable[..., None]:
    """Return the scheduler's own `step`, without what is registered here."""
    method: Any = type(scheduler).step
    own = getattr(method, "__wrapped__", None)
    replaced = any(name == "step" and one is own for (_, name), one in _replaced.items())
    return functools.partial(own if own is not None and replaced else method, scheduler)


def optimizers_of(scheduler: Any) -> list[Any]:
    """The optimizers that a scheduler sets, out of the wrappers of frameworks."""
    held = getattr(scheduler, "optimizers", None) or [getattr(scheduler, "optimizer", None)]
    return [unwrapped(one) for one in held if one is not None]


def _with_parts(schedulers: Iterable[Any]) -> Iterable[Any]:
    for scheduler in schedulers:
        yield scheduler
        yield from _with_parts(getattr(scheduler, "_schedulers", ()))


def _replace(one: type, name: str) -> None:
    """Replace the method in the class that defines it."""
    owner = next((base for base in one.__mro__ if name in vars(base)), None)
    if owner is None or (owner, name) in _replaced:
        return
    method = vars(owner)[name]
    if not callable(method):
        return
    made = _reported_step(method) if name == "step" else _reported_rates(method)
    try:
        setattr(owner, name, made)
    except (AttributeError, TypeError):
        return  # a class that cannot be changed: its rates stay the schedule's own between steps
    _replaced[owner, name] = method


def _rates_of(scheduler: Any) -> list[Any]:
    """Whoever steers an optimizer of this scheduler."""
    if not _registered:
        return []
    found = []
    for optimizer in optimizers_of(scheduler):
        try:
            held = _registered.get(optimizer)
        except TypeError:  # it cannot be held weakly: never registered
            continue
        rates = held() if held is not None else None
        if rates is not None and rates not in found:
            found.append(rates)
    return found


def _reported_step(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def step(self: Any, *args: Any, **kwargs: Any) -> Any:
        steered = _rates_of(self)
        if not steered:
            return method(self, *args, **kwargs)
        may_step = [rates.before_scheduler(self) for rates in steered]
        try:
            return method(self, *args, **kwargs) if all(may_step) else None
        finally:
            for rates in steered:
                rates.after_scheduler(self)

    return _outside_of_graphs(step)


def _reported_rates(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def get_last_lr(self: Any) -> Any:
        own = method(self)
        steered = _rates_of(self)
        return steered[0].next_rates(optimizers_of(self), own) if len(steered) == 1 else own

    return _outside_of_graphs(get_last_lr)


def _outside_of_graphs(method: Callable[..., Any]) -> Callable[..., Any]:
    """`torch.compile` breaks its graph here and runs the method as Python, as the rates need it."""
    disabled: Callable[..., Any] = torch.compiler.disable(method)
    disabled.__wrapped__ = method.__wrapped__  # type: ignore[attr-defined]
    return disabled
