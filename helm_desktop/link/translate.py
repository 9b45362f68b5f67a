"""Updates and rows for the models, from the run client's counts and the run's files."""

from __future__ import annotations

from helm_desktop.model.run.updates import AboutUpdate, LossUpdate, ProcessFacts, RunRow, StatusUpdate
from helm_sdk.client import RunClient
from helm_sdk.protocol.messages import ProcessRecord
from helm_sdk.record.errors import RecordError
from helm_sdk.record.run import ProcessStatus, RunFolder
from helm_sdk.record.runs import RunSummary


def losses_of(client: RunClient) -> LossUpdate:
    """Return what did not come live, of all processes and of each."""
    total, each = client.losses, {}
    for process in client.processes:
        own = client.losses_of(process)
        each[process] = own.missing, own.repaired
    return LossUpdate(total.missing, total.repaired, total.malformed, each)


def status_of(statuses: list[ProcessStatus], run: RunFolder) -> StatusUpdate:
    """Return the status of the run, by its files and signs of life."""
    state, text = run.status(statuses)
    if not statuses:
        return StatusUpdate(state, text)
    record = statuses[0].overview.record
    return StatusUpdate(state, text, record.exit_status, record.ended)


def about(statuses: list[ProcessStatus], run: RunFolder) -> AboutUpdate:
    """Return the run's record, name, notes and processes."""
    processes = tuple(map(_facts, statuses))
    return AboutUpdate(run.record, run.name, str(run.path), processes, run.step_notes)


def _facts(status: ProcessStatus) -> ProcessFacts:
    record = status.overview.record
    return ProcessFacts(
        process=record.process,
        role=record.role,
        attempt=record.attempt,
        host=record.host,
        pid=record.pid,
        started=record.started,
        opened=record.opened,
        ended=record.ended,
        outcome=record.outcome,
        state=str(status.state),
    )


def row_of(summary: RunSummary, folder: RunFolder, plan_step: int | None) -> RunRow:
    """Return a run as the panel lists it."""
    newest = newest_record(folder)
    seconds = newest.ended - newest.opened if newest is not None and newest.ended is not None else None
    return RunRow(
        run_id=summary.run_id,
        folder=str(summary.path),
        project=summary.project,
        name=summary.name,
        state=summary.state,
        created=summary.created,
        step=summary.step,
        plan_step=plan_step,
        seconds=seconds,
        exit_status=newest.exit_status if newest is not None else None,
        config=folder.record.config,
        metric=summary.metric,
        value=summary.value,
    )


def newest_record(folder: RunFolder) -> ProcessRecord | None:
    """Return the record of the newest attempt's main process; None where its file cannot be read."""
    files = folder.process_files()
    if not files:
        return None
    main = next(file for file in files if file.attempt == files[-1].attempt)
    try:
        return folder.overview(main).record
    except RecordError:
        return None
