"""The methods of a run that only the trainer of `helm_sdk.torch` uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from helm_sdk._controls.applier import Applier
from helm_sdk._controls.registry import ControlRegistry, Handler
from helm_sdk._controls.safe_points import Pending, SafePoint, SafePoints
from helm_sdk._recorder.identity import RecorderIdentity
from helm_sdk._run.recording import Recording
from helm_sdk._run.spans import Spans
from helm_sdk._run.steering import Steering
from helm_sdk.protocol.messages import Capability


class TrainerPort:
    """Methods for the trainer, at `run.trainer_port`; the public methods of the run are not repeated.

    coordination: how several ranks agree on a command; None for one process.
    """

    def __init__(
        self,
        recording: Recording,
        steering: Steering,
        spans: Spans,
        on_close: Callable[[Callable[[], None]], None],
    ) -> None:
        self._recording, self._steering, self._spans = recording, steering, spans
        self._on_close = on_close
        self.coordination: Any = None

    # The process -----------------------------------------------------------------------------

    @property
    def waits_for_run(self) -> bool:
        """Whether this process does not know its run yet."""
        return bool(self._recording.waiting_as)

    @property
    def has_unrecorded(self) -> bool:
        """Whether something is kept in memory because the process does not know its run yet."""
        return self._recording.waits

    @property
    def identity(self) -> RecorderIdentity | None:
        """The folder, run and process that are recorded; None when there is no recorder."""
        return self._recording.identity

    def disable(self) -> None:
        """Make every call a no-op from now on."""
        self._recording.off = True

    def on_close(self, close: Callable[[], None]) -> None:
        """Call `close` when the run ends; functions are called in reverse order of this call."""
        self._on_close(close)

    # Steps and time ----------------------------------------------------------------------------

    def set_step(self, step: int | None) -> None:
        """Set the run's current step."""
        self._recording.step = step

    def start_at(self, step: int) -> None:
        """Record that the attempt begins at this step, which was loaded from a checkpoint."""
        self._recording.start_at(step)

    def set_paused(self, paused: bool) -> None:
        """Set whether the loop is paused."""
        self._steering.points.paused = paused

    def set_around_spans(self, around: Callable[[str], AbstractContextManager[object]]) -> None:
        """Set a function whose context manager is entered with every span: `around(name)`."""
        self._spans.around = around

    def clock(self, monotonic: float) -> float:
        """Return the run's own time, in unix seconds, at a time of the monotonic clock."""
        return self._recording.clock(monotonic)

    # Recording ---------------------------------------------------------------------------------

    def event(self, kind: str, step: int | None, body: Mapping[str, Any]) -> None:
        """Record an event."""
        self._recording.event(kind, step, body)

    def catalogue(self, kind: str, body: Any) -> None:
        """Record a catalogue, which replaces the earlier one of its kind."""
        self._recording.catalogue(kind, body)

    def media_value(self, kind: str, name: Any, value: Any, step: Any, options: dict[str, Any]) -> None:
        """Record a media value; `kind` is "text", "image" and so on."""
        self._recording.media_value(kind, name, value, step, options)

    def log_later(self, values: Mapping[str, float], step: int | None) -> None:
        """Record numbers of a step that may be past, without changing the current step."""
        self._recording.log_later(values, step)

    def confirm(self, command_id: str, step: int | None, ran_at: float | None) -> None:
        """Record that the effect of a command was seen."""
        self._recording.confirm(command_id, step, ran_at)

    # Controls ----------------------------------------------------------------------------------

    @property
    def controls(self) -> ControlRegistry:
        """The controls that this process declares."""
        return self._steering.controls

    @property
    def safe_points(self) -> SafePoints:
        """The safe points of this process."""
        return self._steering.points

    @property
    def applier(self) -> Applier:
        """The object that takes commands and runs their handlers."""
        return self._steering.applier

    def declare(self, capability: Capability, handler: Handler, *, unavailable: str = "") -> None:
        """Declare a control; `unavailable`: why it cannot be used now, empty when it can."""
        self._steering.declare(capability, handler, unavailable=unavailable)

    def set_unavailable(self, name: str, reason: str) -> None:
        """Set why a control cannot be used; an empty reason makes it usable again."""
        self._steering.controls.set_unavailable(name, reason)

    def share_declarations(self, declare: Callable[[Capability, Handler], None] | None) -> None:
        """Set the function that declares tunables for all ranks; None: they change this process alone."""
        self._steering.share = declare

    def first_visit(self, safe_point: str) -> SafePoint:
        """Return the safe point of this name, made if needed."""
        return self._steering.first_visit(safe_point)

    def wait(self, safe_point: str, timeout: float) -> bool:
        """Wait up to `timeout` seconds for a command, without applying it; return whether one waits."""
        return self._steering.wait(safe_point, timeout)

    def wait_and_apply(self, safe_point: str, timeout: float, step: int | None = None) -> bool:
        """Wait up to `timeout` seconds for a command and apply it; return whether one came."""
        return self._steering.wait_and_apply(safe_point, timeout, step)

    def resolve(self, pending: Pending, outcome: Any, step: int | None) -> None:
        """Record the outcome of a command that was taken: a result, an `Applied`, or an exception."""
        self._steering.resolve(pending, outcome, step)
