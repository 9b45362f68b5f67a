"""Checkpoints: whole or not at all, exact when put back, told when they fail, and without pickle."""

from __future__ import annotations

import json
import math
import os
import pickle
import random
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from helm_sdk.torch import CheckpointError, Trainer
from helm_sdk.torch._checkpoints import saver
from helm_sdk.torch._checkpoints.pack import CannotPack, pack, unpack
from helm_sdk.torch._checkpoints.store import MANIFEST, CheckpointStore, verify, write_json
from helpers.steering import Line


class Point(NamedTuple):
    """A tuple with a name of its own."""

    x: int


class Loop:
    """A loop with everything that a resume must bring back."""

    def __init__(self, trainer: Trainer, seed: int = 5, last: bool = False) -> None:
        self.last = last  # the schedule is stepped after the trainer
        torch.manual_seed(seed)
        random.seed(seed)
        np.random.seed(seed)
        self.trainer = trainer
        self.model = torch.nn.Sequential(
            torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8), torch.nn.Dropout(0.2), torch.nn.Linear(8, 4)
        )
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-2, amsgrad=True)
        self.scheduler = torch.optim.lr_scheduler.SequentialLR(
            self.optimizer,
            [
                torch.optim.lr_scheduler.LinearLR(self.optimizer, 0.1, total_iters=3),
                torch.optim.lr_scheduler.MultiStepLR(self.optimizer, [2, 6], gamma=0.5),
            ],
            milestones=[3],
        )
        trainer.watch(self.model, self.optimizer, scheduler=self.scheduler)
        self.losses: list[float] = []

    def go(self, steps: int) -> None:
        for _ in range(steps):
            self.optimizer.zero_grad()
            noise = random.random() + float(np.random.rand())
            loss = (self.model(torch.randn(6, 4)) + noise).square().mean()
            loss.backward()
            self.trainer.clip_grad_norm_(1.0)
            self.optimizer.step()
            if not self.last:
                self.scheduler.step()
            self.trainer.step(loss=loss, tokens=6)
            if self.last:
                self.scheduler.step()
            self.losses.append(loss.item())


def folder_of(line: Line, saved: dict[str, Any] | None) -> Path:
    assert saved is not None
    assert line.run.folder is not None
    return line.run.folder / "checkpoints" / str(saved["checkpoint"])


@pytest.mark.parametrize("by_command", [False, True])
@pytest.mark.parametrize("last", [False, True])
def test_that_a_run_goes_on_from_a_checkpoint_bit_for_bit(
    last: bool, by_command: bool, line: Line, trainer: Trainer
) -> None:
    first = Loop(trainer, last=last)
    if by_command:
        first.go(4)
        command = line.send("checkpoint", {})
        first.go(1)
        saved = line.until(command, "applied").result
    else:
        first.go(5)
        saved = trainer.save_checkpoint()
    first.go(6)

    resumed = Loop(Trainer(line.run), seed=99, last=last)
    resumed.go(2)
    manifest = resumed.trainer.load_checkpoint(folder_of(line, saved))
    resumed.losses.clear()
    resumed.go(6)

    assert resumed.losses == first.losses[5:]
    assert resumed.trainer.next_step == first.trainer.next_step
    assert manifest["exact"]
    assert manifest["tokens"] == 30
    weights = zip(resumed.model.state_dict().values(), first.model.state_dict().values(), strict=True)
    assert all(torch.equal(here, there) for here, there in weights)


def test_that_a_changed_rate_is_part_of_what_comes_back(line: Line, trainer: Trainer) -> None:
    first = Loop(trainer)
    first.go(2)
    line.send("lr", {"scale": 0.5})
    first.go(3)
    saved = trainer.save_checkpoint()
    first.go(4)
    resumed = Loop(Trainer(line.run), seed=99)
    manifest = resumed.trainer.load_checkpoint(folder_of(line, saved))
    resumed.go(4)

    assert resumed.losses == first.losses[5:]
    assert manifest["controls"]["lr"]["revision"] >= 1


def test_that_the_command_saves_and_the_mark_names_what_is_on_disk(line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer)
    loop.go(2)
    command = line.send("checkpoint", {"name": "before the change", "pin": True})
    loop.go(1)
    record = line.until(command, "applied")
    line.settle()

    marks = [event for event in line.events if event.kind == "checkpoint"]
    assert [event.step for event in marks] == [2]
    folder = folder_of(line, record.result)
    manifest = verify(folder)
    assert marks[0].body["name"] == folder.name
    assert marks[0].body["bytes"] == sum(entry["size"] for entry in manifest["files"].values())
    assert manifest["pinned"]
    assert (folder.parent / "latest").read_text().strip() == folder.name
    assert not [path for path in folder.iterdir() if path.suffix not in (".json", ".safetensors")]


