"""The run that a training script uses: log, sync, controls, finish. No call raises into the loop."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar, overload

import msgspec

from helm_sdk._controls.annotations import capability_of
from helm_sdk._controls.registry import ControlRegistry, Handler
from helm_sdk._controls.safe_points import SafePoints
from helm_sdk._controls.tunables import Tunable, tunable_capability
from helm_sdk._recorder.identity import RecorderIdentity, RunEnding
from helm_sdk._recorder.point_columns import Definition
from helm_sdk._run import process_exit
from helm_sdk._run.console import Console
from helm_sdk._run.interrupts import held_back
from helm_sdk._run.media_methods import MediaMethods
from helm_sdk._run.recording import Recording
from helm_sdk._run.spans import Spans
from helm_sdk._run.steering import Steering
from helm_sdk._run.stop_signals import stop_signal
from helm_sdk._run.trainer_port import TrainerPort
from helm_sdk._shared.notice import print_notice
from helm_sdk._shared.plain import to_json
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Capability, Plan

_FLOATS = {float}
_STEP_MIN, _STEP_MAX = -(1 << 63), (1 << 63) - 1
_monotonic = time.monotonic
_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])


class Run(MediaMethods):
    """One process of a run, as its training script uses it. `helm_sdk.init` returns it.

    It is a context manager: leaving the block calls `finish` with the right outcome. A run that is disabled
    or finished, or that a forked child has inherited, does nothing. No call raises into the training loop,
    except for an exception of your own code.
    """

    def __init__(self, identity: RecorderIdentity | None, waiting_as: str = "") -> None:
        controls, points = ControlRegistry(), SafePoints()
        self._recording = recording = Recording(identity, waiting_as, controls, points)
        self._steering, self._points = Steering(recording, controls, points), points
        self._spans = Spans(recording)
        self._media_sink = recording.media_value
        self._console: Console | None = None
        self._facts: dict[str, Any] = {}
        self._summary: dict[str, Any] = {}
        self._closers: list[Callable[[], None]] = [recording.media.close]
        self._finish_lock = threading.RLock()  # a signal handler may come in between
        self.trainer_port = TrainerPort(recording, self._steering, self._spans, self._closers.append)

    # Identity ---------------------------------------------------------------------------------

    @property
    def run_id(self) -> str:
        """The run's id; empty when the run is disabled."""
        identity = self._recording.identity
        return identity.run.run_id if identity else ""

    @property
    def name(self) -> str:
        """The name that the run began with; empty when the run is disabled."""
        identity = self._recording.identity
        return identity.run.name if identity else ""

    @property
    def project(self) -> str:
        """The project that the run belongs to; empty when the run is disabled."""
        identity = self._recording.identity
        return identity.run.project if identity else ""

    @property
    def process(self) -> str:
        """The name of this process within the run."""
        return self._recording.process

    @property
    def attempt(self) -> int:
        """The number of this attempt: 1, and one more after each resume; 0 when the run is disabled."""
        identity = self._recording.identity
        return identity.process.attempt if identity else 0

    @property
    def folder(self) -> Path | None:
        """The run's folder; None when the run is disabled."""
        identity = self._recording.identity
        return identity.folder if identity else None

    @property
    def config(self) -> dict[str, Any]:
        """A copy of the configuration as it was recorded; empty when the run is disabled."""
        identity = self._recording.identity
        return dict(identity.run.config) if identity else {}

    @property
    def disabled(self) -> bool:
        """Whether calls do nothing."""
        return self._recording.off

    @property
    def step(self) -> int | None:
        """The run's current step: the last that was logged or synced; None before the first."""
        return self._recording.step

    # Logging ------------------------------------------------------------------------------

    def log(self, values: Mapping[str, Any], /, step: int | None = None, **axes: float) -> None:
        """Record numbers by name at a step.

        The call puts one row into a buffer in memory and returns; the recorder's thread writes it to the
        disk.

        Args:
            values: Numbers by stream name: float, int, bool, a NumPy scalar, or a tensor of one element.
                Every float is kept bit for bit, NaN and infinities included. A value that is no number is
                left out, with one warning for its name.
            step: The step, an int64. Without it the run's current step is used; before any step was given,
                each stream counts its own.
            **axes: Further x values, such as `tokens=…`, that a chart can use in place of the step.
        """
        recording = self._recording
        if recording.off:
            recording.warn_if_ended()
            return
        try:
            row = dict(values)
            if {*map(type, row.values())} != _FLOATS:
                row = recording.buffer.read(row)
            if step is None:
                step = recording.step
            elif type(step) is int and _STEP_MIN <= step <= _STEP_MAX:
                recording.step = step
            else:
                step = recording.set_odd_step(step)
            rows = recording.rows
            if len(rows) >= recording.buffer.max_rows and not recording.buffer.make_room(len(row)):
                return
            rows.append((row, step, _monotonic(), recording.read_axes(axes) if axes else None))
        except Exception as error:
            recording.buffer.notices.once(
                "log", f"A call of log was left out, it takes names and numbers: {error} (reported once)"
            )

    def define(self, name: str, unit: str = "", better: str = "") -> None:
        """Set the unit of a stream, and whether lower or higher is better.

        Args:
            name: The stream's name; it may be defined before or after its first point.
            unit: The unit as it is shown, such as "s" or "tokens/s".
            better: "lower", "higher", or empty for unknown.
        """
        if better not in ("", "lower", "higher"):
            self._recording.buffer.notices.once(
                f"better {name}", f'The argument better is "lower" or "higher", not {better!r}'
            )
            better = ""
        self._recording.post(
            lambda recorder: recorder.point_queue.define(str(name), Definition(str(unit), better))
        )

    def fact(self, key: str, value: Any) -> None:
        """Record something that holds for the whole run, such as the number of parameters.

        Args:
            key: Its name; the same name again replaces the value.
            value: Anything that JSON can represent; anything else is kept as text.
        """
        self._facts[str(key)] = to_json(value)
        self._recording.catalogue("facts", dict(self._facts))

    def summary(self, values: Mapping[str, Any]) -> None:
        """Record results that the table of runs shows, such as the best validation loss.

        Args:
            values: Results by name; the same name again replaces the value.
        """
        try:
            self._summary.update({str(key): to_json(value) for key, value in dict(values).items()})
        except Exception as error:
            self._recording.buffer.notices.once(
                "summary", f"A call of summary was left out, it takes a mapping: {error} (reported once)"
            )
            return
        self._recording.catalogue("summary", dict(self._summary))

    def plan(self, step: int | None = None, tokens: int | None = None) -> None:
        """Set how far the run goes, for the progress and the remaining time.

        Args:
            step: The number of steps: a run with the steps 0 to 599 has 600.
            tokens: The number of tokens.
        """
        if step is None and tokens is None:
            return
        plan = Plan(
            step=None if step is None else self._recording.buffer.read_step(step),
            tokens=None if tokens is None else self._recording.buffer.read_step(tokens),
            made_at=self._recording.step or 0,
        )
        self._recording.catalogue("plan", msgspec.to_builtins(plan))

    def span(self, name: str) -> AbstractContextManager[None]:
        """Record how long a part of the work takes: `with run.span("eval"):`.

        The app shows it while it lasts.

        Args:
            name: What it is, such as "eval" or "checkpoint".
        """
        return self._spans.span(str(name))

    def console(self) -> None:
        """Copy what the script prints from now on into the run's folder; the terminal still shows it."""
        identity = self._recording.identity
        if self._recording.off or identity is None or self._console is not None:
            return
        self._console = Console(identity.folder, self.process)
        self._closers.append(self._console.close)

    # Controls -----------------------------------------------------------------------

    def on(self, safe_point: str, capability: Capability, handler: Handler) -> None:
        """Declare a control whose handler runs inside `sync(safe_point)`.

        Args:
            safe_point: The name of the place in the loop where a change is applied.
            capability: The control: its name, its input schema, its help.
            handler: A function `handler(value, context)`. `value` is the input, checked against the schema,
                with defaults filled in. `context` is a `CommandContext`. What it returns is stored and shown
                (return an `Applied` to give the old and the new value). An exception makes the command
                "failed" and does not reach the loop.
        """
        if not capability.safe_points:
            capability = msgspec.structs.replace(capability, safe_points=(safe_point,))
        self._steering.declare(capability, handler)

    @overload
    def command(self, function: _F) -> _F: ...

    @overload
    def command(self, *, name: str = "", safe_point: str = "") -> Callable[[_F], _F]: ...

    def command(self, function: _F | None = None, *, name: str = "", safe_point: str = "") -> Any:
        """Declare an annotated function as a control with a form of its parameters. Use it as a decorator.

        A parameter with a default is optional. A parameter called `context` gets the `CommandContext`.

        Args:
            function: A function whose parameters are annotated with bool, int, float, str, list, TypedDict,
                Literal, Enum, Optional, or Annotated with bounds.
            name: The control's name; without it the function's.
            safe_point: The name of a safe point; without it the run's default one.

        Returns:
            The function, unchanged.
        """

        def declare(handler: _F) -> _F:
            capability, call = capability_of(handler, name, (safe_point,) if safe_point else ())
            self._steering.declare(capability, call)
            return handler

        return declare if function is None else declare(function)

    def tunable(
        self,
        name: str,
        default: _T,
        minimum: float | None = None,
        maximum: float | None = None,
        choices: tuple[_T, ...] | list[_T] | None = None,
        *,
        safe_point: str = "",
    ) -> Tunable[_T]:
        """Declare a value that the loop reads as `.value` and that the control `set_<name>` changes.

        Args:
            name: The value's name.
            default: The value at the start: bool, int, float or str. Its type is the type of the input.
            minimum: The least value, included; for numbers.
            maximum: The greatest value, included; for numbers.
            choices: The values that may be chosen, in place of bounds.
            safe_point: The name of a safe point; without it the run's default one.

        Returns:
            The value; it changes only inside a safe point.
        """
        made: Tunable[_T] = Tunable(name, default)
        points = (safe_point,) if safe_point else ()
        capability = tunable_capability(name, default, minimum, maximum, choices, points)
        share = self._steering.share if safe_point in ("", TRAINER_SAFE_POINT) else None
        (share or self._steering.declare)(capability, made.apply)
        return made

    def sync(self, safe_point: str, step: int | None = None, *, effective_step: int | None = None) -> None:
        """Mark a safe point of the loop, and apply at most one waiting command there.

        With nothing waiting the call costs under 1 µs.

        Args:
            safe_point: Its name, as controls give it.
            step: The step that the loop is at; it becomes the run's current step.
            effective_step: The first step that runs with a change applied here, where that is not `step`.
        """
        recording = self._recording
        if recording.off:
            return
        points = self._points
        point = points.get(safe_point)
        if point is None or not points.default:
            point = self._steering.first_visit(safe_point)
        point.calls += 1
        if step is not None:
            if type(step) is not int:
                step = recording.buffer.read_step(step)
            point.step = recording.step = step
        if point.queue:
            step = step if step is not None else recording.step
            self._steering.apply_one(safe_point, step, effective_step)

    def flush(self, timeout: float = 30.0) -> bool:
        """Wait until everything logged so far is on disk.

        Args:
            timeout: How long to wait at most, in seconds.

        Returns:
            True when all of it is on disk (or the run is disabled), False when the time was over first.
        """
        return self._recording.flush(timeout)

    def finish(self, outcome: str = "finished", message: str = "", exit_status: int | None = None) -> None:
        """End this process's part of the run and write what is left. Later calls do nothing.

        Args:
            outcome: "finished", "interrupted" or "failed".
            message: One sentence on why, for "failed".
            exit_status: The exit status of the process, where it is known.
        """
        with self._finish_lock:
            if self._recording.off or self._recording.ended:
                return
            self._recording.ended = True
        if outcome == "finished" and (name := stop_signal()):
            outcome, message = "interrupted", message or f"told to stop by {name}"
        with held_back():
            self._end(outcome, message, exit_status)

    def _end(self, outcome: str, message: str, exit_status: int | None) -> None:
        if outcome not in ("finished", "interrupted", "failed"):
            print_notice(
                f'An outcome is "finished", "interrupted" or "failed", not {outcome!r}: recorded as failed'
            )
            outcome, message = "failed", message or str(outcome)
        for close in reversed(self._closers):
            with contextlib.suppress(Exception):
                close()
        self._steering.close()
        self._recording.stop(RunEnding(outcome=outcome, message=message, exit_status=exit_status))
        process_exit.closed(self)

    def abandon(self) -> None:
        """Do nothing from now on: called in a forked child, whose parent goes on with the run."""
        self._recording.abandon()
        if self._console is not None:
            self._console.abandon()

    def start(self) -> None:
        """Start recording, as `init` does.

        Raises:
            RecordError: The folder or a file of it cannot be used.
            OSError: The sockets cannot be opened.
        """
        self._recording.start()
        process_exit.opened(self)

    def join(self, identity: RecorderIdentity) -> None:
        """Record into this run from now on, in a process that did not know it. Raises as `start` does."""
        self._recording.join(identity)

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        outcome, message, status = process_exit.outcome_of(error)
        self.finish(outcome, message, status)

    def __reduce__(self) -> tuple[Callable[[], Run], tuple[()]]:
        # In another process, as a worker of a data loader, nothing is recorded.
        return disabled_run, ()

    def __copy__(self) -> Run:
        return self

    def __deepcopy__(self, memo: object) -> Run:
        return self

    def __repr__(self) -> str:
        return f"<Run {self.run_id or 'disabled'} {self.name}>"


def current_run() -> Run | None:
    """Return the run that is open in this process; None when there is none."""
    found = process_exit.current()
    return found if isinstance(found, Run) else None


def disabled_run() -> Run:
    """Return a run on which every call does nothing."""
    return Run(None)


def waiting_run(process: str) -> Run:
    """Return the run of a process that does not know its run yet: everything is kept until `join`."""
    run = Run(None, waiting_as=process)
    process_exit.opened(run)
    return run


def open_run(identity: RecorderIdentity) -> Run:
    """Return a run that records. Raises RecordError or OSError when it cannot start."""
    run = Run(identity)
    run.start()
    return run
