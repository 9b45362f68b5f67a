"""A real transformers Trainer on a tiny GPT-2: its streams, and every control effective in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from helm_sdk.torch import Trainer as HelmTrainer
from helpers.steering import Line

transformers = pytest.importorskip("transformers", reason="transformers is not installed")

from transformers import TrainerCallback  # noqa: E402

from helm_sdk.torch.hf import HelmCallback  # noqa: E402

Sent = dict[int, Sequence[tuple[str, Any]]]
STEPS = 8


class Person(TrainerCallback):
    """Sends commands after given steps, before Helm's callback is asked; looks at each optimizer step."""

    def __init__(self, line: Line, sent: Sent) -> None:
        self.line, self.sent = line, sent
        self.ids: dict[str, str] = {}
        self.norms: list[float] = []

    def on_step_end(self, args: Any, state: Any, control: Any, **parts: Any) -> None:
        for name, value in self.sent.get(state.global_step, ()):
            self.ids[name] = self.line.send(name, value)


class Observer(TrainerCallback):
    """What the gradients are when Helm's callback has been asked."""

    def __init__(self) -> None:
        self.norms: list[float] = []

    def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **parts: Any) -> None:
        gradients = [one.grad for one in parts["model"].parameters() if one.grad is not None]
        self.norms.append(float(torch.nn.utils.get_total_norm(gradients)))


class Texts(torch.utils.data.Dataset[dict[str, torch.Tensor]]):
    """Random tokens, always the same."""

    def __len__(self) -> int:
        return 64

    def __getitem__(self, place: int) -> dict[str, torch.Tensor]:
        ids = torch.randint(0, 32, (8,), generator=torch.Generator().manual_seed(place))
        return {"input_ids": ids, "labels": ids}


def model() -> Any:
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=32, n_positions=8, n_embd=16, n_layer=1, n_head=2)
    return transformers.GPT2LMHeadModel(config)


def train(
    folder: Path, line: Line, helm: HelmCallback | None, sent: Sent, **settings: Any
) -> tuple[Any, Person, Observer]:
    """Train; the Trainer, who sent, and who looked."""
    arguments = transformers.TrainingArguments(
        output_dir=str(folder),
        max_steps=STEPS,
        per_device_train_batch_size=4,
        learning_rate=1e-2,
        weight_decay=0.1,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        save_strategy="no",
        logging_steps=100,
        dataloader_pin_memory=False,
        **settings,
    )
    person, observer = Person(line, sent), Observer()
    trainer = transformers.Trainer(
        model=model(),
        args=arguments,
        train_dataset=Texts(),
        eval_dataset=Texts(),
        callbacks=[person, helm, observer] if helm is not None else [],
    )
    trainer.train()
    line.settle()
    return trainer, person, observer


@pytest.fixture
def helm(trainer: HelmTrainer) -> HelmCallback:
    return HelmCallback(trainer=trainer)


def test_that_a_run_of_the_trainer_has_the_core_streams(
    tmp_path: Path, line: Line, helm: HelmCallback
) -> None:
    trainer, _, _ = train(
        tmp_path, line, helm, {}, gradient_accumulation_steps=2, logging_nan_inf_filter=False
    )

    points = line.points
    assert [step for step, _ in points["train/loss"]] == list(range(1, STEPS + 1))
    assert {"optim/grad_norm", "optim/lr/group0", "optim/weight_decay/group0", "perf/tokens_per_s"} <= set(
        points
    )
    (logged,) = [entry for entry in trainer.state.log_history if "train_loss" in entry]
    mean = sum(value for _, value in points["train/loss"]) / STEPS
    assert mean == pytest.approx(logged["train_loss"], rel=1e-4)
    rates = [value for _, value in points["optim/lr/group0"]]
    assert rates == pytest.approx([1e-2 * (STEPS - step) / STEPS for step in range(STEPS)], rel=1e-9)
    assert points["tokens"][-1] == (STEPS, STEPS * 2 * 4 * 8)
    plan = line.catalogues["plan"].body
    assert plan["step"] == STEPS
    assert [curve["stream"] for curve in plan["curves"]] == ["optim/lr/group0", "optim/lr/group1"]
    for step, rate in zip(plan["curves"][0]["steps"], plan["curves"][0]["values"], strict=True):
        assert rate == pytest.approx(1e-2 * (STEPS - step + 1) / STEPS, rel=1e-9)