def test_that_two_checkpoints_of_a_step_are_two_commits(line: Line, trainer: Trainer) -> None:
    Loop(trainer).go(1)
    first, second = trainer.save_checkpoint(), trainer.save_checkpoint()

    assert first is not None
    assert second is not None
    assert first["checkpoint"] != second["checkpoint"]
    assert second["commit"] == first["commit"] + 1
    assert verify(folder_of(line, second))["parent"] == first["checkpoint"]


@pytest.mark.parametrize("file", ["model.safetensors", "optimizer.json", "state.safetensors"])
def test_that_a_damaged_file_is_named_and_nothing_is_changed(file: str, line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer)
    loop.go(2)
    folder = folder_of(line, trainer.save_checkpoint())
    whole = (folder / file).read_bytes()
    (folder / file).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    loop.go(1)
    before = [value.clone() for value in loop.model.state_dict().values()]

    with pytest.raises(CheckpointError, match=file.replace(".", r"\.")):
        trainer.load_checkpoint(folder)
    assert all(torch.equal(a, b) for a, b in zip(before, loop.model.state_dict().values(), strict=True))
    (folder / file).unlink()
    with pytest.raises(CheckpointError, match="missing"):
        trainer.load_checkpoint(folder)


def test_that_latest_passes_over_a_broken_one_and_says_so(line: Line, trainer: Trainer) -> None:
    loop = Loop(trainer)
    loop.go(1)
    trainer.save_checkpoint("good")
    loop.go(1)
    broken = folder_of(line, trainer.save_checkpoint("bad"))
    (broken / "model.safetensors").unlink()
    manifest = trainer.load_checkpoint()
    line.settle()

    assert manifest["name"] == "good"
    warnings = [event.body for event in line.events if event.kind == "warning"]
    assert any("model.safetensors is missing" in body["message"] for body in warnings)


def test_that_another_model_is_refused_by_name(line: Line, trainer: Trainer) -> None:
    Loop(trainer).go(1)
    folder = folder_of(line, trainer.save_checkpoint())
    other = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8))
    trainer.watch(other, torch.optim.AdamW(other.parameters()), scheduler=None)

    with pytest.raises(CheckpointError, match=r"not here, the first is 3\.bias"):
        trainer.load_checkpoint(folder)


def test_that_tied_weights_are_saved_once_and_come_back_tied(line: Line, trainer: Trainer) -> None:
    def tied() -> torch.nn.Sequential:
        model = torch.nn.Sequential(torch.nn.Embedding(5, 3), torch.nn.Linear(3, 5, bias=False))
        model[1].weight = model[0].weight
        return model

    model = tied()
    trainer.watch(model, torch.optim.SGD(model.parameters(), lr=0.1))
    folder = folder_of(line, trainer.save_checkpoint())
    assert verify(folder)["aliases"] == {"1.weight": "0.weight"}

    again = tied()
    trainer.watch(again, torch.optim.SGD(again.parameters(), lr=0.1))
    trainer.load_checkpoint(folder)
    assert again[1].weight is again[0].weight
    assert torch.equal(again[0].weight, model[0].weight)  # type: ignore[arg-type]


def test_that_a_compiled_or_wrapped_model_has_the_same_names(line: Line, trainer: Trainer) -> None:
    class Wrapper(torch.nn.Module):
        def __init__(self, module: torch.nn.Module) -> None:
            super().__init__()
            self.module = module

    model = torch.nn.Linear(3, 2)
    wrapped = Wrapper(model)
    trainer.watch(wrapped, torch.optim.AdamW(wrapped.parameters()))
    folder = folder_of(line, trainer.save_checkpoint())
    plain = torch.nn.Linear(3, 2)
    trainer.watch(plain, torch.optim.AdamW(plain.parameters()))
    trainer.load_checkpoint(folder)
    assert torch.equal(plain.weight, model.weight)


