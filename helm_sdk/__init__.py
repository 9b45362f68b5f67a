"""The SDK that runs inside a training process.

A module is imported when one of its names is first used, so that `import helm_sdk` stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from helm_sdk._run.run import Run
    from helm_sdk._run.start import init
    from helm_sdk.models import Capability, CommandContext, opaque_schema

_MODULES = {
    "Capability": "helm_sdk.models",
    "CommandContext": "helm_sdk.models",
    "Run": "helm_sdk._run.run",
    "init": "helm_sdk._run.start",
    "opaque_schema": "helm_sdk.models",
}

__all__ = ["Capability", "CommandContext", "Run", "init", "opaque_schema"]


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'helm_sdk' has no attribute {name!r}")
    return getattr(importlib.import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
