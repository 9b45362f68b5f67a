"""Which rank of how many this process is, as far as it can know."""

from __future__ import annotations

import multiprocessing
import os
from dataclasses import dataclass

import torch.distributed as dist


@dataclass(frozen=True, slots=True)
class RankIdentity:
    """A rank's place in its job. `restart` counts torchrun's restarts."""

    rank: int
    world: int
    restart: int = 0

    @property
    def process(self) -> str:
        """The name of this rank's process in the run."""
        return f"rank-{self.rank}"


def initialized() -> bool:
    """Return True when the script has called `init_process_group`."""
    return dist.is_available() and dist.is_initialized()


def restarts() -> int:
    """Return how often torchrun has started the job anew."""
    return _number("TORCHELASTIC_RESTART_COUNT") or 0


def of_group() -> RankIdentity | None:
    """Return the rank that the default process group gives; None before there is one."""
    if not initialized():
        return None
    return RankIdentity(dist.get_rank(), dist.get_world_size(), restarts())


def now() -> RankIdentity | None:
    """Return the rank as the group, else the environment, says; None where nothing says it yet.

    A child of `multiprocessing` may become a rank without any variable set (`mp.spawn`): nobody can know
    before it calls `init_process_group`.
    """
    identity = of_group()
    if identity is not None:
        return identity
    rank, world = _number("RANK"), _number("WORLD_SIZE")
    if rank is not None and world is not None and rank < world:
        return RankIdentity(rank, world, restarts())
    if world == 1 or multiprocessing.parent_process() is None:
        return RankIdentity(0, 1)
    return None


def _number(name: str) -> int | None:
    text = os.environ.get(name, "")
    return int(text) if text.isdigit() else None
