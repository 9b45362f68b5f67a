"""What a model is made of: every parameter and buffer, for the "tensors" catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import torch

from helm_sdk.protocol.messages import TensorInfo
from helm_sdk.torch import _sharded

WRAPPERS = ("_orig_mod.", "module.")


def canonical(name: str) -> str:
    """Return a name without what torch.compile and DDP put before it, wherever they stand."""
    for prefix in WRAPPERS:
        while name.startswith(prefix):
            name = name[len(prefix) :]
        name = name.replace(f".{prefix}", ".")
    return name


def catalogue(model: torch.nn.Module, world: int = 1) -> tuple[TensorInfo, ...]:
    """Parameters and buffers by path; one that is there twice says to which it is tied.

    world: how many ranks hold the model; shape and bytes of a sharded tensor are the whole one's.
    """
    first: dict[int, str] = {}
    found = []
    replicas = f"replicated on {world} ranks" if world > 1 else ""
    for module_path, module in model.named_modules(remove_duplicate=False):
        for name, tensor, kind in _own(module):
            path = canonical(f"{module_path}.{name}" if module_path else name)
            tied_to = first.setdefault(id(tensor), path)
            found.append(
                TensorInfo(
                    path=path,
                    module=type(module).__name__,
                    shape=tuple(tensor.shape),
                    dtype=str(tensor.dtype).removeprefix("torch."),
                    device=str(tensor.device),
                    bytes=tensor.numel() * tensor.element_size(),
                    kind=kind,
                    tied_to="" if tied_to == path else tied_to,
                    topology=_sharded.topology(tensor) or replicas,
                )
            )
    return tuple(found)


def _own(module: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor, str]]:
    kinds: tuple[tuple[str, Iterable[tuple[str, torch.Tensor]]], ...] = (
        ("parameter", module.named_parameters(recurse=False, remove_duplicate=False)),
        ("buffer", module.named_buffers(recurse=False, remove_duplicate=False)),
    )
    for kind, tensors in kinds:
        for name, tensor in tensors:
            yield name, tensor, kind
