"""The texts of the strip: the status, the progress and the warnings of the open run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from helm_desktop.format import ago, clock, duration, number, plural, size
from helm_desktop.model.run.warnings import RunWarning, warnings_of
from helm_sdk.protocol.peer import RunState

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

THROUGHPUT = (("perf/tokens_per_s", "tokens/s"), ("perf/samples_per_s", "samples/s"))


@dataclass(frozen=True)
class StripTexts:
    """The text of each cell of the strip; a cell without a text is not shown."""

    name: str = ""
    state: str = ""
    status: str = ""  # below the name: "live · quickstart"
    running: str = ""
    step: str = ""
    share: float | None = None
    left: str = ""
    processes: str = ""
    checkpoint: str = ""
    throughput: str = ""
    warnings: tuple[RunWarning, ...] = ()  # the most severe first
    controls: int = 0


def strip_texts(session: Session, listed: RunState | None = None) -> StripTexts:
    """Return the texts for a session now.

    listed: the state in the list of runs. When that is an end, it is shown while the history is still read.
    """
    progress = session.progress
    reading = listed is not None and listed.ended and not session.complete
    state = listed if listed is not None and reading else session.status.state
    running = progress.running
    return StripTexts(
        name=session.name,
        state=str(state),
        status=" · ".join(
            part for part in (str(state) if reading else status_text(session), session.project) if part
        ),
        running=clock(running) if running is not None else "",
        step=progress.step_text,
        share=progress.share,
        left="" if state.ended else _left(session),
        processes=_processes(session),
        checkpoint=_checkpoint(session),
        throughput=_throughput(session),
        warnings=warnings_of(session),
        controls=len(session.controls.controls),
    )


def status_text(session: Session) -> str:
    """Return a text such as "live", "paused", "killed at step 37" or "live, eval running"."""
    status = session.status
    step = session.progress.step
    if status.state in {RunState.KILLED, RunState.FAILED, RunState.INTERRUPTED}:
        text = (
            f"{status.state} at step {step:,}"
            if step is not None
            else f"{status.state} before its first step"
        )
        return f"{text} · exit {status.exit_status}" if status.exit_status else text
    if status.state.ended:
        return str(status.state)
    doing = session.processes.doing
    text = "paused" if session.processes.paused else str(status.state)
    return f"{text}, {doing} running" if doing else text


def _left(session: Session) -> str:
    left = session.progress.left
    return duration(left) if left is not None else ""


def _processes(session: Session) -> str:
    latest = {facts.process: facts for facts in session.processes}
    names = set(latest) or set(session.processes.heartbeats)
    if not names:
        return ""
    machines = len({facts.host for facts in latest.values()}) or 1
    return f"{len(names)} on {plural(machines, 'machine')}"


def checkpoint_text(session: Session) -> str:
    """Return the newest checkpoint as "step 188, 24 s ago, 21 KB"; empty without one."""
    event = session.checkpoints.newest
    if event is None:
        return ""
    amount = event.body.get("bytes", event.body.get("size"))
    text = _checkpoint(session)
    return f"{text}, {size(amount)}" if isinstance(amount, int | float) else text


def _checkpoint(session: Session) -> str:
    event = session.checkpoints.newest
    if event is None:
        return ""
    text = f"step {event.step:,}" if event.step is not None else "saved"
    now = session.progress.now
    if now is None or session.status.state.ended:
        return text
    return f"{text}, {ago(max(0.0, now - event.time))}"


def _throughput(session: Session) -> str:
    for name, unit in THROUGHPUT:
        series = session.store.series.get(name)
        if series is not None and series.count and series.last_value is not None:
            return f"{number(series.last_value)} {unit}"
    return ""
