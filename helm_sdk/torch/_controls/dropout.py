"""dropout: the probability of every Dropout module, or of the named ones."""

from __future__ import annotations

from typing import Any

from torch.nn.modules.dropout import _DropoutNd

from helm_sdk.models import Applied, CommandContext
from helm_sdk.protocol.builders import enum_of, field, list_of, number, record_schema
from helm_sdk.protocol.kinds import as_number
from helm_sdk.torch._controls.base import ControlParts, Declaration, TrainerControl, capability

NAMED = 512  # modules that a form can offer by name


class DropoutControl(TrainerControl):
    """Sets `p` in place; a forward pass after it uses it."""

    def __init__(self, parts: ControlParts) -> None:
        self._model = parts.model
        self._read_back = parts.read_back
        self._next_step = parts.next_step

    def _find(self) -> dict[str, _DropoutNd]:
        """Return the Dropout modules that the model has now, by path."""
        return {
            name or type(module).__name__: module
            for name, module in self._model.named_modules()
            if isinstance(module, _DropoutNd)
        }

    def declare(self) -> Declaration:
        """Return a form for a probability, and the modules where there are several."""
        found = self._find()
        fields = [field("p", number(0, 1, exclusive=["max"]))]
        if 1 < len(found) <= NAMED:
            names = list_of(enum_of(list(found)), min_length=1)
            fields.append(field("modules", names, optional=True, help="these modules; absent: every one"))
        first = next(iter(found.values()), None)
        count = len(found)
        declared = capability(
            "dropout",
            input_schema=record_schema(*fields),
            starting=None if first is None else {"p": float(first.p)},
            help=f"The p of {count} Dropout module{'' if count == 1 else 's'}, from the next step on.",
        )
        return Declaration(declared, "" if found else "the model has no Dropout module")

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Set it on every module, or on the named ones."""
        found = self._find()
        names = list(value.get("modules") or found)
        if missing := [name for name in names if name not in found]:
            raise ValueError(f"the model has no Dropout module {missing[0]} any more")
        if not names:
            raise ValueError("the model has no Dropout module any more")
        p = float(as_number(value["p"]))
        first = found[names[0]]
        before = float(first.p)
        for name in names:
            found[name].p = p
        self._read_back.expect(context.id, lambda: first.p)
        kept = {"modules": names} if value.get("modules") else {}
        return Applied(
            old={"p": before, **kept},
            new={"p": p, **kept},
            result={"modules": len(names)},
            step=self._next_step(),
        )

    def state(self) -> Any:
        """Return the p of every module by its path."""
        return {"modules": {path: float(module.p) for path, module in self._find().items()}}

    def restore(self, state: Any) -> None:
        """Modules that the state does not know keep what they have."""
        found = self._find()
        for path, p in state["modules"].items():
            if path in found:
                found[path].p = p
