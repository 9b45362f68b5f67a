"""The states of controls as checkpoints kept them before each control had a state of its own."""

from __future__ import annotations

from typing import Any


def state_of(name: str, kept: dict[str, Any]) -> Any:
    """Return the state of one control from its entry in a manifest; None where it keeps none."""
    if "state" in kept:
        return kept["state"]
    if name == "lr" and "courses" in kept:
        return {"overrides": kept["courses"], "pending": []}
    if name == "grad_clip" and kept.get("set"):
        return {"max_norm": kept["max_norm"], "set": True}
    if name == "dropout" and "modules" in kept:
        return {"modules": kept["modules"]}
    return None
