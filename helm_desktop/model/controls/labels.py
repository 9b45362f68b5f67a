"""Texts for the values and commands of controls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from helm_desktop import format as fmt
from helm_desktop.model.controls.mixture import MixtureDraft, percent_text
from helm_sdk.protocol import commands
from helm_sdk.protocol.history import CommandRecord, Stage
from helm_sdk.protocol.kinds import (
    Duration,
    Enum,
    InvalidValue,
    Mixture,
    Node,
    Record,
    Scalar,
    as_number,
)
from helm_sdk.protocol.messages import TRAINER_SAFE_POINT

StageName = Literal["done", "now", "ahead", "bad"]
_MOST = 4  # items of a list or an object that are shown
_BY = {"another key": " by another key", "sender": " by the sender or another"}


@dataclass(frozen=True)
class CommandStage:
    """One stage of a command: done, the current one, still ahead, or failed."""

    text: str
    stage: StageName


@dataclass(frozen=True)
class ChangeEntry:
    """One state of a command as a line: when it began (unix seconds), its name, and a text."""

    time: float
    state: str
    text: str


def value_text(node: Node | None, value: Any) -> str:
    """Return a short text for a value: "3.00e-3", "web 60%, code 20%", "1.00e-3, hold"; empty for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(node, Enum):
        pairs = zip(node.values, node.labels, strict=True)
        return next((label for own, label in pairs if own == value), str(value))
    if isinstance(node, Duration):
        return _duration_text(value)
    if isinstance(node, Scalar) and node.type in ("number", "integer"):
        return f"{_number_text(value)} {node.unit}".rstrip()
    if isinstance(value, int | float):
        return fmt.number(value)
    if isinstance(value, Mapping):
        return _object_text(node, value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        shown = [value_text(None, item) for item in value[:_MOST]]
        return ", ".join(shown) + (f" and {len(value) - _MOST} more" if len(value) > _MOST else "")
    return str(value)


def _object_text(node: Node | None, value: Mapping[str, Any]) -> str:
    if set(value) == {"points"} and isinstance(value["points"], list | tuple):
        return schedule_text(value["points"])
    if isinstance(node, Mixture) or (set(value) == {"weights"} and isinstance(value["weights"], Mapping)):
        weights = value.get("weights", {})
        if isinstance(node, Record) and isinstance(weights, Mapping) and set(weights) == {"weights"}:
            weights = weights["weights"]
        return mixture_text(weights) if isinstance(weights, Mapping) else ""
    types = {part.name: part.type for part in node.fields} if isinstance(node, Record) else {}
    defaults = {part.name: part.default for part in node.fields} if isinstance(node, Record) else {}
    changed = {
        name: item for name, item in value.items() if name not in defaults or item != defaults[name]
    } or value
    present = [(name, item) for name, item in changed.items() if item is not None or len(changed) == 1]
    choices = node.one_of if isinstance(node, Record) else ()
    shown = []
    for name, item in present[:_MOST]:
        text = value_text(types.get(name), item) or "none"
        # "1.00e-3, hold" but "scale 0.5": the first field of a choice is what the control is named after, and
        # the label of an Enum needs no field name.
        plain = name in choices[:1] or (bool(choices) and isinstance(types.get(name), Enum))
        alone = len(present) == 1 and name not in choices
        shown.append(text if plain or alone else f"{name} {text}")
    return ", ".join(shown) + (f" and {len(present) - _MOST} more" if len(present) > _MOST else "")


def schedule_text(points: Sequence[Any]) -> str:
    """Return "1.20e-3 at 260" for one keyframe, "2 keyframes to 1.20e-3 at 400" for several."""
    last = points[-1] if points and isinstance(points[-1], Mapping) else {}
    end = f"{_number_text(last.get('value'))} at {_number_text(last.get('at'))}" if last else "nothing"
    return f"{len(points)} keyframes to {end}" if len(points) > 1 else end


def mixture_text(weights: Mapping[str, object]) -> str:
    """Return a text such as "web 60%, code 20%, math 12%, books 8%"."""
    draft = MixtureDraft(tuple(weights), weights)
    shown = [f"{name} {percent_text(tenths)}" for name, tenths in zip(draft.names, draft.tenths, strict=True)]
    return ", ".join(shown[:_MOST]) + (f" and {len(shown) - _MOST} more" if len(shown) > _MOST else "")


def _number_text(value: Any) -> str:
    try:
        return fmt.number(as_number(value))
    except InvalidValue:
        return str(value)


def _duration_text(value: Any) -> str:
    try:
        return fmt.duration(float(as_number(value)))
    except InvalidValue:
        return str(value)


def command_stages(
    record: CommandRecord, *, paused: bool = False, confirms: bool = False, wait: str = ""
) -> list[CommandStage]:
    """Return the stages of a command: requested → waiting for trainer.step, 2.1 s → applied at 261.

    confirms: the effect is confirmed in a stream. wait: how long it has waited, and for what.
    """
    state = record.state
    first = CommandStage(f"requested by {record.sender}" if record.sender else "requested", "done")
    if state == commands.AWAITING_APPROVAL:
        by = f"awaiting approval{_BY.get(record.latest.approval, '')}"
        return [first, CommandStage(_joined(by, wait), "now"), CommandStage("applied", "ahead")]
    if state in (commands.RECEIVED, commands.WAITING):
        return [
            first,
            CommandStage(_joined(_waiting(record, paused), wait), "now"),
            CommandStage("applied", "ahead"),
        ]
    if state == commands.APPLIED:
        done = [first, CommandStage(f"applied at {fmt.step(record.step)}".removesuffix(" at "), "done")]
        return [*done, CommandStage("confirmed", "ahead")] if confirms else done
    if state == commands.CONFIRMED:
        confirmed = record.confirmed
        ran = confirmed.body.ran_at if confirmed is not None else None
        last = f"ran at {fmt.number(ran)}" if ran is not None else "confirmed"
        return [
            first,
            CommandStage(f"applied at {fmt.step(record.step)}", "done"),
            CommandStage(last, "done"),
        ]
    return [first, CommandStage(ended_text(state, record.message), "bad")]


def _joined(text: str, wait: str) -> str:
    return f"{text}, {wait}" if wait else text


def _waiting(record: CommandRecord, paused: bool) -> str:
    if paused and record.safe_point and record.safe_point != TRAINER_SAFE_POINT:
        return "waiting: the run is paused"
    return f"waiting for {record.safe_point}" if record.safe_point else "waiting"


def entries(record: CommandRecord, node: Node | None) -> list[ChangeEntry]:
    """Return each state of a command as a line with its time, oldest first."""
    lines = [ChangeEntry(stage.time, stage.state, _entry_text(stage, record, node)) for stage in record.track]
    if record.state != record.latest.state:
        lines.append(ChangeEntry(record.track[-1].time, record.state, f"{record.state}: {record.message}"))
    return lines


def _entry_text(stage: Stage, record: CommandRecord, node: Node | None) -> str:
    body = stage.body
    at = f" at step {fmt.step(stage.step)}" if stage.step is not None else ""
    if body.state == commands.RECEIVED:
        return "received, on disk" + (f", from {record.sender}" if record.sender else "")
    if body.state == commands.WAITING:
        approved = f"approved by {body.approver}, " if body.approver else ""
        return f"{approved}waiting for {body.safe_point}" if body.safe_point else f"{approved}waiting"
    if body.state == commands.APPLIED:
        old, new = value_text(node, body.old), value_text(node, body.new)
        return f"applied{at}" + (f": {old or 'start'} → {new}" if new else "")
    if body.state == commands.CONFIRMED and body.ran_at is not None:
        return f"confirmed, ran at {fmt.number(body.ran_at)}"
    return ended_text(body.state, body.message) if body.message else body.state + at


def ended_text(state: str, message: str) -> str:
    """Return a text such as "cancelled by ada" or "rejected: lr is -1, it must be more than 0"."""
    return f"{state}: {message}" if message and not message.startswith(state) else message or state
