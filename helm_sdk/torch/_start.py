"""`helm_sdk.torch.init`: a run with a trainer around it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import helm_sdk
from helm_sdk._run.run import Run, current_run, waiting_run
from helm_sdk._shared.notice import print_notice
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
    """Open a run, as `helm_sdk.init` does, and return its trainer. The run is `trainer.run`.

    In a job of several ranks call it on each of them, before `init_process_group` or after. They are one run,
    and a change is applied on every rank at the same step. HELM_RANK_TIMEOUT is how many seconds a rank waits
    for the others (10).

    Args:
        project: As in `helm_sdk.init`.
        name: As in `helm_sdk.init`.
        config: As in `helm_sdk.init`.
        tags: As in `helm_sdk.init`.
        notes: As in `helm_sdk.init`.
        system_metrics: As in `helm_sdk.init`.
        log_ranks: The ranks that `Trainer.log` writes from: "zero" or "all".
        control_every: Commands are looked for at every n-th call of `Trainer.step`.
        on_nonfinite: What happens when the loss, or a norm that `clip_grad_norm_` measured, is not finite.
            "warn" records a warning and costs no synchronisation. "skip" also leaves out an optimizer step
            whose gradients are not finite, and the schedule's step with it; for that the loop waits for the
            device once a step (with a `GradScaler`, the scaler decides). "pause" does the same and then holds
            the loop until somebody sends `resume`; a loss that is not finite holds it too.
        **more: Further arguments of `helm_sdk.init`, such as `resume`.

    Returns:
        The trainer.

    Raises:
        ValueError: If `log_ranks`, `control_every` or `on_nonfinite` is none of the above.
        TypeError: As in `helm_sdk.init`.
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
    """Return the run of this process, and what it agrees with: nothing where it is the only one."""
    already = current_run()
    place = rank.now()
    if (place is not None and place.world == 1) or os.environ.get("HELM_RUN_MODE", "").strip() == "disabled":
        return helm_sdk.init(**options), already.trainer_port.coordination if already is not None else None
    requested = entry.RankArguments(options)
    if already is not None and already.trainer_port.waits_for_run:
        print_notice("init was called again: going on with the run that this process waits for or is in")
        return already, already.trainer_port.coordination
    if already is None and (place is None or place.rank > 0) and not options.get("join"):
        run = waiting_run("rank-0" if place is None else place.process)
        return run, DistributedProcess(run, place, requested)
    if place is not None and place.rank == 0 and not options.get("resume"):
        options = {**options, "resume": entry.earlier_run(place, requested) or None}
    run = helm_sdk.init(**options)
    return run, None if run.disabled else run.trainer_port.coordination or DistributedProcess(
        run, place, requested
    )
