"""Open a run: a new one, the next attempt of an earlier one, or a further process of a running one."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from helm_sdk._recorder.identity import RecorderIdentity
from helm_sdk._recorder.live import process_record
from helm_sdk._run.arguments import InitArguments, checked
from helm_sdk._run.origin import command_line, job_ids, new_record
from helm_sdk._run.run import Run, current_run, disabled_run, open_run
from helm_sdk._run.standard_streams import keep_standard_streams
from helm_sdk._shared.notice import print_notice, printable
from helm_sdk.keys import Keys, KeysError, load_keys
from helm_sdk.protocol.messages import Event, RunRecord
from helm_sdk.protocol.peer import RunState
from helm_sdk.record import layout, private
from helm_sdk.record.errors import AmbiguousRun, DamagedFile, LockedError, RecordError, RunNotFound
from helm_sdk.record.host import process_gone
from helm_sdk.record.lock import FileLock
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.run import RunFolder, create_run
from helm_sdk.record.runs import find_run, list_runs

_DEFAULTS: dict[str, Any] = {
    "project": None,
    "name": None,
    "config": None,
    "tags": (),
    "notes": "",
    "resume": None,
    "fork_from": None,
    "join": None,
    "process": "rank-0",
    "role": "trainer",
}
_STARTING_SECONDS = 30.0  # a process that has made its file and written nothing yet may still begin
_CUT_OFF = frozenset({RunState.KILLED, RunState.LOST, RunState.INTERRUPTED, RunState.FAILED})


def init(
    project: str | None = None,
    name: str | None = None,
    config: Any = None,
    tags: Sequence[str] = (),
    notes: str = "",
    system_metrics: bool = False,
    resume: str | None = None,
    home: str | os.PathLike[str] | None = None,
    fork_from: str | None = None,
    join: str | None = None,
    process: str = "rank-0",
    role: str = "trainer",
) -> Run:
    """Open a run in a project and start recording. No account, no server and no network is needed.

    Where the run's folder cannot be written, the run is recorded in the system's temporary folder; where
    that fails too, the returned run does nothing. Either is reported in one printed line: training goes on.

    Args:
        project: The project; without it HELM_RUN_PROJECT, else "default".
        name: The run's name; without it the run's id.
        config: The configuration: a mapping, a dataclass, or an argparse namespace. Values that JSON cannot
            represent are kept as text.
        tags: Tags.
        notes: A note on the run.
        system_metrics: Log the host and its GPUs as streams `system/…`, every 15 s.
        resume: Go on with a run as its next attempt: an id, a name, "latest", or "auto". "auto" goes on with
            the project's newest run of this name (without a name: of this command and configuration; in an
            array of jobs: of this task) if it was cut off, else it begins a new run. Where there is no such
            run, or another process still writes it, a new run begins, with one printed line.
        home: The folder of all runs; without it HELM_RUN_HOME, else the user's data folder.
        fork_from: The run that this one branches from, as `run` or `run@step`.
        join: The id of a run of which this is a further process, with a `process` and `role` of its own.
        process: The name of this process within the run; for "rank-0" HELM_RUN_PROCESS stands in.
        role: What the process does, such as "trainer" or "evaluator".

    Returns:
        The run. With HELM_RUN_MODE=disabled, a run on which every call does nothing. Where a run is open in
        this process already, that run, with one printed line; a call with another name, project or
        configuration ends that run and begins the next one.

    Raises:
        TypeError: The project, name, process or role is no text.
        ValueError: The project is blank.
    """
    if os.environ.get("HELM_RUN_MODE", "").strip().lower() == "disabled":
        return disabled_run()
    requested = checked(project, name, config, tags, notes, resume, fork_from, join, process, role)
    already = current_run()
    if already is not None:
        if not _is_another(already, requested, config is not None, project is not None):
            print_notice(
                f"The run {already.name} ({already.run_id}) is open already and goes on "
                "(finish it first for a new one)"
            )
            return already
        print_notice(f"The run {already.name} ({already.run_id}) ends: init was called for another run")
        already.finish()
    keep_standard_streams()
    chosen = (Path(home).expanduser() if home is not None else layout.home()).absolute()
    run = _open_somewhere(requested, chosen)
    if run is None:
        return disabled_run()
    _announce(run)
    run.trainer_port.event("joined", None, _joined_body(run, requested))
    if system_metrics:
        _collect(run)
    return run


def enter(run: Run, *, announce: bool = True, system_metrics: bool = False, **arguments: Any) -> None:
    """Let a process that did not know its run record into the run that `init` would open or join.

    An error is printed, and the process is not recorded.
    """
    options = {**_DEFAULTS, **arguments}
    home = options.pop("home", None)
    wanted = checked(**options)
    chosen = (Path(home).expanduser() if home is not None else layout.home()).absolute()
    try:
        run.join(_identity(wanted, chosen))
    except Exception as error:
        print_notice(f"The process {wanted.process} is not recorded: {error}; training goes on")
        run.trainer_port.disable()
        return
    if announce:
        _announce(run)
    run.trainer_port.event("joined", None, _joined_body(run, wanted))
    if system_metrics:
        _collect(run)


def _is_another(already: Run, arguments: InitArguments, has_config: bool, has_project: bool) -> bool:
    """Return True when `init` was called for another run than the one that is open."""
    port = already.trainer_port
    if arguments.join or port.waits_for_run or port.coordination is not None or already.disabled:
        return False  # of several ranks each would have to end its own at the same step
    return (
        bool(arguments.name and arguments.name != already.name)
        or (has_config and arguments.config != already.config)
        or (has_project and arguments.project != already.project)
    )


def _open_somewhere(arguments: InitArguments, home: Path) -> Run | None:
    """Return a run in its home, or in the fallback home where that cannot be written; None when both fail."""
    first: Exception
    try:
        return _opened(arguments, home)
    except Exception as error:  # whatever it is, the training goes on
        first = error
    fallback = layout.fallback_home()
    if arguments.join or fallback == home:
        print_notice(f"This run is not recorded: {first}; training goes on")
        return None
    try:
        private.make_folder(fallback)
        if not private.is_own_folder(fallback):
            raise RecordError(f"{fallback} belongs to somebody else, or is open to others")
        run = _opened(replace(arguments, resume=""), fallback)
    except Exception as error:
        print_notice(
            f"This run is not recorded: {first}; {fallback} cannot be used either: {error}; training goes on"
        )
        return None
    print_notice(f"The folder {home} cannot be written ({first}): this run is in {fallback}")
    return run


def _opened(arguments: InitArguments, home: Path) -> Run:
    """Return an open run. What should be resumed and cannot be is a new run, which is said."""
    try:
        return open_run(_identity(arguments, home))
    except (LockedError, RunNotFound, AmbiguousRun) as error:
        if arguments.join or not arguments.resume:
            raise
        print_notice(f"This is a new run, not a further attempt: {error}")
    return open_run(_identity(replace(arguments, resume=""), home))


def _identity(arguments: InitArguments, home: Path) -> RecorderIdentity:
    found = _existing(arguments, home)
    if found is None:
        folder = create_run(home, new_record(arguments, home))
    else:
        folder, home = found, found.home or home
    process = layout.safe_name(arguments.process)
    files = folder.process_files()
    own = {file.attempt: file.path for file in files if file.process == process}
    newest = max((file.attempt for file in files), default=1)
    # A process that joins belongs to the attempt under way, unless it has written that one already.
    attempt = max(newest, max(own, default=0) + 1)
    earlier, commands = _earlier(own, arguments.process)
    record = process_record(folder.run_id, arguments.process, arguments.role, attempt, time.time())
    return RecorderIdentity(
        home=home,
        folder=folder.path,
        run=folder.record,
        process=record,
        keys=_keys(),
        earlier=earlier,
        earlier_commands=commands,
    )


def _existing(arguments: InitArguments, home: Path) -> RunFolder | None:
    if arguments.join:
        return find_run(home, arguments.join)
    if arguments.resume == "auto":
        return _cut_off(arguments, home)
    if arguments.resume == "latest":
        runs = list_runs(home, arguments.project)
        if not runs:
            raise RunNotFound(f"there is no run in {arguments.project} to resume")
        return RunFolder(max(runs, key=lambda run: (run.created, run.run_id)).path)
    return find_run(home, arguments.resume) if arguments.resume else None


def _cut_off(arguments: InitArguments, home: Path) -> RunFolder | None:
    """Return the newest run that was cut off and that this script could be going on with."""
    runs = [run for run in list_runs(home, arguments.project) if not run.archived]
    for run in sorted(runs, key=lambda run: (run.created, run.run_id), reverse=True):
        try:
            folder = RunFolder(run.path)
        except RecordError:
            continue
        if _could_be(arguments, folder.record):
            just_begun = not folder.process_files() and time.time() - run.created < _STARTING_SECONDS
            return folder if run.state in _CUT_OFF and not just_begun else None
    return None


def _could_be(arguments: InitArguments, record: RunRecord) -> bool:
    """Return True for the same name, else the same command and configuration; of an array the same task."""
    here, there = job_ids(), record.job
    if here.get("task") != there.get("task"):
        return False
    if here.get("array") and here.get("array") == there.get("array"):
        return True
    if arguments.name:
        return arguments.name == record.name
    unnamed = record.name == record.run_id
    return unnamed and record.command == command_line() and record.config == arguments.config


def _earlier(
    own: dict[int, Path], process: str
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, Event], ...]]:
    """Return the last numbers and the commands of this process's earlier attempts, without unreadable files.

    Raises LockedError when one of them is being written.
    """
    numbers: list[tuple[int, int]] = []
    commands: list[tuple[int, Event]] = []
    for attempt, path in sorted(own.items()):
        try:
            reader = ProcessReader(path)
        except RecordError:
            _refuse_if_written(path, process)
            continue
        with reader, suppress(DamagedFile):
            record = reader.record
            if not record.outcome and process_gone(record) is False:
                raise LockedError(f"{process} of this run is still running as process {record.pid}")
            numbers.append((attempt, reader.last_seq))
            commands.extend((attempt, event) for event in reader.events("command"))
    return tuple(numbers), tuple(commands)


def _refuse_if_written(path: Path, process: str) -> None:
    """Raise LockedError where another process writes the file, which it may just have begun."""
    try:
        FileLock(layout.lock_file(path)).release()
    except LockedError:
        raise LockedError(f"{process} of this run has just been started elsewhere") from None
    except (OSError, RecordError):
        return


def _keys() -> Keys | None:
    try:
        return load_keys()
    except KeysError as error:
        print_notice(f"Controls cannot be used, and the app reads the files instead: {error}")
        return None


def _joined_body(run: Run, arguments: InitArguments) -> dict[str, Any]:
    body: dict[str, Any] = {"process": run.process, "role": arguments.role, "attempt": run.attempt}
    if arguments.join or arguments.resume:
        body["command"] = list(command_line())
        known = run.config
        changed = {key: value for key, value in arguments.config.items() if known.get(key) != value}
        if changed:
            body["config"] = changed
    return body


def _announce(run: Run) -> None:
    with suppress(Exception):
        attempt = f", attempt {run.attempt}" if run.attempt > 1 else ""
        text = f"helm: run {run.name}{attempt} in {run.folder} (open it: helm-desktop {_run_argument(run)})"
        print(printable(text, sys.stdout), flush=True)


def _run_argument(run: Run) -> str:
    """Return how the app is told to open the run: its id, or its folder outside the homes it looks in."""
    homes = [home.absolute() for home in layout.homes()]
    if run.folder is None or any(run.folder.is_relative_to(home) for home in homes):
        return run.run_id
    return shlex.quote(str(run.folder))


def _collect(run: Run) -> None:
    with suppress(Exception):
        from helm_sdk.system import Collector

        assert run.folder is not None
        # Of the processes of a run on one host the first one collects.
        lock = FileLock(run.folder / f".system-{layout.safe_name(platform.node())}.lock")
        port, collector = run.trainer_port, Collector(run.log, folder=run.folder)
        port.on_close(lock.release)
        port.on_close(collector.close)
