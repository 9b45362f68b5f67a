"""A run as its training script sees it: log, sync, controls, finish. Nothing here raises into the loop."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, TypeVar, overload

import msgspec

from helm_sdk._controls.annotations import capability_of
from helm_sdk._controls.registry import Handler
from helm_sdk._controls.tunables import Tunable, tunable_capability
from helm_sdk._recorder.identity import RecorderIdentity, RunEnding
from helm_sdk._recorder.point_columns import Definition
from helm_sdk._run import process_exit
from helm_sdk._run.console import Console
from helm_sdk._run.core import BaseRun
from helm_sdk._shared.notice import say
from helm_sdk._shared.plain import to_json
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Capability, Plan

_FLOATS = {float}
_STEP_MIN, _STEP_MAX = -(1 << 63), (1 << 63) - 1
_monotonic = time.monotonic
_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])


class Run(BaseRun):
    """One process's part of a run. Made by `helm_sdk.init`; a context manager.

    A run that is disabled, finished, or inherited by a forked child does nothing and never raises.
    """

    # What it logs ------------------------------------------------------------------------------

    def log(self, values: Mapping[str, Any], /, step: int | None = None, **axes: float) -> None:
        """Record numbers by name at a step.

        values: float, int, bool, a NumPy scalar, or a tensor of one element; NaN and infinities are kept.
        step: int64; without it the run's current step, else each stream's own count.
        axes: further x values, such as tokens=…, that a chart can choose. What is no number warns once.
        """
        if self._off:
            self._log_off()
            return
        try:
            row = dict(values)
            if {*map(type, row.values())} != _FLOATS:
                row = self._buffer.read(row)
            if step is None:
                step = self._step
            elif type(step) is int and _STEP_MIN <= step <= _STEP_MAX:
                self._step = step
            else:
                step = self._odd_step(step)
            rows = self._rows
            if len(rows) >= self._buffer.max_rows and not self._buffer.make_room(len(row)):
                return
            rows.append((row, step, _monotonic(), self._read_axes(axes) if axes else None))
        except Exception as error:
            self._buffer.notices.once("log", f"log takes names and numbers, this call was left out: {error}")

    def define(self, name: str, unit: str = "", better: str = "") -> None:
        """Say a stream's unit, and whether "lower" or "higher" is better."""
        if better not in ("", "lower", "higher"):
            self._buffer.notices.once(f"better {name}", f'better is "lower" or "higher", not {better!r}')
            better = ""
        self._post(lambda recorder: recorder.ledger.define(str(name), Definition(str(unit), better)))

    def fact(self, key: str, value: Any) -> None:
        """Record something that holds for the whole run, such as the number of parameters."""
        self._facts[str(key)] = to_json(value)
        self._catalogue("facts", dict(self._facts))

    def summary(self, values: Mapping[str, Any]) -> None:
        """Record the results that a table of runs shows, such as the best validation loss."""
        try:
            self._summary.update({str(key): to_json(value) for key, value in dict(values).items()})
        except Exception as error:
            self._buffer.notices.once("summary", f"summary takes a mapping: {error}")
            return
        self._catalogue("summary", dict(self._summary))

    def plan(self, step: int | None = None, tokens: int | None = None) -> None:
        """Say how far the run goes: a run of 600 steps says step=600."""
        if step is None and tokens is None:
            return
        plan = Plan(
            step=None if step is None else self._buffer.read_step(step),
            tokens=None if tokens is None else self._buffer.read_step(tokens),
            made_at=self._step or 0,
        )
        self._catalogue("plan", msgspec.to_builtins(plan))

    @contextlib.contextmanager
    def span(self, name: str) -> Iterator[None]:
        """Say where the time goes: `with run.span("eval"):`; the app shows it while it lasts."""
        began = _monotonic()
        self._spans.append(str(name))
        self._tell_spans()
        try:
            with self._around(str(name)):
                yield
        finally:
            with contextlib.suppress(ValueError):
                self._spans.remove(str(name))
            self._tell_spans()
            recorder = self._recorder
            start = recorder.clock(began) if recorder else time.time() - (_monotonic() - began)
            body = {"name": str(name), "seconds": _monotonic() - began, "start": start}
            self._event("span", self._step, body)

    def console(self) -> None:
        """Keep what the script prints from now on, in the run's folder as well as where it goes now."""
        if self._off or self._place is None or self._console is not None:
            return
        self._console = Console(self._place.folder, self.process)
        self._closers.append(self._console.close)

    # What can be changed -----------------------------------------------------------------------

    def on(self, safe_point: str, capability: Capability, handler: Handler) -> None:
        """Declare a control; `handler(value, context)` runs inside `sync(safe_point)`.

        What the handler returns is stored and shown; what it raises makes the command "failed", not the run.
        """
        if not capability.safe_points:
            capability = msgspec.structs.replace(capability, safe_points=(safe_point,))
        self._declare(capability, handler)

    @overload
    def command(self, function: _F) -> _F: ...

    @overload
    def command(self, *, name: str = "", safe_point: str = "") -> Callable[[_F], _F]: ...

    def command(self, function: _F | None = None, *, name: str = "", safe_point: str = "") -> Any:
        """Make an annotated function a control; its parameters become the form.

        bool, int, float, str, list, TypedDict, Literal, Enum, Optional and Annotated bounds are understood;
        a parameter with a default is optional. A parameter called `context` gets the CommandContext.
        """

        def declare(handler: _F) -> _F:
            capability, call = capability_of(handler, name, (safe_point,) if safe_point else ())
            self._declare(capability, call)
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
        """A value that the loop reads as `.value` and that the card `set_<name>` changes."""
        made: Tunable[_T] = Tunable(name, default)
        points = (safe_point,) if safe_point else ()
        capability = tunable_capability(name, default, minimum, maximum, choices, points)
        share = self._share if safe_point in ("", TRAINER_SAFE_POINT) else None
        (share or self._declare)(capability, made.take)
        return made

    def sync(self, safe_point: str, step: int | None = None, *, effective_step: int | None = None) -> None:
        """A safe point: applies at most one waiting command. With nothing waiting it costs under 1 µs.

        effective_step: the first step that runs with a change applied here, when that is not `step`.
        """
        if self._off:
            return
        point = self._points.get(safe_point)
        if point is None or not self._points.default:
            point = self._first_visit(safe_point)
        point.calls += 1
        if step is not None:
            if type(step) is not int:
                step = self._buffer.read_step(step)
            point.step = self._step = step
        if point.queue:
            self._apply_one(safe_point, step if step is not None else self._step, effective_step)

    def flush(self, timeout: float = 30.0) -> bool:
        """Wait until everything logged so far is on disk; whether it is."""
        if self._off or self._recorder is None:
            return True
        ends = _monotonic() + timeout
        done = threading.Event()
        written = self._media.flush(timeout)
        self._post(lambda recorder: recorder.flushed(done))
        return done.wait(max(0.0, ends - _monotonic())) and written

    def finish(self, outcome: str = "finished", message: str = "", exit_status: int | None = None) -> None:
        """End this process's part: "finished", "interrupted" or "failed". Later calls do nothing."""
        with self._finish_lock:
            if self._off or self._ended:
                return
            self._ended = True
        if outcome not in ("finished", "interrupted", "failed"):
            say(f'an outcome is "finished", "interrupted" or "failed", not {outcome!r}: recorded as failed')
            outcome, message = "failed", message or str(outcome)
        for close in reversed(self._closers):
            with contextlib.suppress(Exception):
                close()
        taken = self._applier.taken()
        if taken is not None:  # its handler ends the run: that is what came of it
            self._settle(taken, None, self._step)
        self._off = True
        self._stop(RunEnding(outcome=outcome, message=message, exit_status=exit_status))
        process_exit.closed(self)

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        outcome, message, status = process_exit.outcome_of(error)
        self.finish(outcome, message, status)

    def __repr__(self) -> str:
        return f"<Run {self.run_id or 'disabled'} {self.name}>"


def current_run() -> Run | None:
    """The run that is open in this process."""
    found = process_exit.current()
    return found if isinstance(found, Run) else None


def disabled_run() -> Run:
    """A run on which every call does nothing."""
    return Run(None)


def waiting_run(process: str) -> Run:
    """A process of a run that is not known yet: everything is kept until `_join`."""
    run = Run(None, waiting_as=process)
    process_exit.opened(run)
    return run


def open_run(place: RecorderIdentity) -> Run:
    """Start recording. Raises RecordError or OSError when that cannot be."""
    run = Run(place)
    run._open()
    process_exit.opened(run)
    return run
