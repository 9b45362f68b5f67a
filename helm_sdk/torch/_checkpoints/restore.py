"""A checkpoint put back: everything is verified and matched first, then all of it is applied, or nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from helm_sdk.torch import _sharded
from helm_sdk.torch._checkpoints import rng, state
from helm_sdk.torch._checkpoints.pack import unpack
from helm_sdk.torch._checkpoints.store import CheckpointError, verify
from helm_sdk.torch._schedules.groups import optimizer_names
from helm_sdk.torch._tensors import canonical


@dataclass
class LoadedCheckpoint:
    """A verified checkpoint in host memory; `where` names it in errors."""

    where: str
    aliases: dict[str, str]
    model: dict[str, torch.Tensor]
    optimizer: dict[str, torch.Tensor]
    optimizers: list[dict[str, Any]]
    state: dict[str, torch.Tensor]
    plain: dict[str, Any]
    manifest: dict[str, Any] = field(default_factory=dict)


def read(path: Path) -> LoadedCheckpoint:
    """Verify every file of a checkpoint and read it."""
    manifest = verify(path)
    for name in (state.MODEL, state.OPTIMIZER, state.OPTIMIZER_JSON, state.STATE, state.STATE_JSON):
        if name not in manifest["files"]:
            raise CheckpointError(f"{path / name} is not in the manifest")
    return LoadedCheckpoint(
        where=str(path),
        aliases=manifest.get("aliases", {}),
        model=safetensors.torch.load_file(path / state.MODEL),
        optimizer=safetensors.torch.load_file(path / state.OPTIMIZER),
        optimizers=json.loads((path / state.OPTIMIZER_JSON).read_text(encoding="utf-8")),
        state=safetensors.torch.load_file(path / state.STATE),
        plain=json.loads((path / state.STATE_JSON).read_text(encoding="utf-8")),
        manifest=manifest,
    )


@dataclass
class RestoreTarget:
    """What a checkpoint is put into."""

    model: torch.nn.Module
    optimizers: Sequence[torch.optim.Optimizer]
    schedulers: Sequence[Any] = ()
    scaler: Any = None
    rank: int = 0  # a checkpoint holds rank 0's random numbers: the others keep their own
    world: int = 1

    @property
    def sharded(self) -> bool:
        """Whether each rank holds a part of it, so that every rank has to take part in `gather`."""
        return any(_sharded.is_sharded(parameter) for parameter in self.model.parameters())

    def gather(self) -> state.CheckpointState:
        """Return its state as it stands."""
        snapshot = state.gather(self.model, self.optimizers, self.schedulers, self.scaler)
        if self.world > 1:
            snapshot.inexact.append("the random state of the other ranks is not kept")
        return snapshot


def apply(loaded: LoadedCheckpoint, training: RestoreTarget) -> None:
    """Put a checkpoint into the training: all of it, or a CheckpointError and nothing."""
    weights = _match_model(loaded, training.model)
    matched = _match_optimizers(loaded, training)
    _match_rest(loaded, training)
    before = training.gather()
    try:
        _apply_loaded(loaded, weights, matched, training)
    except Exception as error:
        held = _as_loaded(before)
        _apply_loaded(held, _match_model(held, training.model), _match_optimizers(held, training), training)
        raise CheckpointError(f"{loaded.where} could not be applied, nothing was changed: {error}") from error


Targets = list[tuple[torch.Tensor, torch.Tensor]]  # (where it goes, what goes there)
Matched = list[tuple[torch.optim.Optimizer, dict[str, torch.Tensor], dict[str, Any]]]


def _as_loaded(snapshot: state.CheckpointState) -> LoadedCheckpoint:
    return LoadedCheckpoint(
        where="the training as it was",
        aliases=snapshot.aliases,
        model=snapshot.model,
        optimizer=snapshot.optimizer,
        optimizers=snapshot.optimizer_json,
        state=snapshot.state,
        plain=snapshot.state_json,
    )


def _match_rest(loaded: LoadedCheckpoint, training: RestoreTarget) -> None:
    saved, watched = len(loaded.plain["schedulers"]), len(training.schedulers)
    if saved != watched:
        raise CheckpointError(f"{loaded.where} holds {saved} schedulers, {watched} are watched")
    if (loaded.plain["scaler"] is None) != (training.scaler is None):
        saved_with = "without" if loaded.plain["scaler"] is None else "with"
        raise CheckpointError(f"{loaded.where} was saved {saved_with} a scaler, the training is not")


def _match_model(loaded: LoadedCheckpoint, model: torch.nn.Module) -> Targets:
    wanted = {
        canonical(name): value
        for name, value in model.state_dict(keep_vars=True).items()
        if isinstance(value, torch.Tensor)
    }
    saved = {**loaded.model, **{name: loaded.model[source] for name, source in loaded.aliases.items()}}
    _same_names(f"{loaded.where}: {state.MODEL}", "tensors", set(saved), set(wanted))
    for name, target in wanted.items():
        if saved[name].shape != target.shape or saved[name].dtype != target.dtype:
            there, here = _tensor_text(saved[name]), _tensor_text(target)
            raise CheckpointError(f"{loaded.where}: {name} is {there} there and {here} in the model")
    return [(target, saved[name]) for name, target in wanted.items()]


def _match_optimizers(loaded: LoadedCheckpoint, training: RestoreTarget) -> Matched:
    names = state.parameter_names(training.model, training.optimizers)
    here = optimizer_names(training.optimizers)
    _same_names(loaded.where, "optimizers", {one["name"] for one in loaded.optimizers}, set(here))
    matched: Matched = []
    for saved, optimizer in zip(loaded.optimizers, training.optimizers, strict=True):
        if len(saved["groups"]) != len(optimizer.param_groups):
            counts = f"{len(saved['groups'])} groups there and {len(optimizer.param_groups)} here"
            raise CheckpointError(f"{loaded.where}: {saved['name']} has {counts}")
        by_name: dict[str, torch.Tensor] = {}
        for index, (kept, group) in enumerate(zip(saved["groups"], optimizer.param_groups, strict=True)):
            owned = {names[id(parameter)]: parameter for parameter in group["params"]}
            where = f"{loaded.where}: {saved['name']} group {index}"
            _same_names(where, "parameters", set(kept["params"]), set(owned))
            by_name.update(owned)
        matched.append((optimizer, by_name, saved))
    return matched


def _same_names(where: str, what: str, saved: set[str], wanted: set[str]) -> None:
    if missing := sorted(wanted - saved):
        raise CheckpointError(f"{where} lacks {len(missing)} {what}, the first is {missing[0]}")
    if surplus := sorted(saved - wanted):
        raise CheckpointError(
            f"{where} has {len(surplus)} {what} that are not here, the first is {surplus[0]}"
        )


def _tensor_text(tensor: torch.Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}"


@torch.no_grad()
def _apply_loaded(
    loaded: LoadedCheckpoint, weights: Targets, matched: Matched, training: RestoreTarget
) -> None:
    for target, value in weights:
        target.copy_(_sharded.part_of(value, target))
    _apply_extra(loaded, training.model)
    for optimizer, by_name, saved in matched:
        _apply_optimizer(optimizer, by_name, saved, loaded.optimizer)
    for scheduler, packed in zip(training.schedulers, loaded.plain["schedulers"], strict=True):
        scheduler.load_state_dict({**scheduler.state_dict(), **unpack(packed, loaded.state)})
    if training.scaler is not None:
        training.scaler.load_state_dict(unpack(loaded.plain["scaler"], loaded.state))
    if training.rank == 0:
        rng.restore(unpack(loaded.plain["rng"], loaded.state))


def _apply_extra(loaded: LoadedCheckpoint, model: torch.nn.Module) -> None:
    extra = unpack(loaded.plain.get("model_extra", {}), loaded.state)
    for path, module in model.named_modules():
        name = canonical(f"{path}._extra_state" if path else "_extra_state")
        if name in extra:
            module.set_extra_state(extra[name])


def _apply_optimizer(
    optimizer: torch.optim.Optimizer,
    by_name: Mapping[str, torch.Tensor],
    saved: Mapping[str, Any],
    tensors: Mapping[str, torch.Tensor],
) -> None:
    for kept, group in zip(saved["groups"], optimizer.param_groups, strict=True):
        for key, value in unpack(kept["options"], tensors).items():
            if isinstance(group.get(key), torch.Tensor):
                group[key].copy_(torch.as_tensor(value))
            else:
                group[key] = value
    optimizer.state.clear()
    for name, values in saved["state"].items():
        parameter = by_name[name]
        held = unpack(values, tensors, parameter.device)
        optimizer.state[parameter] = {
            key: _sharded.part_of(value, parameter) if isinstance(value, torch.Tensor) else value
            for key, value in held.items()
        }
