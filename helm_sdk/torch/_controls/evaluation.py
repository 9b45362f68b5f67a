"""eval: the script's own evaluation, run on request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch

from helm_sdk._shared.scalars import PendingScalar, number
from helm_sdk.models import Applied, CommandContext
from helm_sdk.torch._checkpoints import rng
from helm_sdk.torch._controls.base import ControlParts, Declaration, TrainerControl, capability


class EvalControl(TrainerControl):
    """Runs `eval_fn` in evaluation mode, logs what it returns; the training stays as it was."""

    by_default = False  # declared exactly when there is an `eval_fn`
    reversible = False

    def __init__(self, parts: ControlParts) -> None:
        self._model = parts.model
        self._eval_fn = parts.eval_fn or dict
        self._log = parts.log
        self._outside = parts.outside

    def declare(self) -> Declaration:
        """No input: a button."""
        text = "Runs the script's eval_fn now and logs what it returns under eval/."
        return Declaration(capability("eval", button="Run", help=text))

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Evaluate, log, and return the numbers."""
        with self._outside("eval"), evaluation_mode(self._model), rng.preserved():
            found = numbers_of(self._eval_fn())
        self._log({f"eval/{name}": score for name, score in found.items()}, context.step)
        return Applied(result=found)


@contextmanager
def evaluation_mode(model: torch.nn.Module) -> Iterator[None]:
    """Every module in evaluation mode; each gets its own mode back, also after an error."""
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        yield
    finally:
        for module in training:
            module.training = True


def numbers_of(result: Any) -> dict[str, float]:
    """Return the scores of an evaluation by name; a single number is called "value"."""
    if not isinstance(result, Mapping):
        result = {} if result is None else {"value": result}
    found = {}
    for name, value in result.items():
        got = number(value)
        if got is None:
            raise TypeError(f"eval_fn returned {name!r} as {type(value).__name__}, it must be a number")
        found[str(name)] = got.read() if isinstance(got, PendingScalar) else got
    return found
