"""Tensors of which each rank holds a part (DTensor, as `fully_shard` makes them)."""

from __future__ import annotations

import sys
from typing import Any

import torch


def is_sharded(tensor: object) -> bool:
    """Return True when this is a DTensor; a program that has none does not load them either."""
    module: Any = sys.modules.get("torch.distributed.tensor")
    return module is not None and isinstance(tensor, module.DTensor)


def whole(tensor: torch.Tensor) -> torch.Tensor:
    """Return all of it. For a sharded tensor every rank must call this, at the same time."""
    full: Any = tensor
    return full.full_tensor() if is_sharded(tensor) else tensor


def local(tensor: torch.Tensor) -> torch.Tensor:
    """Return the part that this rank holds, the same memory."""
    part: Any = tensor
    return part.to_local() if is_sharded(tensor) else tensor


def part_of(full: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """`full` cut as `like` is; each rank takes its own part, without asking the others."""
    if not is_sharded(like) or full.shape != like.shape or full.ndim == 0:
        return full
    from torch.distributed.tensor import distribute_tensor

    target: Any = like
    on_device = full.detach().clone().to(target.to_local().device)
    cut: torch.Tensor = distribute_tensor(
        on_device, target.device_mesh, target.placements, src_data_rank=None
    )
    return cut


def topology(tensor: torch.Tensor) -> str:
    """Return how it lies over the ranks, such as "Shard(dim=0) over 4 ranks"; empty where it is whole."""
    if not is_sharded(tensor):
        return ""
    held: Any = tensor
    placements = ", ".join(map(repr, held.placements))
    return f"{placements} over {held.device_mesh.size()} ranks"
