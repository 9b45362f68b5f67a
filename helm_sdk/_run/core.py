"""What a run is made of: buffer, controls, safe points, recorder; and what the trainer needs of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import msgspec

from helm_sdk._controls.applier import Applier
from helm_sdk._controls.registry import ControlRegistry, Handler
from helm_sdk._controls.safe_points import Pending, SafePoint, SafePoints
from helm_sdk._media.writer import MediaWriter
from helm_sdk._recorder.buffer import Axes, Buffer
from helm_sdk._recorder.identity import RecorderIdentity, RunEnding
from helm_sdk._recorder.recorder import Recorder
from helm_sdk._run.console import Console
from helm_sdk._run.media_methods import MediaMethods
from helm_sdk._shared.notice import say
from helm_sdk._shared.plain import to_json
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT, Capability, CommandState

_SLOW_SECONDS = 2.0
_EARLY = 10_000  # events and the like that a process keeps until it knows its run
_monotonic = time.monotonic


class BaseRun(MediaMethods):
    """One process's part of a run, without what its script calls."""

    def __init__(self, place: RecorderIdentity | None, waiting_as: str = "") -> None:
        self._place = place
        self._waiting_as = waiting_as  # a process that does not know its run yet, and keeps all in memory
        self._early: list[Callable[[Recorder], None]] = []
        self._joining = threading.Lock()
        self._share: Callable[[Capability, Handler], None] | None = None  # with ranks: declares for all
        self._agreement: Any = None  # of the ranks, where there are several
        self._off = place is None and not waiting_as  # every call is a no-op
        self._ended = False
        self._step: int | None = None
        self._spans: list[str] = []
        self._around: Callable[[str], AbstractContextManager[object]] = nullcontext  # what goes round a span
        self._facts: dict[str, Any] = {}
        self._summary: dict[str, Any] = {}
        self._closers: list[Callable[[], None]] = []
        self._finish_lock = threading.Lock()
        self._buffer = Buffer()
        self._rows = self._buffer.rows
        self._controls = ControlRegistry()
        self._points = SafePoints()
        self._recorder: Recorder | None = None
        self._console: Console | None = None
        self._media = MediaWriter(self._happened, self._buffer.notices)
        self._closers.append(self._media.close)
        self._applier = Applier(self._controls, self._points, self._emit, self.process)
        if place is not None:
            self._recorder = self._made(place)

    # Who it is ---------------------------------------------------------------------------------

    @property
    def run_id(self) -> str:
        """The run's id; empty when the run is disabled."""
        return self._place.run.run_id if self._place else ""

    @property
    def name(self) -> str:
        """The name that the run began with."""
        return self._place.run.name if self._place else ""

    @property
    def project(self) -> str:
        """The project that the run belongs to."""
        return self._place.run.project if self._place else ""

    @property
    def process(self) -> str:
        """The name of this process within the run."""
        return self._place.process.process if self._place else self._waiting_as

    @property
    def attempt(self) -> int:
        """Which attempt this is: 1, and one more after each resume."""
        return self._place.process.attempt if self._place else 0

    @property
    def folder(self) -> Path | None:
        """The run's folder; None when the run is disabled."""
        return self._place.folder if self._place else None

    @property
    def config(self) -> dict[str, Any]:
        """The configuration as it was recorded."""
        return dict(self._place.run.config) if self._place else {}

    @property
    def disabled(self) -> bool:
        """Whether calls do nothing."""
        return self._off

    @property
    def step(self) -> int | None:
        """The run's current step: the last that was logged or synced."""
        return self._step

    # For the trainer ---------------------------------------------------------------------------

    def _declare(self, capability: Capability, handler: Handler, *, unavailable: str = "") -> None:
        if self._off:
            return
        control = self._controls.declare(capability, handler, unavailable)
        if control.unavailable and not unavailable:
            say(f"{capability.name} cannot be used: {control.unavailable}")
        if TRAINER_SAFE_POINT in capability.safe_points:
            self._first_visit(TRAINER_SAFE_POINT)
        elif not capability.safe_points and self._points.default:
            self._controls.bind(self._points.default)

    def _set_unavailable(self, name: str, reason: str) -> None:
        self._controls.set_unavailable(name, reason)

    def _take(self, safe_point: str, step: int | None) -> Pending | None:
        """The next command to apply here, for whoever runs its handler in another way; then `_settle`."""
        return None if self._off else self._applier.take(safe_point, step)

    def _settle(self, pending: Pending, outcome: Any, step: int | None) -> None:
        """What came of a taken command: a result, an `Applied`, or the exception."""
        self._applier.settle(pending, outcome, step)

    def _serve(self, safe_point: str, timeout: float, step: int | None = None) -> bool:
        """Wait at a safe point for a command and apply it; whether one was there."""
        if self._off or not self._points.waits(safe_point, timeout):
            return False
        self._apply_one(safe_point, step if step is not None else self._step, None)
        return True

    def _wait(self, safe_point: str, timeout: float) -> bool:
        """Wait for a command without taking it; whether one waits."""
        return not self._off and self._points.waits(safe_point, timeout)

    def _confirm(self, command_id: str, step: int | None, ran_at: float | None) -> None:
        """The effect of an applied command was seen; `ran_at` is None where it is no number (no limit)."""
        seen = None if ran_at is None else float(ran_at)
        self._post(lambda recorder: recorder.confirmed(command_id, step, seen))

    def _event(self, kind: str, step: int | None, body: Mapping[str, Any]) -> None:
        plain, at = to_json(body), _monotonic()
        self._post(lambda recorder: _drop(recorder.ledger.add_event(kind, step, plain, at)))

    def _happened(self, kind: str, step: int | None, body: dict[str, Any], at: float) -> None:
        self._post(lambda recorder: _drop(recorder.ledger.add_event(kind, step, body, at)))

    def _keep(self, kind: str, name: Any, value: Any, step: Any, said: dict[str, Any]) -> None:
        if self._off:
            self._log_off()
            return
        try:
            whole = self._step if step is None else self._buffer.read_step(step)
            self._media.take(kind, name, value, whole, said)
        except Exception as error:
            self._buffer.notices.once(f"rich {kind}", f"{kind} was left out: {error!r} (told once)")

    def _log_later(self, values: Mapping[str, float], step: int | None) -> None:
        """Log what belongs to a step that may be past: the run's current step stays what it is."""
        if len(self._rows) < self._buffer.max_rows or self._buffer.make_room(len(values)):
            self._rows.append((self._buffer.read(dict(values)), step, _monotonic(), None))

    def _catalogue(self, kind: str, body: Any) -> None:
        try:
            plain = msgspec.to_builtins(body)  # a copy, at the speed of C
        except Exception:
            plain = to_json(body)
        self._post(lambda recorder: recorder.ledger.add_catalogue(kind, plain))

    def _set_step(self, step: int | None) -> None:
        self._step = step

    def _start_at(self, step: int) -> None:
        """The attempt begins at the step that was loaded."""
        self._post(lambda recorder: recorder.set_start(step))

    def _paused(self, paused: bool) -> None:
        self._points.paused = paused

    # Inside ------------------------------------------------------------------------------------

    def _open(self) -> None:
        if self._recorder is not None:
            self._recorder.start()

    def _made(self, place: RecorderIdentity) -> Recorder:
        recorder = Recorder(place, self._buffer, self._controls, self._points, lambda: self._step)
        self._media.open(place)
        return recorder

    def _join(self, place: RecorderIdentity) -> None:
        """A waiting process learns its run: what it kept so far is recorded. Raises what hinders it."""
        recorder = self._made(place)
        recorder.start()
        with self._joining:
            self._place, self._recorder = place, recorder
            early, self._early = self._early, []
            for action in early:
                self._hand(recorder, action)

    def _post(self, action: Callable[[Recorder], None]) -> None:
        if self._off:
            return
        recorder = self._recorder
        if recorder is None:
            with self._joining:
                recorder = self._recorder
                if recorder is None:
                    if len(self._early) < _EARLY:
                        self._early.append(action)
                    return
        self._hand(recorder, action)

    @staticmethod
    def _hand(recorder: Recorder, action: Callable[[Recorder], None]) -> None:
        recorder.post(lambda: action(recorder))

    def _emit(self, state: CommandState, step: int | None) -> None:
        at = _monotonic()
        self._post(lambda recorder: recorder.settled(state, step, at))

    def _log_off(self) -> None:
        if self._ended:
            self._buffer.notices.once(
                "ended", "the run is finished: what is logged now is not kept (told once)"
            )

    def _odd_step(self, step: Any) -> int | None:
        whole = self._buffer.read_step(step)
        if whole is None:
            return self._step
        self._step = whole
        return whole

    def _read_axes(self, axes: Mapping[str, Any]) -> Axes | None:
        read = {name: value for name, value in self._buffer.read(dict(axes)).items() if type(value) is float}
        return read or None

    def _first_visit(self, safe_point: str) -> SafePoint:
        if self._points.make_default(safe_point):
            self._controls.bind(safe_point)
        return self._points.visit(safe_point)

    def _apply_one(self, safe_point: str, step: int | None, effective_step: int | None) -> None:
        pending = self._applier.take(safe_point, step)
        if pending is not None:
            self._applier.run(pending, step, effective_step)

    def _tell_spans(self) -> None:
        if self._recorder is not None:
            self._recorder.doing = tuple(self._spans)

    def _stop(self, ending: RunEnding) -> None:
        recorder = self._recorder
        if recorder is None:
            return
        recorder.stop(ending)
        if not recorder.join(_SLOW_SECONDS):
            say("writing what is left of the run…")
            if not recorder.join(ending.patience):
                say("the disk did not take the rest of the run in time: what was left is lost")

    def _abandon(self) -> None:
        """In a forked child: the parent's run is a no-op here, and nothing of it is touched."""
        self._off = True
        self._ended = False
        if self._console is not None:
            self._console.abandon()


def _drop(_: object) -> None:
    return None
