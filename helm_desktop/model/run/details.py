"""The details of a run as a tree: config, facts, git, versions, command, processes, model."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm_desktop.format import plural
from helm_desktop.format import size as size_words
from helm_desktop.model.run.updates import ProcessFacts
from helm_sdk.protocol.messages import RunRecord, TensorInfo


@dataclass(frozen=True)
class Detail:
    """One row of the tree, with its child rows."""

    name: str
    value: str = ""
    children: tuple[Detail, ...] = ()


def details_of(
    record: RunRecord,
    processes: Sequence[ProcessFacts],
    facts: Mapping[str, Any],
    tensors: Sequence[TensorInfo],
) -> tuple[Detail, ...]:
    """Return the sections that have rows."""
    sections = (
        Detail("Config", plural(len(record.config), "setting"), from_json(record.config)),
        Detail("Facts", "", from_json(facts)),
        Detail("Git", "", _git(record)),
        Detail("Versions", "", tuple(Detail(name, text) for name, text in sorted(record.versions.items()))),
        Detail("Command", shlex.join(record.command)),
        Detail("Processes", "", tuple(map(_process, processes))),
        Detail("Model", _model_size(tensors), model_tree(tensors)),
    )
    return tuple(
        section for section in sections if section.children or (section.name == "Command" and section.value)
    )


def from_json(value: Any) -> tuple[Detail, ...]:
    """Return the rows for the items of a mapping or a list; none for a plain value."""
    if isinstance(value, Mapping):
        items = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, list | tuple):
        items = [(str(index), item) for index, item in enumerate(value)]
    else:
        return ()
    return tuple(_row(name, item) for name, item in items)


def _row(name: str, value: Any) -> Detail:
    if isinstance(value, Mapping | list | tuple):
        return Detail(name, "" if value else "empty", from_json(value))
    if isinstance(value, bool):
        return Detail(name, "true" if value else "false")
    return Detail(name, "none" if value is None else str(value))


def _git(record: RunRecord) -> tuple[Detail, ...]:
    git = record.git
    if git is None or not git.commit:
        return ()
    state = "with changes that are not committed" if git.dirty else "clean"
    rows = [Detail("commit", git.commit[:12]), Detail("tree", state)]
    if git.branch:
        rows.insert(1, Detail("branch", git.branch))
    return tuple(rows)


def _process(facts: ProcessFacts) -> Detail:
    where = f"{facts.role} on {facts.host}, process {facts.pid}"
    return Detail(facts.process, f"{where}, attempt {facts.attempt}" if facts.attempt > 1 else where)


def _model_size(tensors: Sequence[TensorInfo]) -> str:
    if not tensors:
        return ""
    size = sum(tensor.bytes for tensor in tensors if not tensor.tied_to)
    return f"{plural(len(tensors), 'tensor')}, {size_words(size)}"


class _Module:
    """A module of the model while the tree is built."""

    __slots__ = ("children", "kind", "rows")

    def __init__(self) -> None:
        self.children: dict[str, _Module] = {}
        self.rows: list[Detail] = []
        self.kind = ""


def model_tree(tensors: Sequence[TensorInfo]) -> tuple[Detail, ...]:
    """Return the modules of the model as a tree, with shape, type, size and topology of their tensors."""
    root = _Module()
    for tensor in tensors:
        *path, leaf = tensor.path.split(".")
        node = root
        for part in path:
            node = node.children.setdefault(part, _Module())
        node.kind = tensor.module
        node.rows.append(Detail(leaf, _tensor_text(tensor)))
    return _rows_of(root)


def _rows_of(root: _Module) -> tuple[Detail, ...]:
    """Return the rows, built from the innermost modules outwards: recursion could be thousands deep."""
    order: list[_Module] = [root]
    for node in order:
        order.extend(node.children.values())
    done: dict[int, tuple[Detail, ...]] = {}
    for node in reversed(order):
        inner = tuple(Detail(name, child.kind, done[id(child)]) for name, child in node.children.items())
        done[id(node)] = inner + tuple(node.rows)
    return done[id(root)]


def _tensor_text(tensor: TensorInfo) -> str:
    shape = " × ".join(map(str, tensor.shape)) or "one value"
    parts = [shape, tensor.dtype.removeprefix("torch."), size_words(tensor.bytes)]
    if tensor.kind != "parameter":
        parts.append(tensor.kind)
    if tensor.tied_to:
        parts.append(f"the same as {tensor.tied_to}")
    if tensor.topology:
        parts.append(tensor.topology)
    return ", ".join(parts)
