"""The recording of one process: the loop fills a buffer, and the recorder's thread empties it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from helm_sdk._controls.registry import ControlRegistry
from helm_sdk._controls.safe_points import SafePoints
from helm_sdk._media.writer import MediaWriter
from helm_sdk._recorder.buffer import Axes, Buffer, whole_number
from helm_sdk._recorder.identity import RecorderIdentity, RunEnding
from helm_sdk._recorder.recorder import Recorder
from helm_sdk._shared.notice import print_notice
from helm_sdk._shared.plain import to_json
from helm_sdk.protocol.messages import CommandState

_SLOW_SECONDS = 2.0
_MAX_EARLY = 10_000  # events and catalogues that are kept until the process knows its run
_monotonic = time.monotonic


class Recording:
    """What one process records, on its way to the recorder.

    identity: None for a disabled run, and for a process that does not know its run yet. off: every call is a
    no-op. step: the run's current step, None before the first.
    """

    def __init__(
        self,
        identity: RecorderIdentity | None,
        waiting_as: str,
        controls: ControlRegistry,
        points: SafePoints,
    ) -> None:
        self.identity = identity
        self.waiting_as = waiting_as  # the process's name while it does not know its run; else empty
        self.off = identity is None and not waiting_as
        self.ended = False
        self.step: int | None = None
        self._odd_step: tuple[str, int] | None = None  # the last value that was no step, and its step
        self.buffer = Buffer()
        self.rows = self.buffer.rows
        self.recorder: Recorder | None = None
        self.media = MediaWriter(self._event_at, self.buffer.notices)
        self._controls, self._points = controls, points
        self._early: list[Callable[[Recorder], None]] = []
        self._joining = threading.RLock()
        if identity is not None:
            self.recorder = self._new_recorder(identity)

    @property
    def process(self) -> str:
        """The name of this process within the run."""
        return self.identity.process.process if self.identity else self.waiting_as

    @property
    def waits(self) -> bool:
        """Whether something is kept in memory because the process does not know its run yet."""
        return self.identity is None and not self.off and bool(self.rows or self._early)

    def start(self) -> None:
        """Start the recorder. Raises RecordError or OSError when the folder cannot be written."""
        if self.recorder is not None:
            self.recorder.start()

    def join(self, identity: RecorderIdentity) -> None:
        """Record into this run from now on, what was kept in memory included. Raises as `start` does."""
        recorder = self._new_recorder(identity)
        recorder.start()
        with self._joining:
            self.identity, self.recorder = identity, recorder
            early, self._early = self._early, []
            for action in early:
                _post_to(recorder, action)

    def post(self, action: Callable[[Recorder], None]) -> None:
        """Run an action on the recorder's thread; before there is a recorder, keep it until then."""
        if self.off:
            return
        recorder = self.recorder
        if recorder is None:
            with self._joining:
                recorder = self.recorder
                if recorder is None:
                    if len(self._early) < _MAX_EARLY:
                        self._early.append(action)
                    return
        _post_to(recorder, action)

    # What is recorded --------------------------------------------------------------------------

    def event(self, kind: str, step: int | None, body: Mapping[str, Any]) -> None:
        """Record an event."""
        self._event_at(kind, step, to_json(body), _monotonic())

    def catalogue(self, kind: str, body: Any) -> None:
        """Record a catalogue, which replaces the earlier one of its kind."""
        try:
            plain = msgspec.to_builtins(body)  # a copy, at the speed of C
        except Exception:
            plain = to_json(body)
        self.post(lambda recorder: recorder.point_queue.add_catalogue(kind, plain))

    def media_value(self, kind: str, name: Any, value: Any, step: Any, options: dict[str, Any]) -> None:
        """Copy a media value now; a thread writes it. `kind` is "text", "image" and so on."""
        if self.off:
            self.warn_if_ended()
            return
        try:
            whole = self.step if step is None else self.buffer.read_step(step)
            self.media.add(kind, name, value, whole, options)
        except Exception as error:
            self.buffer.notices.once(
                f"rich {kind}", f"A value of kind {kind} was left out: {error!r} (reported once)"
            )

    def log_later(self, values: Mapping[str, float], step: int | None) -> None:
        """Record numbers of a step that may be past, without changing the run's current step."""
        if len(self.rows) < self.buffer.max_rows or self.buffer.make_room(len(values)):
            self.rows.append((self.buffer.read(dict(values)), step, _monotonic(), None))

    def command_state(self, state: CommandState, step: int | None) -> None:
        """Record a state of a command that the loop reports."""
        at = _monotonic()
        self.post(lambda recorder: recorder.record_outcome(state, step, at))

    def confirm(self, command_id: str, step: int | None, ran_at: float | None) -> None:
        """Record that the effect of a command was seen. `ran_at`: the value used; None for no limit."""
        seen = None if ran_at is None else float(ran_at)
        self.post(lambda recorder: recorder.confirmed(command_id, step, seen))

    def start_at(self, step: int) -> None:
        """Record that the attempt begins at the step that was loaded."""
        self.post(lambda recorder: recorder.set_start(step))

    # Arguments of calls -------------------------------------------------------------------------

    def set_odd_step(self, step: Any) -> int | None:
        """Set the current step from a value of any type, if it is a whole number; return the current step."""
        whole = whole_number(step)
        if whole is None:
            # Points of different steps must not fall on one: each new value counts on from the last step.
            if self._odd_step is None or self._odd_step[0] != repr(step):
                self._odd_step = (repr(step), 0 if self.step is None else self.step + 1)
            whole = self._odd_step[1]
            self.buffer.notices.once(
                "step",
                f"A step is a whole number of 64 bits, {step!r} is not: its points are recorded at step "
                f"{whole}, and further ones count on from there (reported once)",
            )
        self.step = whole
        return whole

    def read_axes(self, axes: Mapping[str, Any]) -> Axes | None:
        """Return further x values as floats; None when there are none. What is no number is left out."""
        read = {name: value for name, value in self.buffer.read(dict(axes)).items() if type(value) is float}
        return read or None

    def warn_if_ended(self) -> None:
        """Report once that the run is finished, when a call does nothing for that reason."""
        if self.ended:
            self.buffer.notices.once(
                "ended", "The run is finished: what is logged now is not recorded (reported once)"
            )

    def clock(self, monotonic: float) -> float:
        """Return the run's own time, in unix seconds, at a time of the monotonic clock."""
        recorder = self.recorder
        return recorder.clock(monotonic) if recorder else time.time() - (_monotonic() - monotonic)

    # The end -----------------------------------------------------------------------------------

    def flush(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds until everything recorded so far is on disk; return whether it is."""
        if self.off or self.recorder is None:
            return True
        ends = _monotonic() + timeout
        done = threading.Event()
        written = self.media.flush(timeout)
        self.post(lambda recorder: recorder.flushed(done))
        return done.wait(max(0.0, ends - _monotonic())) and written

    def stop(self, ending: RunEnding) -> None:
        """Record the ending and wait until the recorder has ended, at most 2 s and `ending.timeout`."""
        self.off = True
        recorder = self.recorder
        if recorder is None:
            return
        recorder.stop(ending)
        if not recorder.join(_SLOW_SECONDS):
            print_notice("Writing what is left of the run…")
            if not recorder.join(ending.timeout):
                print_notice("The rest of the run could not be written in time: it is lost")

    def abandon(self) -> None:
        """Record nothing more: called in a forked child, whose parent goes on with the run."""
        self.off, self.ended = True, False

    def _new_recorder(self, identity: RecorderIdentity) -> Recorder:
        recorder = Recorder(identity, self.buffer, self._controls, self._points, lambda: self.step)
        self.media.open(identity)
        return recorder

    def _event_at(self, kind: str, step: int | None, body: dict[str, Any], at: float) -> None:
        self.post(lambda recorder: _drop(recorder.point_queue.add_event(kind, step, body, at)))


def _post_to(recorder: Recorder, action: Callable[[Recorder], None]) -> None:
    recorder.post(lambda: action(recorder))


def _drop(_: object) -> None:
    return None
