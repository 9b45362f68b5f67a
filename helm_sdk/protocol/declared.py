"""Messages for what a script declares: controls, tensors, the plan, and rate overrides."""

from __future__ import annotations

from typing import Any

import msgspec

from helm_sdk.protocol.message import Message


class Capability(Message, frozen=True, kw_only=True):
    """A control that a run offers: its name, its typed input, and where in the loop it is applied.

    Attributes:
        name: The name, unique within the process.
        provider: Who declares it: "script" or "trainer".
        version: The version of the input; a command that names another one is rejected.
        input_schema: The schema of the input; empty: the control takes no input.
        output_schema: The schema of what the handler returns.
        safe_points: The names of the safe points where it may be applied; empty: the run's default one.
        starting: The input that holds when the run begins, such as `{"lr": 0.01}`; None when unknown.
        help: One or two sentences for the people who use the control.
        button: The text on the button of a control without input, such as "Save now".
        reads: The stream that shows the value that the run really used ("Ran at").
        requires_approval: Whether every command awaits approval, independent of the policy.
    """

    name: str
    provider: str = "script"
    version: str = "1.0.0"
    input_schema: dict[str, Any] = msgspec.field(default_factory=dict)
    output_schema: dict[str, Any] = msgspec.field(default_factory=dict)
    safe_points: tuple[str, ...] = ()
    starting: Any = None
    help: str = ""
    button: str = ""
    reads: str = ""
    requires_approval: bool = False


class ControlState(Message, frozen=True, kw_only=True):
    """One entry of the "capabilities" catalogue."""

    capability: Capability
    unavailable: str = ""  # why this control cannot be used now


class TensorInfo(Message, frozen=True, kw_only=True):
    """One parameter or buffer of a model: an entry of the "tensors" catalogue."""

    path: str
    module: str  # the module's type
    shape: tuple[int, ...]
    dtype: str
    device: str
    bytes: int
    kind: str = "parameter"  # or "buffer"
    tied_to: str = ""  # the path of the tensor with which it shares its memory
    topology: str = ""  # how it is sharded; empty: each rank has all of it


class PlanCurve(Message, frozen=True, kw_only=True):
    """The planned values of one stream, interpolated linearly between its points."""

    stream: str
    steps: tuple[int, ...]
    values: tuple[float, ...]


class Plan(Message, frozen=True, kw_only=True):
    """The "plan" catalogue: how far the run goes, and the rates the scheduler will set."""

    step: int | None = None  # the end, exclusive: 600 for a run of 600 steps
    tokens: int | None = None
    made_at: int = 0  # the step at which the plan was made
    curves: tuple[PlanCurve, ...] = ()


class RateOverride(Message, frozen=True, kw_only=True):
    """How the rate of one stream differs from its schedule: an entry of the "rate_overrides" catalogue.

    The rate is the schedule's times `factor`, or `held`. With keyframes this holds before the first one;
    between keyframes the rate is interpolated linearly.
    """

    stream: str
    schedule: str = ""  # its name, such as "cosine"; empty: no schedule sets the rate
    factor: float = 1.0
    held: float | None = None
    points: tuple[tuple[float, float], ...] = ()  # keyframes (at, value), past ones included
    axis: str = "step"  # the axis of the keyframes: "step" or "tokens"
    then_hold: bool = False  # after the last keyframe: hold its value; False: the schedule, scaled
