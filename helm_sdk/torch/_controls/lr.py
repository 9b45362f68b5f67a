"""lr: the rate itself, a factor or keyframes, kept on through any scheduler."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from helm_sdk.models import Applied, CommandContext
from helm_sdk.protocol.builders import enum_of, field, number, record_schema, schedule
from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.protocol.kinds import as_number
from helm_sdk.torch._controls.base import ControlParts, Declaration, TrainerControl, capability
from helm_sdk.torch._schedules.rate_overrides import (
    HeldRate,
    RateChange,
    ZeroScheduleRate,
    from_plain,
    to_plain,
)

HELP = (
    "Sets the learning rate from the next step on; the schedule then goes on from it, scaled. lr is meant "
    "for the first group, the others keep their ratio to it; scale multiplies the rates as they are now. "
    "A plan goes linearly from keyframe to keyframe. A named group is changed alone. Hold keeps the rate "
    "(the last keyframe's, after a plan) until a change that follows the schedule."
)


class LrControl(TrainerControl):
    """Changes take effect at the next optimizer step, whatever order the loop calls things in."""

    def __init__(self, parts: ControlParts) -> None:
        self._rates = parts.rates
        self._read_back = parts.read_back
        self._next_raws = parts.next_raws

    def _unavailable(self) -> str:
        """Without an optimizer, or with one that makes its own rate, there is nothing to set."""
        if not self._rates.groups:
            return "no optimizer is watched"
        without = [group.label for group in self._rates.groups if group.options.get("lr") is None]
        return f"{', '.join(without)} has no rate of its own to set" if without else ""

    def declare(self) -> Declaration:
        """Return a form for one of lr, scale and plan, what follows, and the group."""
        unavailable = self._unavailable()
        labels = [group.label for group in self._rates.groups]
        fields = [
            field("lr", number(0, exclusive=["min"], scale="log"), optional=True, help="the rate itself"),
            field("scale", number(0), optional=True, help="a factor on the rate as it is now"),
            field(
                "plan",
                schedule(0, axis="step"),
                optional=True,
                help="the schedule before the first keyframe, straight lines between, then as below",
            ),
            field(
                "plan_tokens",
                schedule(0, axis="tokens"),
                optional=True,
                help="the same over the tokens that the loop has seen",
            ),
            field("mode", enum_of(["rescale", "hold"], ["follow the schedule", "hold"]), default="rescale"),
        ]
        if len(labels) > 1:
            fields.append(field("group", enum_of(labels), optional=True, help="this group alone"))
        first = 0.0 if unavailable else self._rates.raws()[0]
        shown = capability(
            "lr",
            input_schema=record_schema(*fields, one_of=["lr", "scale", "plan", "plan_tokens"]),
            starting={"lr": first} if first > 0 else {"scale": 1.0},
            help=HELP,
            reads=f"optim/lr/{labels[0]}" if labels else "",
        )
        return Declaration(shown, unavailable)

    def check(self, value: Any, context: CommandContext) -> None:
        """Refuse in one sentence where the schedule's rate is 0 and a change has nothing to rescale."""
        try:
            self._rates.check(self._change(value), self._next_raws())
        except ZeroScheduleRate as error:
            raise InvalidValue("lr", str(error)) from None

    def apply(self, value: Any, context: CommandContext) -> Applied:
        """Let the change take effect with the next optimizer step."""
        labels = [group.label for group in self._rates.groups]
        change, raws = self._change(value), self._next_raws()
        shown = change.group or 0
        before, was = self._rates.preview(raws), self._rates.overrides[shown]
        self._rates.change(change)
        after = self._rates.preview(raws)
        self._read_back.expect(context.id, lambda: self._rates.used[shown])
        return Applied(
            old=_as_input(before[shown], value, isinstance(was, HeldRate)),
            new=value if change.plan else _as_input(after[shown], value, change.hold),
            result={
                "rates": dict(zip(labels, after, strict=True)),
                "before": dict(zip(labels, before, strict=True)),
            },
            step=self._rates.now().step,
        )

    def state(self) -> Any:
        """Return the override of every group by its label, and the changes that wait for the next step."""
        rates = self._rates
        return {
            "overrides": {
                group.label: to_plain(override)
                for group, override in zip(rates.groups, rates.overrides, strict=True)
            },
            "pending": [asdict(change) for change in rates.pending],
        }

    def restore(self, state: Any) -> None:
        """Groups that the state does not know keep what they have."""
        rates, overrides = self._rates, state["overrides"]
        for flat, group in enumerate(rates.groups):
            if group.label in overrides:
                rates.overrides[flat] = from_plain(overrides[group.label])
        rates.pending[:] = [
            RateChange(**{**change, "plan": tuple(map(tuple, change["plan"]))}) for change in state["pending"]
        ]

    def _change(self, value: dict[str, Any]) -> RateChange:
        labels = [group.label for group in self._rates.groups]
        return RateChange(
            lr=_float(value.get("lr")),
            scale=_float(value.get("scale")),
            plan=self._keyframes(value),
            tokens=value.get("plan_tokens") is not None,
            hold=value.get("mode") == "hold",
            group=labels.index(value["group"]) if value.get("group") is not None else None,
        )

    def _keyframes(self, value: dict[str, Any]) -> tuple[tuple[float, float], ...]:
        name = "plan_tokens" if value.get("plan_tokens") is not None else "plan"
        points = (value.get(name) or {"points": []})["points"]
        keyframes = tuple((float(as_number(one["at"])), float(as_number(one["value"]))) for one in points)
        now = self._rates.now()
        if keyframes and name == "plan_tokens" and not now.tokens:
            raise InvalidValue(name, "the loop has not said how many tokens a step takes in")
        if keyframes and name == "plan" and keyframes[-1][0] < now.step:
            raise InvalidValue(name, f"plan ends at step {keyframes[-1][0]:g}, the next step is {now.step}")
        if keyframes and name == "plan_tokens" and keyframes[-1][0] < now.tokens:
            last = f"plan_tokens ends at {keyframes[-1][0]:g} tokens"
            raise InvalidValue(name, f"{last}, the loop has seen {now.tokens:g}")
        return keyframes


def _float(value: Any) -> float | None:
    return None if value is None else float(as_number(value))


def _as_input(rate: float, value: dict[str, Any], held: bool) -> dict[str, Any]:
    """Return the rate in the shape of an input, so that a card can show it and send it again."""
    shape: dict[str, Any] = {"lr": rate}
    if held:
        shape["mode"] = "hold"
    if value.get("group") is not None:
        shape["group"] = value["group"]
    return shape
