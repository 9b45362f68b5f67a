"""Whether a process applies commands alone or together with other ranks."""

from __future__ import annotations

from helm_sdk.torch._coordination import Coordination
from helm_sdk.torch._ranks import rank
from helm_sdk.torch._ranks.distributed import DistributedProcess
from helm_sdk.torch._ranks.entry import RankArguments
from helm_sdk.torch._ranks.single import SingleProcess


def chosen_coordination(coordination: Coordination) -> Coordination:
    """Return what decides from `watch` on: by then the job's processes know of each other."""
    if isinstance(coordination, DistributedProcess):
        alone = coordination.begin().world == 1
        return SingleProcess(coordination.run) if alone else coordination
    if isinstance(coordination, SingleProcess):
        identity = rank.of_group()  # a group may have been made after `init`
        if identity is not None and identity.world > 1 and not coordination.run.disabled:
            return DistributedProcess(coordination.run, identity, RankArguments())
    return coordination
