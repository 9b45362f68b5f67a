"""Optimizer steps that are left out: those whose gradients are not finite."""

from __future__ import annotations

import functools
import math
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from helm_sdk.torch._checkpoints.state import parameter_names
from helm_sdk.torch._steps.clipping import total_norm, values_of

Mark = tuple[Any, int]  # a gradient (weakly) and its version: another backward or a clipping changes it
UNSEEN: Mark = (lambda: None, -1)


class StepSkipping:
    """Stands before `optimizer.step`: with gradients that are not finite nothing of the step runs.

    One norm over all gradients of the model is read for each training step, however many optimizers: the
    loop waits for the device once. A norm that `clip_grad_norm_` has just measured is used again.
    """

    def __init__(self, model: torch.nn.Module, optimizers: Sequence[torch.optim.Optimizer]) -> None:
        self._model = model
        self._optimizers = tuple(optimizers)
        self._marks: dict[int, Mark | None] = {}
        self._verdict = ""  # what is wrong with the gradients that `_marks` are of
        self._undo: list[Callable[[], None]] = []
        self.skipped = ""  # why a step was left out, until it is taken

    def attach(self) -> None:
        """Stand before every optimizer."""
        for optimizer in self._optimizers:
            self._undo.append(_wrap(optimizer, self._may_step))

    def detach(self) -> None:
        """Leave the optimizers as they were found."""
        while self._undo:
            self._undo.pop()()

    def measured(self, norm: torch.Tensor) -> None:
        """The loop has measured the gradients as they are now: no need to do so again."""
        self._judge(norm)

    def pop_reason(self) -> str:
        """Return why a step of this training step was left out; empty where none was."""
        why, self.skipped = self.skipped, ""
        self._marks.clear()
        return why

    def _may_step(self, optimizer: torch.optim.Optimizer) -> bool:
        own = [parameter for group in optimizer.param_groups for parameter in group["params"]]
        if any(_changed(parameter, self._marks.get(id(parameter), UNSEEN)) for parameter in own):
            gradients = [one.grad for one in self._parameters() if one.grad is not None]
            self._judge(total_norm(gradients))
        if self._verdict:
            self.skipped = self._verdict
        return not self._verdict

    def _judge(self, norm: torch.Tensor) -> None:
        self._marks = {id(parameter): _mark(parameter) for parameter in self._parameters()}
        value = float(_whole(norm).item())
        self._verdict = "" if math.isfinite(value) else f"the gradients' norm is {value}{self._where()}"

    def _where(self) -> str:
        names = parameter_names(self._model, self._optimizers)  # also of what the model does not hold
        for parameter in self._parameters():
            gradient = parameter.grad
            if gradient is not None and not bool(_whole(torch.isfinite(values_of(gradient)).all())):
                return f", the first that is not finite is of {names[id(parameter)]}"
        return ""

    def _parameters(self) -> list[torch.Tensor]:
        """Every parameter as it is now: of the model, and what the optimizers hold besides."""
        return _all(self._model, self._optimizers)


def _all(model: torch.nn.Module, optimizers: Iterable[torch.optim.Optimizer]) -> list[torch.Tensor]:
    found = {id(parameter): parameter for parameter in model.parameters()}
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            found.update({id(parameter): parameter for parameter in group["params"]})
    return list(found.values())


def _whole(tensor: Any) -> torch.Tensor:
    """Return a sharded result as every rank has it."""
    whole: torch.Tensor = tensor.full_tensor() if hasattr(tensor, "full_tensor") else tensor
    return whole


def _mark(parameter: torch.Tensor) -> Mark | None:
    gradient = parameter.grad
    return None if gradient is None else (weakref.ref(gradient), gradient._version)  # noqa: SLF001 - torch's own


def _changed(parameter: torch.Tensor, mark: Mark | None) -> bool:
    """Return True when its gradient is another than the mark is of; an identity alone may be used anew."""
    gradient = parameter.grad
    if gradient is None or mark is None:
        return gradient is not None or mark is not None
    return mark[0]() is not gradient or mark[1] != gradient._version  # noqa: SLF001 - torch's own


def _wrap(optimizer: Any, may_step: Callable[[Any], bool]) -> Callable[[], None]:
    """Put `may_step` before this one object's `step`; returns how to take it away again.

    A step with a closure runs the closure first (its gradients are what counts), then itself on what the
    closure returned; LBFGS, which calls its closure again and again, is left alone.
    """
    own = optimizer.__dict__.get("step")
    inner = optimizer.step

    @functools.wraps(inner)
    def step(*args: Any, **kwargs: Any) -> Any:
        if torch.compiler.is_compiling():  # a graph that is traced has no branch of ours
            return inner(*args, **kwargs)
        closure = kwargs.get("closure", args[0] if args else None)
        if closure is None:
            return inner(*args, **kwargs) if may_step(optimizer) else None
        if isinstance(optimizer, torch.optim.LBFGS):
            return inner(*args, **kwargs)
        with torch.enable_grad():
            loss = closure()
        return inner(lambda: loss) if may_step(optimizer) else loss

    step._wrapped_by_lr_sched = True  # type: ignore[attr-defined]  # noqa: SLF001 - torch's own
    optimizer._opt_called = True  # a scheduler asks whether the optimizer has stepped: here it may have  # noqa: SLF001 - torch's own
    optimizer.step = step

    def undo() -> None:
        if optimizer.__dict__.get("step") is not step:
            return
        if own is None:
            del optimizer.step
        else:
            optimizer.step = own

    return undo
