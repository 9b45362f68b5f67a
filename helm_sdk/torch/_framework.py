"""What a framework's loop has in common with a loop of one's own: shared by the callbacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import torch

from helm_sdk._run.run import current_run
from helm_sdk.models import Applied, Capability, CommandContext
from helm_sdk.torch import _start
from helm_sdk.torch._controls.base import capability
from helm_sdk.torch._controls.registry import CONTROLS
from helm_sdk.torch.trainer import Trainer

OWN = ("checkpoint", "eval")  # what the framework does itself when asked


class Tally:
    """What the micro-batches of one training step took in; their losses stay on their device."""

    def __init__(self) -> None:
        self._losses: list[torch.Tensor] = []
        self._samples = 0
        self._tokens = 0
        self._summed = False

    def add(self, loss: Any, batch: Any, *, summed: bool = False) -> None:
        """One micro-batch. summed: the framework adds a step's losses up, it takes no mean."""
        if isinstance(loss, torch.Tensor):
            self._losses.append(loss.detach().reshape(-1).mean())
            self._summed = summed
        samples, tokens = sizes(batch)
        self._samples += samples
        self._tokens += tokens

    def pop(self) -> dict[str, Any]:
        """Return the arguments of `tr.step` for the step that ends."""
        losses, summed = self._losses, self._summed
        loss = None if not losses else losses[0] if len(losses) == 1 else torch.stack(losses).sum()
        if loss is not None and len(losses) > 1 and not summed:
            loss = loss / len(losses)
        found = {"loss": loss, "samples": self._samples or None, "tokens": self._tokens or None}
        self._losses, self._samples, self._tokens = [], 0, 0
        return found


def sizes(batch: Any) -> tuple[int, int]:
    """(samples, tokens) of a batch: the first dimension, and how many input_ids; 0 where it does not say."""
    if isinstance(batch, Mapping):
        ids = batch.get("input_ids")
        if isinstance(ids, torch.Tensor):
            return (int(ids.shape[0]) if ids.dim() else 0), ids.numel()
        return next((size for one in batch.values() if (size := sizes(one)[0])), 0), 0
    if isinstance(batch, torch.Tensor):
        return (int(batch.shape[0]) if batch.dim() else 0), 0
    if isinstance(batch, Sequence) and not isinstance(batch, str | bytes):
        return next((size for one in batch if (size := sizes(one)[0])), 0), 0
    return 0, 0


class Attachment:
    """A trainer in a framework's loop, from the start of training to its end."""

    def __init__(
        self,
        project: str | None,
        controls: Sequence[str] | None,
        trainer: Trainer | None,
        init: dict[str, Any],
    ) -> None:
        self._project = project
        self._controls = CONTROLS if controls is None else tuple(controls)
        self._given = trainer
        self._ends = False
        self._init = init
        self._open: AbstractContextManager[None] | None = None
        self.trainer: Trainer | None = trainer
        self.tally = Tally()
        self.asked: set[str] = set()  # what somebody asked the framework to do at the end of this step

    def begin(self, config: Any, step: int) -> Trainer:
        """Open the run, unless the script did; `step` is the last one that ran before."""
        if self._given is None:
            # A run that the script opened is the script's to name and to end.
            self._ends = current_run() is None
            more = {"config": config, **self._init} if self._ends else {}
            self.trainer = _start.init(self._project if self._ends else None, **more)
        trainer = self.trainer
        assert trainer is not None
        trainer.begin_after(step)
        return trainer

    def watch(self, model: torch.nn.Module, optimizers: Sequence[Any], **more: Any) -> None:
        """Watch what the framework made; what it does itself is declared by `own`."""
        assert self.trainer is not None
        names = [name for name in self._controls if name not in OWN]
        self.trainer.watch(model, *optimizers, controls=names, **more)

    def own(
        self, name: str, button: str, help: str, act: Callable[[int | None], Any], why_not: str = ""
    ) -> None:
        """Declare a control that the framework serves, if it is wanted. act(step) -> the command's result."""
        if self.trainer is None or name not in self._controls:
            return

        def handler(value: Any, context: CommandContext) -> Applied:
            return Applied(result=act(context.step))

        declared: Capability = capability(name, button=button, help=help)
        self.trainer.coordination.declare(declared, handler, why_not)

    def request(self, name: str, result: str) -> Callable[[int | None], Any]:
        """Return a function that asks the framework to do something at the end of the step."""

        def act(step: int | None) -> str:
            self.asked.add(name)
            return result

        return act

    def enter(self, span: str) -> None:
        """The framework begins what is no training."""
        self.leave()
        if self.trainer is not None:
            self._open = self.trainer.outside(span)
            self._open.__enter__()

    def leave(self) -> None:
        """It has ended."""
        if self._open is not None:
            opened, self._open = self._open, None
            opened.__exit__(None, None, None)

    def saved(self, path: Path, step: int | None) -> None:
        """Tell, once for all ranks, that the framework has written a checkpoint."""
        if self.trainer is not None and self.trainer.coordination.rank == 0 and path.exists():
            files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
            size = sum(one.stat().st_size for one in files)
            body = {"name": path.name, "bytes": size, "path": str(path), "pinned": False}
            self.trainer.run.trainer_port.event("checkpoint", step, body)

    def finish(self, outcome: str = "finished", message: str = "") -> None:
        """Let go of the loop; a run that the script opened stays open."""
        self.leave()
        trainer = self.trainer
        if trainer is None:
            return
        trainer.release()
        if self._ends:
            trainer.run.finish(outcome, message)
