"""Helm in a `transformers.Trainer`: `Trainer(..., callbacks=[HelmCallback("project")])`."""

from __future__ import annotations

import functools
import math
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import TrainerCallback

from helm_sdk.torch import _model_calls
from helm_sdk.torch._framework import Attachment
from helm_sdk.torch.trainer import Trainer

_KNOWN = {"loss", "grad_norm", "learning_rate", "epoch", "step", "num_input_tokens_seen", "total_flos"}


class HelmCallback(TrainerCallback):
    """The streams and the controls of a `transformers.Trainer`: pass it in `callbacks`.

    Steps are the Trainer's global steps, which begin at 1. The controls `checkpoint` and `eval` are carried
    out by the Trainer at the end of the step; `eval` needs an `eval_strategy`. Gradients are clipped to the
    limit of the control `grad_clip`, which begins as `max_grad_norm`.

    Args:
        project: As in `helm_sdk.torch.init`; the run's config is the TrainingArguments.
        controls: The names of the controls, as in `Trainer.watch`; None declares every one.
        trainer: A trainer of Helm that the script opened itself, and ends itself, in place of a new run.
        **init: Further arguments of `helm_sdk.torch.init`, such as `name`, `tags` or `on_nonfinite`.
    """

    def __init__(
        self,
        project: str | None = None,
        *,
        controls: Sequence[str] | None = None,
        trainer: Trainer | None = None,
        **init: Any,
    ) -> None:
        """Prepare a run whose config is the TrainingArguments.

        Args:
            project: As in `helm_sdk.torch.init`. None takes that function's default.
            controls: Names, as in `Trainer.watch`. None gives every one.
            trainer: A trainer that the script opened itself, and ends itself. None opens one.
            init: More arguments of `helm_sdk.torch.init`: name, tags, on_nonfinite and so on.
        """
        self._helm = Attachment(project, controls, trainer, init)
        self._owner: weakref.ref[Any] | None = None  # the Trainer whose callback this is
        self._model: torch.nn.Module | None = None  # while its calls are seen
        self._accelerator: Any = None  # while its clipping goes through ours
        self._measured = False  # whether the Trainer has measured the gradients of this step
        self._saw_loss = False
        _see_endings()

    @property
    def trainer(self) -> Trainer | None:
        """Helm's trainer; None before the training begins."""
        return self._helm.trainer

    def on_train_begin(self, args: Any, state: Any, control: Any, **parts: Any) -> None:
        """Open the run and watch what the Trainer has made."""
        self._give_back()  # a Trainer that looks for a batch size begins more than once
        helm, model = self._helm, parts["model"]
        trainer = helm.begin(args.to_dict(), state.global_step)
        optimizer = parts["optimizer"]
        helm.watch(
            model,
            [optimizer],
            scheduler=parts["lr_scheduler"],
            scaler=getattr(optimizer, "scaler", None),
        )
        self._saw_loss = False
        self._model = model
        _model_calls.watch(model, self._after_forward)
        self._own_clipping(args, trainer)
        why = (
            ""
            if str(getattr(args.eval_strategy, "value", args.eval_strategy)) != "no"
            else ("the Trainer has no eval_strategy")
        )
        message = "the Trainer does it at the end of this step"
        helm.own("eval", "Run", "Evaluates at the end of this step.", helm.request("eval", message), why)
        text = "Saves the Trainer's own checkpoint, from which it can resume."
        helm.own("checkpoint", "Save now", text, helm.request("checkpoint", message))
        trainer.plan(step=state.max_steps)

    def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **parts: Any) -> None:
        """Measure the gradients where the Trainer has not done so through its accelerator."""
        trainer = self.trainer
        if trainer is not None and trainer.watched is not None and not self._measured:
            trainer.watched.clipping.measure(trainer.watched.parameters)
        self._measured = False

    def on_step_end(self, args: Any, state: Any, control: Any, **parts: Any) -> Any:
        """Log a training step, and pass on what was requested."""
        helm, trainer = self._helm, self.trainer
        if trainer is None:
            return control
        trainer.step(state.global_step, **helm.tally.pop())
        if trainer.should_stop:
            control.should_training_stop = True
        control.should_evaluate = control.should_evaluate or "eval" in helm.asked
        control.should_save = control.should_save or "checkpoint" in helm.asked
        helm.asked.clear()
        if control.should_evaluate or control.should_save:
            helm.enter("eval" if control.should_evaluate else "checkpoint")
        return control

    def on_evaluate(self, args: Any, state: Any, control: Any, **parts: Any) -> None:
        """The evaluation is over; a checkpoint may follow."""
        self._helm.leave()
        if control.should_save:
            self._helm.enter("checkpoint")

    def on_save(self, args: Any, state: Any, control: Any, **parts: Any) -> None:
        """The Trainer has written its checkpoint."""
        self._helm.leave()
        self._helm.saved(Path(args.output_dir) / f"checkpoint-{state.global_step}", state.global_step)

    def on_step_begin(self, args: Any, state: Any, control: Any, **parts: Any) -> None:
        """Training goes on."""
        self._helm.leave()

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **parts: Any) -> None:
        """What the Trainer logs beside what is seen at each step; an evaluation's go under eval/."""
        trainer = self.trainer
        if trainer is None or not logs:
            return
        values, summary = {}, {}
        for name, value in logs.items():
            if name.startswith("eval_"):
                values[f"eval/{name[5:]}"] = value
            elif name.startswith("train_"):
                summary[name] = value
            elif name not in _KNOWN:
                values[name] = value
        if not self._saw_loss and "loss" in logs:  # a loss that the model itself did not return
            values["train/loss"] = logs["loss"]
        if values:
            trainer.log(values, step=state.global_step)
        if summary:
            trainer.run.summary(summary)

    def on_train_end(self, args: Any, state: Any, control: Any, **parts: Any) -> None:
        """Leave everything as it was found and end the run."""
        self._give_back()
        self._helm.finish()

    def on_exception(self, error: BaseException) -> None:
        """Leave everything as it was found and end the run: training broke off.

        The Trainer itself has no such event: `train` of its class reports it.
        """
        self._give_back()
        interrupted = isinstance(error, KeyboardInterrupt)
        message = "" if interrupted else f"{type(error).__name__}: {error}"
        self._helm.finish("interrupted" if interrupted else "failed", message)

    def _give_back(self) -> None:
        if self._model is not None:
            _model_calls.unwatch(self._model)
            self._model = None
        if self._accelerator is not None:
            vars(self._accelerator).pop("clip_grad_norm_", None)
            self._accelerator = None

    def _own_clipping(self, args: Any, trainer: Trainer) -> None:
        """Let the Trainer clip to the limit of the control; its arguments stay as they are."""
        owner = self._owner() if self._owner is not None else None
        accelerator = getattr(owner, "accelerator", None)
        watched = trainer.watched
        if watched is None:
            return
        watched.clips_at(args.max_grad_norm if args.max_grad_norm and args.max_grad_norm > 0 else None)
        if accelerator is None or args.deepspeed or "clip_grad_norm_" in vars(accelerator):
            who = (
                "DeepSpeed clips by its own configuration"
                if args.deepspeed
                else "the Trainer cannot be reached"
            )
            trainer.coordination.set_unavailable("grad_clip", who)
            return
        clip = accelerator.clip_grad_norm_

        @functools.wraps(clip)
        def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2) -> Any:
            norm = clip(parameters, watched.clipping.follow() or math.inf, norm_type)
            if isinstance(norm, torch.Tensor) and norm_type == 2:
                watched.clipping.norm, self._measured = norm, True
                if watched.skipping is not None:
                    watched.skipping.measured(norm)
            return norm

        accelerator.clip_grad_norm_ = clip_grad_norm_
        self._accelerator = accelerator

    def _after_forward(self, model: torch.nn.Module, args: Any, kwargs: Any, output: Any) -> None:
        if not model.training or not torch.is_grad_enabled():
            return
        loss = output.get("loss") if isinstance(output, dict) else getattr(output, "loss", None)
        if loss is None and isinstance(output, tuple) and output and isinstance(output[0], torch.Tensor):
            loss = output[0] if output[0].dim() == 0 else None
        self._saw_loss = self._saw_loss or loss is not None
        self._helm.tally.add(loss, kwargs, summed=kwargs.get("num_items_in_batch") is not None)


def _see_endings() -> None:
    """Let every Trainer report to its Helm callbacks how `train` ends, once for the class."""
    train = transformers.Trainer.train
    if hasattr(train, "__helm__"):
        return

    @functools.wraps(train)
    def reported(self: Any, *args: Any, **kwargs: Any) -> Any:
        for callback in _callbacks_of(self):
            callback._owner = weakref.ref(self)  # noqa: SLF001 - our own class
        try:
            return train(self, *args, **kwargs)
        except BaseException as error:
            for callback in _callbacks_of(self):
                callback.on_exception(error)
            raise

    reported.__helm__ = True  # type: ignore[attr-defined]
    transformers.Trainer.train = reported


def _callbacks_of(trainer: Any) -> list[HelmCallback]:
    handler = getattr(trainer, "callback_handler", None)
    return [one for one in getattr(handler, "callbacks", ()) if isinstance(one, HelmCallback)]
