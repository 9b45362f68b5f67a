"""checkpoint: save everything that a resume needs."""

from __future__ import annotations

from typing import Any

from helm_sdk.models import Applied, CommandContext
from helm_sdk.protocol.builders import boolean, field, record_schema, string
from helm_sdk.torch._controls.base import ControlParts, Declaration, TrainerControl, capability


class CheckpointControl(TrainerControl):
    """Saves at the trainer's safe point; the mark on the charts comes when the files are on disk."""

    reversible = False

    def __init__(self, parts: ControlParts) -> None:
        self._save = parts.save
        self._check_room = parts.check_room

    def declare(self) -> Declaration:
        """Return a form for an optional name, and for whether the checkpoint is pinned."""
        declared = capability(
            "checkpoint",
            input_schema=record_schema(
                field("name", string(), optional=True, help="absent: named by its step"),
                field("pin", boolean(), default=False, help="never retired"),
            ),
            button="Save now",
            help="Saves model, optimizer, schedule, scaler and random state.",
        )
        return Declaration(declared)

    def check(self, value: Any, context: CommandContext) -> None:
        """Raise what hinders this rank before every rank begins: a rank alone would wait for ever."""
        self._check_room(context.step)

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Save; a failure is this command's failure and training goes on."""
        given = value or {}
        return Applied(result=self._save(given.get("name") or "", bool(given.get("pin")), context.step))
