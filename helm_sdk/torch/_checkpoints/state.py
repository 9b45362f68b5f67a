"""What a checkpoint holds, gathered to host memory: model, optimizers, schedules, scaler, random state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from helm_sdk.torch import _sharded
from helm_sdk.torch._checkpoints import rng
from helm_sdk.torch._checkpoints.pack import CannotPack, host_copy, pack
from helm_sdk.torch._checkpoints.store import CheckpointError, Write, write_json
from helm_sdk.torch._schedules.groups import optimizer_names
from helm_sdk.torch._tensors import canonical

MODEL = "model.safetensors"
OPTIMIZER = "optimizer.safetensors"
OPTIMIZER_JSON = "optimizer.json"
STATE = "state.safetensors"
STATE_JSON = "state.json"

Tensors = dict[str, torch.Tensor]


@dataclass
class CheckpointState:
    """Everything on the host, ready to be written by any thread. `inexact` says what could not be kept."""

    model: Tensors = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)  # tied tensor -> the name it is saved under
    optimizer: Tensors = field(default_factory=dict)
    optimizer_json: list[dict[str, Any]] = field(default_factory=list)
    state: Tensors = field(default_factory=dict)
    state_json: dict[str, Any] = field(default_factory=dict)
    inexact: list[str] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """The size of all tensors."""
        return sum(
            tensor.numel() * tensor.element_size()
            for tensors in (self.model, self.optimizer, self.state)
            for tensor in tensors.values()
        )

    def files(self) -> dict[str, Write]:
        """Return a writer for each file."""
        return {
            MODEL: _write_tensors(self.model),
            OPTIMIZER: _write_tensors(self.optimizer),
            OPTIMIZER_JSON: write_json(self.optimizer_json),
            STATE: _write_tensors(self.state),
            STATE_JSON: write_json(self.state_json),
        }


def bytes_of(model: torch.nn.Module, optimizers: Sequence[torch.optim.Optimizer]) -> int:
    """Return what a snapshot would take, without copying: enough to ask for space first."""
    seen: dict[int, int] = {}
    held = [*model.state_dict(keep_vars=True).values()]
    for optimizer in optimizers:
        for state in optimizer.state.values():
            held.extend(state.values() if isinstance(state, Mapping) else ())
    for tensor in held:
        if isinstance(tensor, torch.Tensor):
            seen[id(tensor)] = tensor.numel() * tensor.element_size()
    return sum(seen.values())


def gather(
    model: torch.nn.Module,
    optimizers: Sequence[torch.optim.Optimizer],
    schedulers: Sequence[Any] = (),
    scaler: Any = None,
) -> CheckpointState:
    """Copy the training's state to the host. Waits for the device, as a copy must."""
    snapshot = CheckpointState()
    _gather_model(snapshot, model)
    names = parameter_names(model, optimizers)
    for name, optimizer in zip(optimizer_names(optimizers), optimizers, strict=True):
        snapshot.optimizer_json.append(_gather_optimizer(snapshot, name, optimizer, names))
    snapshot.state_json["schedulers"] = [
        _gather_plain(snapshot, scheduler.state_dict(), f"scheduler{index}")
        for index, scheduler in enumerate(schedulers)
    ]
    snapshot.state_json["scaler"] = (
        None if scaler is None else pack(scaler.state_dict(), snapshot.state, "scaler")
    )
    snapshot.state_json["rng"] = pack(rng.capture(), snapshot.state, "rng")
    return snapshot


def parameter_names(model: torch.nn.Module, optimizers: Sequence[torch.optim.Optimizer]) -> dict[int, str]:
    """The name of every optimized parameter by its identity; one outside the model is named by its place."""
    names = {id(parameter): canonical(name) for name, parameter in model.named_parameters()}
    for name, optimizer in zip(optimizer_names(optimizers), optimizers, strict=True):
        for index, group in enumerate(optimizer.param_groups):
            for place, parameter in enumerate(group["params"]):
                names.setdefault(id(parameter), f"{name}.group{index}.{place}")
    return names


def _gather_model(snapshot: CheckpointState, model: torch.nn.Module) -> None:
    first: dict[tuple[Any, ...], str] = {}
    extra: dict[str, Any] = {}
    for raw_name, value in model.state_dict(keep_vars=True).items():
        name = canonical(raw_name)
        if not isinstance(value, torch.Tensor):
            extra[name] = value
            continue
        known = first.setdefault(_storage_key(value), name)
        if known == name:
            snapshot.model[name] = host_copy(value)
        else:
            snapshot.aliases[name] = known
    snapshot.state_json["model_extra"] = pack(extra, snapshot.state, "model_extra")


def _storage_key(tensor: torch.Tensor) -> tuple[Any, ...]:
    """Return the same for two tensors exactly when they are the same memory seen the same way."""
    part = _sharded.local(tensor)
    if part.device.type == "meta" or part.numel() == 0:
        return (id(tensor),)
    return (part.device, part.data_ptr(), part.dtype, tuple(part.shape), part.stride())


def _gather_optimizer(
    snapshot: CheckpointState, name: str, optimizer: torch.optim.Optimizer, names: Mapping[int, str]
) -> dict[str, Any]:
    """Return one optimizer by parameter name; its tensors go into the snapshot."""
    state = {
        names[id(parameter)]: pack(values, snapshot.optimizer, f"{name}/{names[id(parameter)]}")
        for parameter, values in optimizer.state.items()
    }
    groups = [
        {
            "params": [names[id(parameter)] for parameter in group["params"]],
            "options": _gather_plain(
                snapshot,
                {key: value for key, value in group.items() if key != "params"},
                f"{name}/group{index}",
            ),
        }
        for index, group in enumerate(optimizer.param_groups)
    ]
    return {"name": name, "class": type(optimizer).__name__, "groups": groups, "state": state}


def _gather_plain(snapshot: CheckpointState, values: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Named values as JSON; what cannot be kept is left out and told in the manifest."""
    kept = {}
    tensors = snapshot.optimizer if "/" in path else snapshot.state
    for key, value in values.items():
        try:
            kept[key] = pack(value, tensors, f"{path}/{key}")
        except CannotPack as error:
            snapshot.inexact.append(str(error))
    return kept


def _write_tensors(tensors: Tensors) -> Write:
    def write(path: Path) -> None:
        try:
            safetensors.torch.save_file(tensors, path, metadata={"format": "pt", "writer": "helm"})
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(f"{path.name} cannot be written as safetensors: {error}") from None

    return write