def test_that_every_control_is_effective(tmp_path: Path, line: Line, helm: HelmCallback) -> None:
    sent: Sent = {
        1: [("lr", {"scale": 0.5})],
        2: [("weight_decay", {"value": 0.3})],
        3: [("grad_clip", {"max_norm": 0.01})],
        4: [("dropout", {"p": 0.25}), ("pause", None), ("resume", None)],
        5: [("checkpoint", None)],
        6: [("eval", None)],
        7: [("stop", None)],
    }
    # one command a step: those of step 4 are still being taken at 5, those of 5 at 6 and so on
    trainer, person, observer = train(
        tmp_path, line, helm, sent, eval_strategy="steps", eval_steps=1000, max_grad_norm=1.0
    )

    records = {name: line.record(command) for name, command in person.ids.items()}
    for name, record in records.items():
        assert record.applied is not None, (name, record.message)
    rates = dict(line.points["optim/lr/group0"])
    assert rates[2] == pytest.approx(0.5 * 1e-2 * (STEPS - 1) / STEPS, rel=1e-9)
    assert dict(line.points["optim/weight_decay/group0"])[3] == pytest.approx(0.3)
    limits = [observer.norms[step - 1] for step in (4, 5)]
    assert observer.norms[2] > 0.02
    assert limits == pytest.approx([0.01, 0.01], rel=1e-3)
    assert dict(line.points["optim/grad_norm"])[5] > 0.02  # as it was before clipping
    assert records["grad_clip"].confirmed is not None
    assert records["grad_clip"].confirmed.body.ran_at == 0.01
    assert trainer.model.transformer.drop.p == 0.25
    assert [event for event in line.events if event.body.get("name") == "pause"]
    (saved,) = [event for event in line.events if event.kind == "checkpoint"]
    assert Path(saved.body["path"]) == tmp_path / f"checkpoint-{saved.step}"
    assert (tmp_path / f"checkpoint-{saved.step}" / "optimizer.pt").exists()
    assert line.points["eval/loss"]
    assert trainer.state.global_step <= STEPS
    assert trainer.args.max_grad_norm == 1.0


def test_that_stop_ends_training(tmp_path: Path, line: Line, helm: HelmCallback) -> None:
    trainer, _, _ = train(tmp_path, line, helm, {3: [("stop", None)]})

    assert trainer.state.global_step == 3


def test_that_an_evaluation_that_cannot_be_says_why(tmp_path: Path, line: Line, helm: HelmCallback) -> None:
    train(tmp_path, line, helm, {})

    cards = {entry["capability"]["name"]: entry for entry in line.catalogues["capabilities"].body}
    assert cards["eval"]["unavailable"] == "the Trainer has no eval_strategy"


def test_that_the_losses_are_those_without_helm(tmp_path: Path, line: Line, helm: HelmCallback) -> None:
    trained, _, _ = train(tmp_path, line, helm, {})
    alone, _, _ = train(tmp_path, line, None, {})
    for one, other in zip(trained.model.parameters(), alone.model.parameters(), strict=True):
        assert torch.equal(one, other)


def test_that_a_nan_that_the_trainer_leaves_out_is_told_and_its_step_skipped(
    tmp_path: Path, line: Line
) -> None:
    line.settle()
    line.points.clear()
    line.events.clear()
    made = HelmTrainer(line.run, on_nonfinite="skip")

    class Poisoned(HelmCallback):
        """Spoils the loss of one step as a bad batch would; the Trainer's log shows a mean in its place."""

        def on_train_begin(self, args: Any, state: Any, control: Any, **parts: Any) -> None:
            head = parts["model"].lm_head
            head.register_forward_hook(
                lambda *call: call[2] * float("nan") if state.global_step == 3 else None
            )
            super().on_train_begin(args, state, control, **parts)

    trainer, _, _ = train(tmp_path, line, Poisoned(trainer=made), {}, logging_nan_inf_filter=True)
    made.release()

    assert [step for step, value in line.points["train/loss"] if value != value] == [4]
    skipped = [event.step for event in line.events if event.body.get("what") == "skipped"]
    assert skipped == [4]
    assert all(weight.isfinite().all() for weight in trainer.model.parameters())
    assert trainer.lr_scheduler.last_epoch == STEPS - 1
