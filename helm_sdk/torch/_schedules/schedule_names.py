"""What people call a scheduler."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

from helm_sdk.torch._wrappers import unwrapped

_NAMES = {
    "CosineAnnealingLR": "cosine",
    "CosineAnnealingWarmRestarts": "cosine with restarts",
    "ReduceLROnPlateau": "on plateau",
    "OneCycleLR": "one cycle",
    "StepLR": "in steps",
    "MultiStepLR": "in steps",
    "WSDScheduler": "WSD",
}
_ASIDE = re.compile(r"^_*(get|make|create)_|_?(lr|learning_rate|schedule|scheduler|lambda)(?=_|$)")


def schedule_names(schedulers: Sequence[Any], optimizers: Sequence[Any]) -> list[str]:
    """For each optimizer the schedulers that set its rates; empty where none does."""
    return [
        ", ".join(name_of(own) for own in schedulers if _sets(own, optimizer)) for optimizer in optimizers
    ]


def name_of(scheduler: Any) -> str:
    """ "cosine", "linear, then cosine", "linear × exponential", "cosine with warmup", or the class's name."""
    kind = type(scheduler).__name__
    parts = getattr(scheduler, "_schedulers", None)
    if isinstance(parts, list | tuple) and parts:
        return (", then " if kind == "SequentialLR" else " × ").join(map(name_of, parts))
    if kind in _NAMES:
        return _NAMES[kind]
    functions = getattr(scheduler, "lr_lambdas", None)
    if isinstance(functions, list | tuple) and functions:
        return _name_of_function(functions[0])
    known = type(scheduler).__module__ == "torch.optim.lr_scheduler"
    return kind.removesuffix("LR").lower() if known else kind


def _name_of_function(function: Callable[..., Any]) -> str:
    """Return what stands in its name beside the usual words: `_get_cosine_schedule_with_warmup_lr_lambda`."""
    while isinstance(function, functools.partial):
        function = function.func
    name = str(getattr(function, "__name__", ""))
    words = _ASIDE.sub("", _ASIDE.sub("", name)).strip("_").replace("_", " ")
    return words if words.isascii() and words.replace(" ", "").isalnum() else "by a function"


def _sets(scheduler: Any, optimizer: Any) -> bool:
    own = getattr(scheduler, "optimizers", None)
    held = own if isinstance(own, list | tuple) else [getattr(scheduler, "optimizer", None)]
    return any(unwrapped(one) is optimizer for one in held)
