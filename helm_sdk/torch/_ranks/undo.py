"""The way back from a change that not every rank could make."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch.nn.modules.dropout import _DropoutNd

from helm_sdk._controls.tunables import Tunable
from helm_sdk.torch._schedules.groups import plain, put

if TYPE_CHECKING:
    from helm_sdk.torch._watched_loop import WatchedLoop


def remember(watched: WatchedLoop | None, handler: Any) -> Callable[[], None]:
    """Note what the trainer's controls and this handler's tunable hold; the function puts it back."""
    backs = (
        [] if watched is None else [_rates(watched), _groups(watched), _clipping(watched), _model(watched)]
    )
    target = getattr(handler, "__self__", None)
    if isinstance(target, Tunable):
        backs.append(_value(target))

    def back() -> None:
        for one in backs:
            one()

    return back


def _value(tunable: Tunable[Any]) -> Callable[[], None]:
    held = tunable.value

    def back() -> None:
        tunable.value = held

    return back


def _rates(watched: WatchedLoop) -> Callable[[], None]:
    rates, seen, gate = watched.rates, watched.read_back, watched.gate
    courses, pending, expected = list(rates.courses), list(rates._pending), list(seen._open)
    paused, stopped = gate.paused, gate.should_stop

    def back() -> None:
        rates.courses, rates._pending[:] = courses, pending
        seen._open.clear()
        seen._open.extend(expected)
        gate.paused, gate.should_stop = paused, stopped

    return back


def _groups(watched: WatchedLoop) -> Callable[[], None]:
    held = [
        (group.options, plain(group.options["weight_decay"]))
        for group in watched.rates.groups
        if "weight_decay" in group.options
    ]

    def back() -> None:
        for options, decay in held:
            if plain(options["weight_decay"]) != decay:
                put(options, "weight_decay", decay)

    return back


def _clipping(watched: WatchedLoop) -> Callable[[], None]:
    clipping = watched.clipping
    limit, was_set = clipping.limit, clipping._set

    def back() -> None:
        clipping.limit, clipping._set = limit, was_set

    return back


def _model(watched: WatchedLoop) -> Callable[[], None]:
    held = [(module, module.p) for module in watched.model.modules() if isinstance(module, _DropoutNd)]

    def back() -> None:
        for module, p in held:
            module.p = p

    return back
