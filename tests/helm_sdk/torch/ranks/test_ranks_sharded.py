"""FSDP2: what `fully_shard` makes is steered, measured, saved and listed as a whole model is."""

from __future__ import annotations

import pytest
import safetensors.torch

from helm_sdk.record.run import RunFolder
from helpers.rank_loops import sharded
from helpers.ranks import Job, Steer


def test_that_a_sharded_model_trains_clips_saves_and_loads_as_a_whole_one() -> None:
    with Job(2, sharded, order="group first", launched=False) as job:
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.usable()
            steer.usable("grad_clip")
            done = [
                steer.do("lr", {"scale": 0.5}),
                steer.do("grad_clip", {"max_norm": 0.5}),
                steer.do("checkpoint", {"name": "steered"}),
                steer.do("stop"),
            ]
            norms = job.wait("norms")
            models = job.wait("model")
            job.wait("ended")
            run = RunFolder(steer.folder)

    assert [record.latest.message for record in done if record.state not in ("applied", "confirmed")] == []
    for told in norms:
        assert [norm for norm, _ in told] == pytest.approx([wanted for _, wanted in told], rel=1e-5)
    assert [again for _, again, _ in models] == [True, True]
    assert max(apart for apart, _, _ in models) < 1e-5
    assert [name for _, _, name in models] == ["end", ""]
    saved = safetensors.torch.load_file(run.path / "checkpoints" / "steered" / "model.safetensors")
    assert {name: tuple(one.shape) for name, one in saved.items()} == {
        "0.weight": (8, 6),
        "0.bias": (8,),
        "3.weight": (1, 8),
        "3.bias": (1,),
    }
    tensors = run.readers()[0].catalogues()["tensors"].body
    assert {one["path"]: one["topology"] for one in tensors}["0.weight"] == "Shard(dim=0) over 2 ranks"
    assert next(one for one in tensors if one["path"] == "0.weight")["shape"] == [8, 6]


def test_that_no_rank_enters_a_save_that_rank_0_cannot_do() -> None:
    with Job(2, sharded, order="group first", launched=False, full=True) as job:
        (folder,) = job.wait("run", 0)
        with Steer(folder) as steer:
            steer.usable()
            saved = steer.do("checkpoint")
            after = steer.do("lr", {"scale": 0.5})
            steer.do("stop")
            job.wait("ended")

    assert saved.state == "failed"
    assert saved.latest.message.startswith("rank 0: CheckpointError: a checkpoint of ")
    assert after.state in ("applied", "confirmed")
