"""The controls of the trainer by name: a new one is a module with its class, and a line here."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from helm_sdk.torch._controls.base import TrainerControl
from helm_sdk.torch._controls.checkpoint import CheckpointControl
from helm_sdk.torch._controls.dropout import DropoutControl
from helm_sdk.torch._controls.evaluation import EvalControl
from helm_sdk.torch._controls.grad_clip import GradClipControl
from helm_sdk.torch._controls.lr import LrControl
from helm_sdk.torch._controls.pause import PauseControl, ResumeControl, StopControl
from helm_sdk.torch._controls.weight_decay import WeightDecayControl

# In the order in which `watch` declares them.
CONTROLS: dict[str, type[TrainerControl]] = {
    "lr": LrControl,
    "weight_decay": WeightDecayControl,
    "grad_clip": GradClipControl,
    "checkpoint": CheckpointControl,
    "pause": PauseControl,
    "resume": ResumeControl,
    "dropout": DropoutControl,
    "stop": StopControl,
    "eval": EvalControl,
}


def chosen(names: Iterable[str] | None, has_eval: bool) -> list[str]:
    """Return the controls to declare. Raises ValueError for a name that no control has."""
    if isinstance(names, str):
        raise ValueError(f'controls is a list of names, such as ["{names}"]')
    by_default = [name for name, control in CONTROLS.items() if control.by_default]
    wanted = list(dict.fromkeys(by_default if names is None else names))
    for name in wanted:
        if name not in CONTROLS:
            raise ValueError(
                f"unknown control {name!r}{_guess(name)}; the controls are {', '.join(CONTROLS)}"
            )
        if name == "eval" and not has_eval:
            raise ValueError("the control eval needs an eval_fn")
    if has_eval and "eval" not in wanted:
        wanted.append("eval")
    return wanted


def _guess(name: str) -> str:
    near = difflib.get_close_matches(str(name), CONTROLS, n=1)
    return f", did you mean {near[0]!r}?" if near else ""
