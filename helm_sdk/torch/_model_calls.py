"""Calls of a model that a framework trains, seen without a hook on the model.

A forward hook would be part of every copy and pickle of the model. Here `__call__` is replaced on the model's
class instead, while at least one model of it is watched. A model that is called inside a compiled graph is
seen where the graph is called.
"""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable
from typing import Any

import torch

Seen = Callable[[torch.nn.Module, Any, Any, Any], None]  # (model, args, kwargs, output)

_watched: weakref.WeakKeyDictionary[torch.nn.Module, Seen] = weakref.WeakKeyDictionary()
_replaced: dict[type, Any] = {}  # class -> its own __call__, None where it had none of its own


def watch(model: torch.nn.Module, seen: Seen) -> None:
    """Call `seen` after each call of the model."""
    _watched[model] = seen
    _replace(type(model))
    compiled = _compiled_class()
    if compiled is not None:
        _replace(compiled)


def unwatch(model: torch.nn.Module) -> None:
    """Undo `watch`; the classes get their own method back when no model is left."""
    _watched.pop(model, None)
    if _watched:
        return
    for one, own in _replaced.items():
        if own is None:
            del one.__call__
        else:
            one.__call__ = own  # type: ignore[method-assign]
    _replaced.clear()


def _compiled_class() -> type | None:
    """The class of compiled modules, where `torch.compile` is loaded."""
    module = sys.modules.get("torch._dynamo.eval_frame")
    found = getattr(module, "OptimizedModule", None)
    return found if isinstance(found, type) else None


def _watched_in(module: torch.nn.Module) -> torch.nn.Module | None:
    """The watched model that a call of this module is a call of."""
    if module in _watched:
        return module
    inner: Any = module.__dict__.get("_orig_mod") or module.__dict__.get("_modules", {}).get("_orig_mod")
    while inner is not None and inner not in _watched:
        inner = inner.__dict__.get("_modules", {}).get("module")
    found: torch.nn.Module | None = inner
    return found


def _replace(one: type) -> None:
    if one in _replaced:
        return
    own = vars(one).get("__call__")
    method: Any = own if own is not None else torch.nn.Module.__call__

    @functools.wraps(method)
    def call(self: torch.nn.Module, *args: Any, **kwargs: Any) -> Any:
        # Not `method`, where the class has none of its own: tracers replace that of torch.nn.Module.
        output = (own or torch.nn.Module.__call__)(self, *args, **kwargs)
        if not torch.compiler.is_compiling():
            model = _watched_in(self)
            if model is not None:
                _watched[model](model, args, kwargs, output)
        return output

    one.__call__ = call  # type: ignore[method-assign]
    _replaced[one] = own
