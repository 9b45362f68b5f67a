"""The record of a new run: command line, commit, versions, and the run that it was forked from."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
import time
from contextlib import suppress
from pathlib import Path

from helm_sdk._run.arguments import InitArguments
from helm_sdk._run.git import git_state
from helm_sdk._shared.secrets import hide_secrets
from helm_sdk.protocol.messages import RunRecord
from helm_sdk.record import layout
from helm_sdk.record.errors import RecordError
from helm_sdk.record.runs import find_run

_PACKAGES = ("helm-desktop", "torch", "numpy", "transformers", "lightning")
_JOB_IDS = {  # Slurm, LSF, PBS and Grid Engine
    "job": ("SLURM_JOB_ID", "LSB_JOBID", "PBS_JOBID", "JOB_ID"),
    "array": ("SLURM_ARRAY_JOB_ID", "PBS_ARRAY_ID"),
    "task": ("SLURM_ARRAY_TASK_ID", "LSB_JOBINDEX", "PBS_ARRAY_INDEX", "SGE_TASK_ID"),
    "restart": ("SLURM_RESTART_COUNT",),
}
_LONGEST_ARGUMENT = 500  # characters kept of one; that of `python -c` is a whole script


def new_record(arguments: InitArguments, home: Path) -> RunRecord:
    """Return the record of a run that begins now."""
    now = time.time()
    run_id = layout.new_run_id(now)
    origin = arguments.fork_from
    if origin:
        with suppress(RecordError):
            origin = find_run(home, origin).run_id
    return RunRecord(
        run_id=run_id,
        project=arguments.project,
        name=arguments.name or run_id,
        created=now,
        config=arguments.config,
        tags=arguments.tags,
        notes=arguments.notes,
        command=command_line(),
        git=git_state(_script_folder()),
        versions=_versions(),
        host=platform.node(),
        fork_from=origin,
        fork_step=arguments.fork_step,
        job=job_ids(),
    )


def job_ids() -> dict[str, str]:
    """Return what a scheduler of jobs calls this one: job, array and task; what is not set is left out."""
    found = {}
    for label, names in _JOB_IDS.items():
        value = next((os.environ[name] for name in names if os.environ.get(name)), "")
        if value:
            found[label] = value
    return found


def command_line() -> tuple[str, ...]:
    """Return the command line that started the script, with secrets replaced."""
    arguments = getattr(sys, "orig_argv", None) or sys.argv
    clean = (argument.encode("utf-8", "backslashreplace").decode() for argument in arguments)
    return hide_secrets([argument[:_LONGEST_ARGUMENT] for argument in clean])


def _script_folder() -> Path:
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    return Path(script).resolve().parent if script else Path.cwd()


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for package in _PACKAGES:
        with suppress(Exception):  # not installed, or installed in an odd way
            versions[package] = importlib.metadata.version(package)
    return versions
