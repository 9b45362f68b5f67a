"""`helm_sdk.torch.init`: a run with a trainer around it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import helm_sdk
from helm_sdk._run.run import Run, current_run, waiting_run
from helm_sdk._shared.notice import say
from helm_sdk.torch._coordination import Coordination
from helm_sdk.torch._ranks import entry, rank
from helm_sdk.torch._ranks.distributed import DistributedProcess
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
    In a job of several ranks call it on each of them, before `init_process_group` or after: they are one run,
    whose controls change every rank at the same step. HELM_RANK_TIMEOUT is how many seconds a rank waits for
    the others (10).
    control_every: commands are looked for at each step that this number divides.
    on_nonfinite: "warn" tells of a loss, or of a norm that `clip_grad_norm_` measured, that is not finite and
    costs no synchronisation. "skip" also leaves out an optimizer step whose gradients are not finite, and
    the schedule's with it: one norm is read for each training step, for which the loop waits for the device
    once (with a scaler the scaler decides, as it always does). "pause" does that and then holds the loop, as
    it does for a loss that is not finite, until somebody sends resume.
    """
    options = {
        "project": project,
        "name": name,
        "config": config,
        "tags": tags,
        "notes": notes,
        "system_metrics": system_metrics,
        **more,
    }
    run, coordination = _entered(options)
    return Trainer(
        run,
        log_ranks=log_ranks,
        control_every=control_every,
        on_nonfinite=on_nonfinite,
        coordination=coordination,
    )


def _entered(options: dict[str, Any]) -> tuple[Run, Coordination | None]:
    """The run of this process, and what it agrees with: nothing where it is the only one."""
    already = current_run()
    place = rank.now()
    if (place is not None and place.world == 1) or os.environ.get("HELM_RUN_MODE", "").strip() == "disabled":
        return helm_sdk.init(**options), already._agreement if already is not None else None
    asked = entry.RankArguments(options)
    if already is not None and already._waiting_as:
        say("init was called again: going on with the run that this process waits for or is in")
        return already, already._agreement
    if already is None and (place is None or place.rank > 0) and not options.get("join"):
        run = waiting_run("rank-0" if place is None else place.process)
        return run, DistributedProcess(run, place, asked)
    if place is not None and place.rank == 0 and not options.get("resume"):
        options = {**options, "resume": entry.earlier_run(place, asked) or None}
    run = helm_sdk.init(**options)
    return run, None if run.disabled else run._agreement or DistributedProcess(run, place, asked)
