"""Helm in a Lightning Trainer: `Trainer(..., callbacks=[HelmCallback("project")])`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from lightning.pytorch.callbacks import Callback

from helm_sdk.torch._framework import Attachment
from helm_sdk.torch.trainer import Trainer


class HelmCallback(Callback):
    """The streams and the controls of a Lightning `Trainer`: pass it in `callbacks`.

    A step is a batch after which the optimizers stepped; the first is 1. The control `grad_clip` sets the
    Trainer's `gradient_clip_val`. `checkpoint` saves a file of Lightning's own under the run's
    `checkpoints/`. `eval` runs the validation loop after the current batch.

    Args:
        project: As in `helm_sdk.torch.init`; the run's config is the module's hyperparameters.
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
        """Prepare a run whose config is the module's hyperparameters.

        Args:
            project: As in `helm_sdk.torch.init`. None takes that function's default.
            controls: Names, as in `Trainer.watch`. None gives every one.
            trainer: A trainer that the script opened itself, and ends itself. None opens one.
            init: More arguments of `helm_sdk.torch.init`: name, tags, on_nonfinite and so on.
        """
        self._helm = Attachment(project, controls, trainer, init)
        self._seen = 0  # optimizer steps
        self._clips = False  # whether the Trainer clips to our limit
        self._validation: tuple[Any, ...] | None = None  # when the Trainer would have validated by itself
        self._scores: set[str] = set()  # metrics that validation logs
        self._before: set[str] = set()

    @property
    def trainer(self) -> Trainer | None:
        """Helm's trainer; None before the training begins."""
        return self._helm.trainer

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        """Open the run and watch what the Trainer has made."""
        helm = self._helm
        self._seen = trainer.global_step
        made = helm.begin(dict(getattr(pl_module, "hparams", {})), trainer.global_step)
        helm.watch(
            pl_module,
            trainer.optimizers,
            scheduler=[config.scheduler for config in trainer.lr_scheduler_configs],
            scaler=getattr(trainer.precision_plugin, "scaler", None),
        )
        self._own_clipping(trainer, pl_module, made)
        why = "" if trainer.enable_validation else "the Trainer has no validation"
        message = "the validation loop runs after this batch"
        helm.own(
            "eval", "Run", "Runs the validation loop after this batch.", helm.request("eval", message), why
        )
        text = "Saves a checkpoint of Lightning's own, from which fit(ckpt_path=…) resumes."
        helm.own("checkpoint", "Save now", text, lambda step: self._save(trainer, step))
        steps = trainer.estimated_stepping_batches
        if math.isfinite(steps) and steps > 0:
            made.plan(step=int(steps))

    def on_before_optimizer_step(self, trainer: Any, pl_module: Any, optimizer: Any) -> None:
        """Measure the gradients; the Trainer clips them next."""
        made = self.trainer
        if made is None or made.watched is None:
            return
        watched = made.watched
        if not pl_module.automatic_optimization:
            made.clip_grad_norm_()
            return
        watched.clipping.measure(watched.parameters)
        if self._clips:
            trainer.gradient_clip_val = watched.clipping.follow() or None

    def on_train_batch_end(
        self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        """One training step where the optimizers stepped: log, and take what was asked."""
        helm, made = self._helm, self.trainer
        helm.tally.add(outputs.get("loss") if isinstance(outputs, dict) else outputs, batch)
        if made is None or trainer.global_step == self._seen:
            return
        self._seen = trainer.global_step
        made.step(metrics=self._metrics(trainer), **helm.tally.pop())
        if made.should_stop:
            trainer.should_stop = True
        if "eval" in helm.asked:
            helm.asked.clear()
            self._validation = (trainer.val_check_batch, trainer.check_val_every_n_epoch)
            trainer.val_check_batch, trainer.check_val_every_n_epoch = 1, None

    def on_train_batch_start(self, trainer: Any, pl_module: Any, batch: Any, batch_idx: int) -> None:
        """Training goes on."""
        self._as_planned(trainer)

    def on_validation_start(self, trainer: Any, pl_module: Any) -> None:
        """What follows is no training."""
        self._as_planned(trainer)
        if self.trainer is not None and not trainer.sanity_checking:
            self._before = set(trainer.callback_metrics) - self._scores
            self._helm.enter("eval")

    def on_validation_end(self, trainer: Any, pl_module: Any) -> None:
        """Log what the validation found, by the names that the module gave."""
        made = self.trainer
        if made is None or trainer.sanity_checking:
            return
        self._helm.leave()
        self._scores |= set(trainer.callback_metrics) - self._before
        found = {name: trainer.callback_metrics[name] for name in sorted(self._scores)}
        if found:
            made.log(found, step=made.run.step)

    def on_fit_end(self, trainer: Any, pl_module: Any) -> None:
        """Leave everything as it was found and end the run."""
        self._helm.finish()

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        """Training broke off."""
        interrupted = isinstance(exception, KeyboardInterrupt)
        message = "" if interrupted else f"{type(exception).__name__}: {exception}"
        self._helm.finish("interrupted" if interrupted else "failed", message)

    def _own_clipping(self, trainer: Any, pl_module: Any, made: Trainer) -> None:
        watched = made.watched
        if watched is None:
            return
        by_value = str(getattr(trainer.gradient_clip_algorithm, "value", None)) == "value"
        self._clips = not by_value and pl_module.automatic_optimization
        if by_value:
            made.coordination.set_unavailable("grad_clip", "the Trainer clips each value, not the norm")
        else:
            watched.clips_at(trainer.gradient_clip_val or None)

    def _save(self, trainer: Any, step: int | None) -> dict[str, Any]:
        made = self.trainer
        assert made is not None
        folder = made.run.folder
        assert folder is not None
        path = folder / "checkpoints" / f"step-{step or 0:06d}.ckpt"
        with made.outside("checkpoint"):
            trainer.save_checkpoint(path)
        self._helm.saved(path, step)
        return {"checkpoint": path.name, "path": str(path)}

    def _as_planned(self, trainer: Any) -> None:
        """Validate again when the Trainer was set up to."""
        if self._validation is not None:
            (trainer.val_check_batch, trainer.check_val_every_n_epoch), self._validation = (
                self._validation,
                None,
            )

    def _metrics(self, trainer: Any) -> dict[str, torch.Tensor]:
        """Return what the module itself logs in training, as often as the Trainer logs it."""
        if trainer.global_step % max(1, trainer.log_every_n_steps):
            return {}
        metrics = trainer.callback_metrics
        return {name: metrics[name] for name in metrics if name not in self._scores and name != "train/loss"}
