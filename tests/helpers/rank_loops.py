"""What the ranks of the tests run: loops as scripts have them, which note what each step used."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any

import torch

import helm_sdk.torch as ht
from helm_sdk.models import Capability, CommandContext
from helm_sdk.torch import CheckpointError
from helm_sdk.torch._ranks import distributed, entry
from helm_sdk.torch._ranks.distributed import DistributedProcess
from helpers.ranks import Here

CONTROLS = ["lr", "weight_decay", "grad_clip", "dropout", "checkpoint", "pause", "resume", "stop"]


def start(here: Here, **more: Any) -> ht.Trainer:
    """`init` and the process group, in the order that the test asks for."""
    if here.options.get("order", "init first") == "init first":
        trainer = ht.init("ranks", name="ranks", **more)
        here.group()
    else:
        here.group()
        trainer = ht.init("ranks", name="ranks", **more)
    return trainer


def end() -> None:
    """Meet once more, and leave the group to the process's end.

    After `destroy_process_group` the model's DDP holds the group last, and torch 2.13 hangs now and then as
    that lets go of it: seen on a rank without Helm.
    """
    torch.distributed.barrier()


def network() -> torch.nn.Sequential:
    """The same small model on every rank."""
    torch.manual_seed(0)
    return torch.nn.Sequential(
        torch.nn.Linear(6, 8), torch.nn.Tanh(), torch.nn.Dropout(0.1), torch.nn.Linear(8, 1)
    )


def random_command(dice: random.Random) -> tuple[str, object]:
    """A control and an input for it."""
    return dice.choice(
        [
            ("lr", {"lr": dice.uniform(1e-4, 1e-2)}),
            ("lr", {"scale": dice.uniform(0.8, 1.2)}),
            ("weight_decay", {"value": dice.uniform(0.0, 0.5)}),
            ("grad_clip", {"max_norm": dice.uniform(0.5, 2.0)}),
            ("dropout", {"p": dice.uniform(0.0, 0.5)}),
            ("set_mix", {"value": dice.random()}),
        ]
    )


def wrapped(here: Here) -> torch.nn.Module:
    """The model as the test asks for it: with DDP, or by itself."""
    model = network()
    if here.options.get("wrap", "ddp") == "ddp":
        return torch.nn.parallel.DistributedDataParallel(model)
    return model


class Log:
    """What each step of this rank ran with."""

    def __init__(self, trainer: ht.Trainer, mix: Any) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self._trainer = trainer
        self._mix = mix

    def note(self, step: int) -> None:
        """After a step: what the optimizer used, and what holds from now on."""
        watched = self._trainer.watched
        assert watched is not None
        p = next(module.p for module in watched.model.modules() if isinstance(module, torch.nn.Dropout))
        rates = watched.rates
        self.rows.append((step, rates.used[0], rates.decay[0], watched.clipping.limit, p, self._mix.value))


def train(here: Here) -> None:
    """Train until somebody sends stop; every step is noted and told at the end."""
    steps = here.options.get("steps", 100_000)
    tr = start(here, log_ranks=here.options.get("log_ranks", "zero"))
    model = wrapped(here)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=100_000)
    tr.watch(
        model, optimizer, scheduler=scheduler, controls=CONTROLS, eval_fn=lambda: {"score": float(here.rank)}
    )
    mix = tr.run.tunable("mix", 0.5)
    declare(here, tr)
    log = Log(tr, mix)
    pace = here.options.get("pace", 0.004)
    torch.manual_seed(here.rank)
    stall = here.options.get("stall", {})
    for step in range(steps):
        optimizer.zero_grad()
        model(torch.randn(4, 6)).square().mean().backward()
        tr.clip_grad_norm_()
        optimizer.step()
        scheduler.step()
        time.sleep(pace)  # the step's own work
        if stall.get(here.rank) == step:
            here.tell("stalled", step)
            here.hear()
        tr.log_reduced({"rank/mean": float(here.rank)}, step=step)
        tr.log_reduced({"rank/sum": float(here.rank)}, op="sum", step=step)
        tr.log({"rank/own": float(here.rank)}, step=step)
        tr.step(step=step, loss=0.5)
        log.note(step)
        if step == 0:
            tell_run(here, tr)
        if tr.should_stop or (here.options.get("wrap") == "none" and here.heard()):
            break
    here.tell("log", log.rows)
    began = time.monotonic()
    tr.finish()
    here.tell("finished in", time.monotonic() - began)
    if here.options.get("wrap", "ddp") == "ddp":
        end()


def tell_run(here: Here, tr: ht.Trainer) -> None:
    """Rank 0 tells the test where the run is."""
    if here.rank == 0:
        here.tell("run", str(tr.run.folder))


def declare(here: Here, tr: ht.Trainer) -> None:
    """A control that fails on the last rank, and one that belongs to the rank that declares it."""
    switch = Capability(name="fragile", safe_points=("trainer.step",))

    def fragile(value: Any, context: CommandContext) -> str:
        watched = tr.watched
        assert watched is not None
        watched.gate.should_stop = True  # to be taken back
        if here.rank == here.world - 1:
            raise RuntimeError("no room here")
        return "fine"

    tr.coordination.declare(switch, fragile)

    @tr.run.command(safe_point="trainer.step")
    def mine() -> int:
        """Say which rank this is."""
        return here.rank


def leave(here: Here) -> None:
    """Rank 1 leaves at a step; when the test says so it comes back, and from then on both go in step."""
    tr = start(here)
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    tr.watch(model, optimizer, controls=["lr", "stop"])
    tell_run(here, tr)
    at = torch.zeros(1, dtype=torch.int64)
    for step in range(20):
        tr.step(step=step, loss=0.5)
        torch.distributed.barrier()
    if here.rank == 1:
        tr.finish()
        here.tell("left")
        here.hear()
        tr = ht.init("ranks", name="ranks")
        tr.watch(model, optimizer, controls=["lr", "stop"])
    else:
        while not here.heard():
            step += 1
            time.sleep(0.005)
            tr.step(step=step, loss=0.5)
        at[0] = step
    torch.distributed.broadcast(at, 0)
    rows = []
    for step in range(int(at) + 1, int(at) + 100_000):
        optimizer.step()
        time.sleep(0.005)
        torch.distributed.barrier()
        tr.step(step=step, loss=0.5)
        watched = tr.watched
        assert watched is not None
        rows.append((step, watched.rates.used[0]))
        if tr.should_stop:
            break
    here.tell("log", rows)
    tr.finish()
    end()


def zero_only(here: Here) -> None:
    """`init` on rank 0 alone."""
    tr = start(here) if here.rank == 0 else None
    if tr is None:
        here.group()
    model = torch.nn.parallel.DistributedDataParallel(network())
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    if tr is not None:
        tr.watch(model, optimizer, controls=["lr", "pause"])
        here.tell("run", str(tr.run.folder))
    for step in range(here.options["steps"]):
        optimizer.zero_grad()
        model(torch.randn(4, 6)).square().mean().backward()
        optimizer.step()
        if step == 5:
            if here.rank == 0:
                here.hear()
            torch.distributed.barrier()
        if tr is not None:
            tr.step(step=step, loss=0.5)
    if tr is not None:
        tr.finish()
    end()


def sharded(here: Here) -> None:
    """FSDP2 on gloo beside the same training on one rank alone: norms, rates, a checkpoint there and back."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    tr = start(here)
    model, alone = network(), network()
    for module in (model, alone):
        for part in module.modules():
            if isinstance(part, torch.nn.Dropout):
                part.p = 0.0
    mesh = init_device_mesh("cpu", (here.world,))
    for layer in (model[0], model[3]):
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.1)
    reference = torch.optim.AdamW(alone.parameters(), lr=1e-2, weight_decay=0.1)
    tr.watch(model, optimizer, controls=["lr", "grad_clip", "checkpoint", "stop"])
    tell_run(here, tr)
    if here.options.get("full") and here.rank == 0:
        watched = tr.watched
        assert watched is not None
        watched.saver.store.check_space = _full  # type: ignore[method-assign]
    norms = []
    step = 0
    while not tr.should_stop:
        batch = torch.randn(8, 6, generator=torch.Generator().manual_seed(step))
        own = batch.chunk(here.world)[here.rank]
        for one, data in ((model, own), (alone, batch)):
            one.zero_grad()
            one(data).square().mean().backward()
        norm = tr.clip_grad_norm_(0.5)
        wanted = torch.nn.utils.clip_grad_norm_(alone.parameters(), 0.5)
        norms.append((float(norm), float(wanted)))
        optimizer.step()
        watched = tr.watched
        assert watched is not None
        for group in reference.param_groups:
            group["lr"] = watched.rates.used[0]
        reference.step()
        time.sleep(0.005)
        tr.step(step=step, loss=0.5)
        step += 1
    here.tell("norms", norms)
    if here.options.get("full"):
        tr.finish()
        end()
        return
    before = [whole.detach().clone() for whole in _whole(model)]
    apart = max(float((a - b).detach().abs().max()) for a, b in zip(before, alone.parameters(), strict=True))
    saved = tr.save_checkpoint("end")
    torch.distributed.barrier()  # rank 0 has written it
    optimizer.step()
    tr.load_checkpoint("end")
    again = all(torch.equal(a, b) for a, b in zip(before, _whole(model), strict=True))
    here.tell("model", (apart, again, saved is not None and saved["checkpoint"]))
    tr.finish()
    end()


