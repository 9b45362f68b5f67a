"""A run or a trainer that goes along into another process does nothing there; a copy is the thing itself."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import torch

from helm_sdk.record import layout
from helm_sdk.record.runs import find_run
from helm_sdk.torch import Trainer
from helpers.steering import Line

SCRIPT = """
import torch, helm_sdk
class Data(torch.utils.data.Dataset):
    def __init__(self, run): self.run = run
    def __len__(self): return 8
    def __getitem__(self, index):
        self.run.log({"data/x": 1.0}, step=index); self.run.sync("load"); return torch.tensor(float(index))
if __name__ == "__main__":
    run = helm_sdk.init("workers")
    more = {"num_workers": 1, "multiprocessing_context": "spawn"}
    loader = torch.utils.data.DataLoader(Data(run), batch_size=4, **more)
    for step, batch in enumerate(loader): run.log({"loss": float(batch.sum())}, step=step)
    run.finish(); print("trained")
"""


def test_that_a_spawned_worker_takes_the_run_along_and_records_nothing(tmp_path: Path) -> None:
    script = tmp_path / "workers.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert "trained" in done.stdout, done.stderr
    (reader,) = find_run(layout.home(), "latest").readers()
    with reader:
        assert [point[:2] for point in reader.points("loss")] == [(0, 6.0), (1, 22.0)]
        assert not list(reader.points("data/x"))


def test_that_a_pickled_trainer_and_run_do_nothing(line: Line, trainer: Trainer) -> None:
    run, other = pickle.loads(pickle.dumps((trainer.run, trainer)))
    assert run.disabled
    assert other.run.disabled
    run.log({"a": 1.0}, step=0)
    model = torch.nn.Linear(2, 1)
    other.watch(model, torch.optim.SGD(model.parameters(), lr=0.1))
    other.step(0, loss=1.0)
    run.finish()
    assert not trainer.run.disabled


def test_that_a_copy_of_a_holder_keeps_the_same_run(trainer: Trainer) -> None:
    held = copy.deepcopy({"run": trainer.run, "trainer": trainer})
    assert held["run"] is trainer.run
    assert held["trainer"] is trainer
    assert copy.copy(trainer) is trainer
