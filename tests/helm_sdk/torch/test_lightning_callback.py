"""A real Lightning Trainer on a tiny module: its streams, and every control effective in it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from helm_sdk.torch import Trainer as HelmTrainer
from helpers.steering import Line

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of what it imports
    lightning = pytest.importorskip("lightning.pytorch", reason="lightning is not installed")

from lightning.pytorch import Callback, LightningModule

from helm_sdk.torch.lightning import HelmCallback

Sent = dict[int, Sequence[tuple[str, Any]]]
STEPS = 10
pytestmark = pytest.mark.filterwarnings(
    "ignore::UserWarning", "ignore::DeprecationWarning", "ignore::FutureWarning"
)


class Module(LightningModule):
    """Two layers with dropout, a schedule by the step, a score in validation."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(4, 8), torch.nn.Dropout(0.5), torch.nn.ReLU(), torch.nn.Linear(8, 1)
        )
        self.norms: list[float] = []

    def training_step(self, batch: Any, place: int) -> Any:
        loss = self.layers(batch[0]).square().mean() * 50
        self.log("accuracy", 0.5)
        return loss

    def validation_step(self, batch: Any, place: int) -> None:
        self.log("val_loss", self.layers(batch[0]).square().mean())

    def configure_optimizers(self) -> Any:
        optimizer = torch.optim.AdamW(self.parameters(), lr=1e-2, weight_decay=0.1)
        schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=STEPS)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}

    def optimizer_step(self, *args: Any, **more: Any) -> None:
        super().optimizer_step(*args, **more)
        gradients = [one.grad for one in self.parameters() if one.grad is not None]
        self.norms.append(float(torch.nn.utils.get_total_norm(gradients)))


class Person(Callback):
    """Sends commands after given batches, before Helm's callback is asked."""

    def __init__(self, line: Line, sent: Sent) -> None:
        self.line, self.sent = line, sent
        self.ids: dict[str, str] = {}

    def on_train_batch_end(self, trainer: Any, *rest: Any) -> None:
        for name, value in self.sent.get(trainer.global_step, ()):
            self.ids[name] = self.line.send(name, value)


def loader() -> Any:
    data = torch.randn(80, 4, generator=torch.Generator().manual_seed(1))
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(data), batch_size=8)


def fit(
    folder: Path, line: Line, helm: HelmCallback | None, sent: Sent, **settings: Any
) -> tuple[Any, Module, Person]:
    """Train for STEPS batches; the Trainer, the module and who sent."""
    torch.manual_seed(0)
    module, person = Module(), Person(line, sent)
    trainer = lightning.Trainer(
        default_root_dir=folder,
        max_steps=STEPS,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
        log_every_n_steps=5,
        callbacks=[person, helm] if helm is not None else [],
        **{"check_val_every_n_epoch": 100, **settings},
    )
    trainer.fit(module, loader(), loader())
    line.settle()
    return trainer, module, person


@pytest.fixture
def helm(trainer: HelmTrainer) -> HelmCallback:
    return HelmCallback(trainer=trainer)


def test_that_a_run_of_the_trainer_has_the_core_streams(
    tmp_path: Path, line: Line, helm: HelmCallback
) -> None:
    fit(tmp_path, line, helm, {}, accumulate_grad_batches=2, max_epochs=2, gradient_clip_val=1.0)

    points = line.points
    assert [step for step, _ in points["train/loss"]] == list(range(1, STEPS + 1))
    assert {"optim/grad_norm", "optim/weight_decay/group0", "perf/samples_per_s"} <= set(points)
    assert [value for _, value in points["optim/lr/group0"]] == pytest.approx(
        [1e-2 * (1 - 0.09 * step) for step in range(STEPS)], rel=1e-9
    )
    assert points["accuracy"][0][1] == 0.5
    assert line.catalogues["plan"].body["step"] == STEPS


def test_that_every_control_is_effective(tmp_path: Path, line: Line, helm: HelmCallback) -> None:
    sent: Sent = {
        1: [("lr", {"scale": 0.5})],
        2: [("weight_decay", {"value": 0.3})],
        3: [("grad_clip", {"max_norm": 0.01})],
        4: [("dropout", {"p": 0.25}), ("pause", None), ("resume", None)],
        6: [("checkpoint", None)],
        7: [("eval", None)],
        9: [("stop", None)],
    }
    trainer, module, person = fit(tmp_path, line, helm, sent)

    records = {name: line.record(command) for name, command in person.ids.items()}
    for name, record in records.items():
        assert record.applied is not None, (name, record.message)
    assert dict(line.points["optim/lr/group0"])[2] == pytest.approx(0.5 * 1e-2 * 0.91, rel=1e-9)
    assert dict(line.points["optim/weight_decay/group0"])[3] == pytest.approx(0.3)
    assert module.norms[2] > 0.02
    assert module.norms[3:5] == pytest.approx([0.01, 0.01], rel=1e-3)
    assert dict(line.points["optim/grad_norm"])[5] > 0.02  # as it was before clipping
    assert records["grad_clip"].confirmed is not None
    assert records["grad_clip"].confirmed.body.ran_at == 0.01
    assert module.layers[1].p == 0.25
    assert [event for event in line.events if event.body.get("name") == "pause"]
    (saved,) = [event for event in line.events if event.kind == "checkpoint"]
    kept = torch.load(saved.body["path"], weights_only=False)
    assert kept["global_step"] == saved.step
    assert len(line.points["val_loss"]) == 1
    assert trainer.check_val_every_n_epoch == 100
    assert trainer.global_step < STEPS + 1


def test_that_stop_ends_training(tmp_path: Path, line: Line, helm: HelmCallback) -> None:
    trainer, _, _ = fit(tmp_path, line, helm, {3: [("stop", None)]})

    assert trainer.global_step == 3


def test_that_bad_gradients_are_skipped_behind_a_closure(tmp_path: Path, line: Line) -> None:
    line.settle()
    line.events.clear()
    made = HelmTrainer(line.run, on_nonfinite="skip")

    class Poison(Callback):
        def on_after_backward(self, trainer: Any, module: Any) -> None:
            if trainer.global_step == 4:
                module.layers[0].weight.grad.fill_(float("nan"))

    class Both(HelmCallback):
        def on_after_backward(self, trainer: Any, module: Any) -> None:
            Poison().on_after_backward(trainer, module)

    trainer, module, _ = fit(tmp_path, line, Both(trainer=made), {})
    made.release()

    assert all(weight.isfinite().all() for weight in module.parameters())
    assert trainer.lr_scheduler_configs[0].scheduler.last_epoch == STEPS - 1
    (told,) = [event for event in line.events if event.body.get("what") == "skipped"]
    assert told.step == 5


def test_that_the_weights_are_those_without_helm(tmp_path: Path, line: Line, helm: HelmCallback) -> None:
    _, watched, _ = fit(tmp_path, line, helm, {}, gradient_clip_val=0.1)
    _, alone, _ = fit(tmp_path, line, None, {}, gradient_clip_val=0.1)
    for one, other in zip(watched.parameters(), alone.parameters(), strict=True):
        assert torch.equal(one, other)