def _full(needed: int) -> None:
    raise CheckpointError(f"a checkpoint of {needed:,} bytes does not fit")


def _whole(model: torch.nn.Module) -> list[torch.Tensor]:
    parameters: list[Any] = list(model.parameters())
    return [parameter.full_tensor() for parameter in parameters]


def uneven(here: Here) -> None:
    """What every rank gives is reduced; one rank gives a name that the other does not."""
    tr = start(here)
    values = [1.0, float("nan"), float("-inf")]
    for step, value in enumerate(values):
        for op in ("mean", "sum", "max", "min"):
            tr.log_reduced({f"{op}/x": value + here.rank}, op=op, step=step)
    tr.log_reduced({f"only/{here.rank}": 1.0}, step=0)
    tr.step(step=5, loss=0.5)
    tell_run(here, tr)
    tr.finish()
    end()


def paused(here: Here) -> None:
    """Two loops that a barrier keeps in step until they are paused; then each goes on alone."""
    tr = start(here)
    model = network()
    tr.watch(model, torch.optim.SGD(model.parameters(), lr=1e-2), controls=["lr", "pause", "resume"])
    here.tell("watching")
    tell_run(here, tr)
    held = False
    step = 0
    while not here.heard():
        if not held:
            torch.distributed.barrier()
        before = time.monotonic()
        tr.step(step=step, loss=0.5)
        held = held or time.monotonic() - before > 1.0
        time.sleep(0.005)
        step += 1
    began = time.monotonic()
    tr.finish()
    here.tell("finished in", time.monotonic() - began)


