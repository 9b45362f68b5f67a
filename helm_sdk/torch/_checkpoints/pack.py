"""Plain state as JSON that gives the same state back, with its tensors beside it. No pickle."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Mapping
from typing import Any

import torch

from helm_sdk.torch import _sharded

_SEQUENCES: dict[Any, str] = {
    list: "",
    tuple: "$tuple",
    set: "$set",
    frozenset: "$frozenset",
    deque: "$deque",
}


class CannotPack(TypeError):
    """A value that JSON and safetensors cannot hold."""


def pack(value: Any, tensors: dict[str, torch.Tensor], path: str) -> Any:
    """JSON for `value`; its tensors go, copied to the host, into `tensors` under names from `path` on."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"$float": repr(float(value))}
    if isinstance(value, torch.Tensor):
        tensors[path] = host_copy(value)
        return {"$tensor": path, "device": value.device.type}
    if isinstance(value, Mapping):
        return _mapping(value, tensors, path)
    for kind, name in _SEQUENCES.items():
        if isinstance(value, kind):
            items = [pack(item, tensors, f"{path}/{index}") for index, item in enumerate(value)]
            return {name: items} if name else items
    if hasattr(value, "item") and hasattr(value, "dtype"):  # a NumPy scalar
        return pack(value.item(), tensors, path)
    raise CannotPack(f"{path} is of type {type(value).__name__}, which cannot be saved without pickle")


def _mapping(value: Mapping[Any, Any], tensors: dict[str, torch.Tensor], path: str) -> Any:
    packed = [(key, pack(item, tensors, f"{path}/{key}")) for key, item in value.items()]
    if isinstance(value, Counter):
        return {"$Counter": [[pack(key, tensors, path), item] for key, item in packed]}
    if all(isinstance(key, str) and not key.startswith("$") for key, _ in packed):
        return dict(packed)
    return {"$dict": [[pack(key, tensors, path), item] for key, item in packed]}


def unpack(value: Any, tensors: Mapping[str, torch.Tensor], device: torch.device | None = None) -> Any:
    """What `pack` was given. Tensors that were on a device go to `device`, those of the host stay there."""
    if isinstance(value, list):
        return [unpack(item, tensors, device) for item in value]
    if not isinstance(value, dict):
        return value
    tag = next(iter(value), "")
    if not tag.startswith("$"):
        return {key: unpack(item, tensors, device) for key, item in value.items()}
    inner = value[tag]
    if tag == "$float":
        return float(inner)
    if tag == "$tensor":
        tensor = tensors[inner]
        return tensor if device is None or value.get("device") == "cpu" else tensor.to(device)
    if tag in ("$dict", "$Counter"):
        pairs = {unpack(key, tensors, device): unpack(item, tensors, device) for key, item in inner}
        return Counter(pairs) if tag == "$Counter" else pairs
    made = [unpack(item, tensors, device) for item in inner]
    return next(kind for kind, name in _SEQUENCES.items() if name == tag)(made)


def host_copy(tensor: torch.Tensor) -> torch.Tensor:
    """Return a contiguous copy in host memory that later steps do not change."""
    plain = _sharded.whole(tensor.detach())
    copied = plain.to("cpu", copy=True) if plain.device.type == "cpu" else plain.to("cpu")
    return copied.contiguous()
