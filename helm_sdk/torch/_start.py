"""`helm_sdk.torch.init`: a run with a trainer around it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import helm_sdk
from helm_sdk._notice import say
from helm_sdk.torch.trainer import Trainer


def init(
    project: str | None = None,
    name: str | None = None,
    config: Any = None,
    tags: Sequence[str] = (),
    notes: str = "",
    system_metrics: bool = False,
    *,
    log_ranks: str = "zero",
    control_every: int = 1,
    on_nonfinite: str = "warn",
    **more: Any,
) -> Trainer:
    """Open a run, as `helm_sdk.init` (which takes `more`), and return its trainer; the run is `.run`.

    log_ranks: which ranks `tr.log` writes from, "zero" or "all".
    control_every: commands are looked for at each step that this number divides.
    on_nonfinite: "warn" tells of a loss, or of a norm that `clip_grad_norm_` measured, that is not finite and
    costs no synchronisation. "skip" also leaves out an optimizer step whose gradients are not finite, and
    the schedule's with it: one norm is read for each training step, for which the loop waits for the device
    once (with a scaler the scaler decides, as it always does). "pause" does that and then holds the loop, as
    it does for a loss that is not finite, until somebody sends resume.
    """
    run = helm_sdk.init(
        project,
        name=name,
        config=config,
        tags=tags,
        notes=notes,
        system_metrics=system_metrics,
        **more,
    )
    world = os.environ.get("WORLD_SIZE", "1")
    if world.isdigit() and int(world) > 1:
        say(f"this version steers a job of one process; of {world} ranks each records and is steered alone")
    return Trainer(run, log_ranks=log_ranks, control_every=control_every, on_nonfinite=on_nonfinite)