def test_that_a_full_disk_fails_the_command_and_not_the_training(
    line: Line, trainer: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = Loop(trainer)
    loop.go(1)
    usage = shutil.disk_usage(line.run.folder or "")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    command = line.send("checkpoint", {})
    loop.go(2)
    record = line.until(command, "failed")
    line.settle()

    assert "1,000 bytes are free" in record.message
    assert [event.body["what"] for event in line.events if event.kind == "warning"] == ["checkpoint"]
    assert len(loop.losses) == 3
    assert trainer.save_checkpoint() is None


def test_that_a_large_one_is_written_beside_the_loop_and_is_whole_at_the_end(
    line: Line, trainer: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saver, "AT_ONCE", 0)
    loop = Loop(trainer)
    loop.go(3)
    saved = trainer.save_checkpoint()
    assert saved is not None
    assert saved["writing"]
    at_save = [value.clone() for value in loop.model.state_dict().values()]
    loop.go(3)
    trainer.release()
    line.settle()

    folder = folder_of(line, saved)
    verify(folder)
    assert [event.step for event in line.events if event.kind == "checkpoint"] == [2]
    again = Loop(trainer, seed=1)
    trainer.load_checkpoint(folder)
    assert all(torch.equal(a, b) for a, b in zip(at_save, again.model.state_dict().values(), strict=True))


def _interrupt(monkeypatch: pytest.MonkeyPatch, call: Callable[..., Any], name: str, at: int) -> list[int]:
    count = [0]

    def stopped(*arguments: Any, **more: Any) -> Any:
        count[0] += 1
        if count[0] == at:
            raise KeyboardInterrupt
        return call(*arguments, **more)

    monkeypatch.setattr(os, name, stopped)
    return count


@pytest.mark.parametrize("at", range(1, 10))
def test_that_an_end_at_any_sync_leaves_the_one_before(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore(tmp_path / "checkpoints")
    files = {name: write_json({"x": 1}) for name in ("a.json", "b.json")}
    manifest = {"schema": "helm-checkpoint/1", "commit": 1}
    store.commit("first", files, manifest)
    with monkeypatch.context() as patch:
        count = _interrupt(patch, os.fsync, "fsync", at)
        patch.setattr(shutil, "rmtree", lambda *_, **__: None)  # a killed process tidies nothing
        with pytest.raises(KeyboardInterrupt):
            store.commit("second", files, {**manifest, "commit": 2})
        assert count[0] >= at

    path, problems = CheckpointStore(tmp_path / "checkpoints").latest()
    assert path.name in ("first", "second")
    assert problems == []
    verify(path)
    after = CheckpointStore(tmp_path / "checkpoints")
    after.commit(after.free_name("second"), files, {**manifest, "commit": 3})
    assert all((kept / MANIFEST).is_file() for kept in store.folder.iterdir() if kept.is_dir())


def test_that_plain_state_comes_back_as_it_was() -> None:
    state = {
        "tuple": (1, 2.5, None),
        "nan": [math.nan, math.inf, -math.inf, -0.0],
        "counter": Counter({3: 2}),
        3: {"int keys": {1: True}},
        "tensor": torch.arange(3, dtype=torch.bfloat16),
        "$odd": "name",
        "big": 2**80,
    }
    tensors: dict[str, torch.Tensor] = {}
    back = unpack(json.loads(json.dumps(pack(state, tensors, "s"), allow_nan=False)), tensors)

    assert torch.equal(back.pop("tensor"), state.pop("tensor"))  # type: ignore[arg-type]
    assert repr(back) == repr(state)
    assert isinstance(back["counter"], Counter)


def test_that_what_needs_pickle_is_named_and_not_pickled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pickle, "dumps", None)
    with pytest.raises(CannotPack, match="s/fn is of type function"):
        pack({"fn": lambda: None}, {}, "s")
    assert pack(Point(1), {}, "s") == {"$tuple": [1]}


def test_that_a_schedule_that_cannot_be_kept_whole_makes_the_checkpoint_inexact(
    line: Line, trainer: Trainer
) -> None:
    class Odd(torch.optim.lr_scheduler.LRScheduler):
        def __init__(self, optimizer: torch.optim.Optimizer) -> None:
            self.rule: Callable[[float], float] = lambda rate: rate * 0.9
            super().__init__(optimizer)

        def get_lr(self) -> list[float | torch.Tensor]:
            return [self.rule(float(rate)) for rate in self.base_lrs]

    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    trainer.watch(model, optimizer, scheduler=Odd(optimizer))
    manifest = verify(folder_of(line, trainer.save_checkpoint()))

    assert not manifest["exact"]
    assert "scheduler0/rule" in manifest["inexact"][0]