def finish_apart(here: Here) -> None:
    """Every rank gives a value and sends it only as it ends; one rank ends before the other gives its own.

    first: the rank that ends first. Where it is rank 0, rank 1 goes on once rank 0 has said that it ends.
    """
    DistributedProcess._pulse = lambda self: None  # type: ignore[method-assign]
    tr = start(here)
    coordination = tr.coordination
    assert isinstance(coordination, DistributedProcess)
    assert coordination._joined.wait(30)
    member = coordination._member
    assert member is not None
    tell_run(here, tr)
    torch.distributed.barrier()
    if here.rank == here.options["first"]:
        tr.log_reduced({"given/last": float(here.rank)}, step=7)
        tr.finish()
        here.tell("finished")
    elif here.rank == 0:
        here.hear()
    else:
        with member._changed:
            assert member._changed.wait_for(lambda: member.over, 30)
    if here.rank != here.options["first"]:
        tr.log_reduced({"given/last": float(here.rank)}, step=7)
        tr.finish()
    end()


def finish_before_joining(here: Here) -> None:
    """A rank gives a value and ends before it has learned which run it belongs to."""
    distributed._END_S = 0.0
    if here.rank == here.options["late"]:
        ending = threading.Event()
        close = DistributedProcess.close

        def later(function: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any) -> Any:
                ending.wait(30)
                return function(*arguments)

            return call

        def close_now(process: DistributedProcess) -> None:
            ending.set()
            close(process)

        entry.find, entry.publish = later(entry.find), later(entry.publish)
        DistributedProcess.close = close_now  # type: ignore[assignment, method-assign]
    tr = start(here)
    tell_run(here, tr)
    tr.log_reduced({"given/last": float(here.rank)}, step=7)
    tr.finish()
    end()
