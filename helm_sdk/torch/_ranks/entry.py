"""How each rank comes to the one run: rank 0 opens it and says which it is, the others learn it and join."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

import helm_sdk._run.start as start
from helm_sdk._run.run import Run
from helm_sdk._shared.notice import print_notice
from helm_sdk.protocol.messages import RunRecord
from helm_sdk.record import layout
from helm_sdk.record.run import RunFolder, create_run
from helm_sdk.record.runs import list_runs
from helm_sdk.torch._ranks.rank import RankIdentity
from helm_sdk.torch._ranks.store import StoreConnection, of_agent

_LAST_RUN = "helm/last-run"  # beside the restarts: the next of them resumes it
_FACT = "torchrun"
_LOOK_BACK = 5  # runs
_LOOK_S = 0.05
_LOOK_LATER_S = 0.5
_AGAIN_S = 3.0  # how long a rank that comes again waits for a new run before it takes the old one

_inits: list[int] = [0]  # how many runs this process has taken part in


@dataclass(frozen=True)
class RankArguments:
    """What `init` was called with."""

    options: dict[str, Any] = field(default_factory=dict)


def begin(run: Run, asked: RankArguments) -> None:
    """Rank 0, having waited to learn that it is: open the run that was asked for."""
    start.enter(run, **asked.options)


def earlier_run(place: RankIdentity, asked: RankArguments) -> str:
    """Return the run of the job before torchrun started it anew; empty when there is none."""
    if place.restart == 0:
        return ""
    store = of_agent()
    found: Any = StoreConnection(store, "", 5.0).get(_LAST_RUN) if store is not None else None
    return str(found) if found else _same_launcher(asked)


def _same_launcher(asked: RankArguments) -> str:
    """By what the runs say of their launcher: a store of the job's own ended with it."""
    home = Path(asked.options.get("home") or layout.home())
    project = asked.options.get("project") or os.environ.get("HELM_RUN_PROJECT") or "default"
    with suppress(Exception):
        runs = sorted(list_runs(home, project), key=lambda run: run.created, reverse=True)
        for run in runs[:_LOOK_BACK]:
            for reader in RunFolder(run.path).readers():
                with reader:
                    facts = reader.catalogues().get("facts")
                    if facts is not None and facts.body.get(_FACT) == launcher():
                        return str(run.run_id)
    return ""


def launcher() -> dict[str, Any] | None:
    """Return what tells one torchrun from another; None where no torchrun started this process."""
    elastic = os.environ.get("TORCHELASTIC_RUN_ID")
    if elastic is None:
        return None
    return {"id": elastic, "host": platform.node(), "pid": os.getppid()}


def publish(line: StoreConnection, run: Run, place: RankIdentity) -> int:
    """Say which run it is; the number that the job's runs are counted by."""
    _inits[0] = number = line.add("runs", 1)
    reported: dict[str, Any] = {"disabled": True}
    if not run.disabled and run.trainer_port.identity is not None:
        reported = {
            "run_id": run.run_id,
            "folder": str(run.folder),
            "home": str(run.trainer_port.identity.home),
            "record": msgspec.to_builtins(run.trainer_port.identity.run),
        }
    started_by = launcher()
    if started_by is not None and not run.disabled:
        run.fact(_FACT, started_by)
    agent = of_agent()
    if agent is not None and run.run_id:
        StoreConnection(agent, "", 5.0).put(_LAST_RUN, run.run_id)
    line.put(f"run/{number}", reported)
    return number


def find(
    line: StoreConnection, run: Run, asked: RankArguments, place: RankIdentity, wait: Callable[[float], bool]
) -> int | None:
    """Learn the run and join it; its number, or None when this process ended first.

    A process that comes again waits a moment for the job's next run, then joins the one under way.
    """
    wanted, began = _inits[0] + 1, time.monotonic()
    while True:
        waited = time.monotonic() - began
        known = line.add("runs", 0)
        number = wanted if known >= wanted else known
        reported = line.get(f"run/{number}") if number and (number == wanted or waited > _AGAIN_S) else None
        if reported is not None:
            break
        if wait(_LOOK_S if waited < 10 else _LOOK_LATER_S):
            return None
    _inits[0] = number
    if reported.get("disabled"):
        run.trainer_port.disable()
        return None
    if not run.run_id:
        _enter(run, asked, place, reported)
    elif run.run_id != reported["run_id"]:
        print_notice(
            f"rank {place.rank} began a run of its own: call init after init_process_group, "
            "or start the ranks with torchrun"
        )
    return number


def _enter(run: Run, asked: RankArguments, place: RankIdentity, told: dict[str, Any]) -> None:
    folder, home = Path(told["folder"]), Path(told["home"])
    if not (folder / layout.RUN_FILE).is_file():  # another host, without a file system in common
        home = Path(asked.options.get("home") or layout.home()).absolute()
        record = msgspec.convert(told["record"], RunRecord)
        if not (layout.run_folder(home, record.project, record.run_id) / layout.RUN_FILE).is_file():
            create_run(home, record)
    start.enter(
        run,
        announce=False,
        project=asked.options.get("project"),
        home=home,
        join=told["run_id"],
        process=place.process,
        system_metrics=bool(asked.options.get("system_metrics")),
    )
