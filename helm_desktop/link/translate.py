"""From what the run client and the run folder say to the news that models take."""

from __future__ import annotations

from helm_desktop.model.run.updates import (
    AboutNews,
    AnswerNews,
    BatchNews,
    FinishedNews,
    HeartbeatNews,
    LinkNews,
    LossNews,
    News,
    ProcessFacts,
    ProcessNews,
    RefusalNews,
    RunRow,
    StatusNews,
)
from helm_sdk.client import (
    AnswerUpdate,
    BatchUpdate,
    FinishedUpdate,
    HeartbeatUpdate,
    LinkUpdate,
    ProcessesUpdate,
    RefusalUpdate,
    RunClient,
    Update,
)
from helm_sdk.protocol.messages import ProcessRecord
from helm_sdk.record.errors import RecordError
from helm_sdk.record.run import ProcessStatus, RunFolder
from helm_sdk.record.runs import RunSummary


def news_of(update: Update) -> News | None:
    """What an update says, in the models' terms; None for what no model takes."""
    match update:
        case BatchUpdate():
            return BatchNews(update.batch, update.history)
        case HeartbeatUpdate():
            return HeartbeatNews(update.heartbeat)
        case FinishedUpdate():
            return FinishedNews(update.finished)
        case LinkUpdate():
            return LinkNews(update.process, update.state, update.text)
        case AnswerUpdate():
            return AnswerNews(update.process, update.attempt, update.event)
        case RefusalUpdate():
            return RefusalNews(update.command_id, update.message)
        case ProcessesUpdate():
            return ProcessNews(update.process, update.attempt)
        case _:
            return None


def losses_of(client: RunClient) -> LossNews:
    """What did not come live, over all processes and of each."""
    total, each = client.losses, {}
    for process in client.processes:
        own = client.losses_of(process)
        each[process] = own.missing, own.repaired
    return LossNews(total.missing, total.repaired, total.malformed, each)


def standing_of(standings: list[ProcessStatus], run: RunFolder) -> StatusNews:
    """How the run stands, by its files and signs of life."""
    state, text = run.standing(standings)
    if not standings:
        return StatusNews(state, text)
    record = standings[0].overview.record
    return StatusNews(state, text, record.exit_status, record.ended)


def about(standings: list[ProcessStatus], run: RunFolder) -> AboutNews:
    """Who the run is, and its processes."""
    processes = tuple(map(_facts, standings))
    return AboutNews(run.record, run.name, str(run.path), processes, run.step_notes)


def _facts(standing: ProcessStatus) -> ProcessFacts:
    record = standing.overview.record
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
        state=str(standing.state),
    )


def row_of(summary: RunSummary, folder: RunFolder, plan_step: int | None) -> RunRow:
    """A run as the panel lists it."""
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
    """The main process of the newest attempt, as its file says."""
    files = folder.process_files()
    if not files:
        return None
    main = next(file for file in files if file.attempt == files[-1].attempt)
    try:
        return folder.overview(main).record
    except RecordError:
        return None
