"""Rules and how they stand, in the reader's words."""

from __future__ import annotations

from helm_sdk.rules.firing import Firing
from helm_sdk.rules.spec import Action, HoldFor, Notify, Program, Rule, Send, Webhook
from helm_sdk.rules.state import FIRED, NOTHING, OFF, PENDING, RuleState


def rule_words(rule: Rule) -> str:
    """ "optim/grad_norm above 10 for 5 steps · then capture, at most 3 an hour"."""
    then = ", ".join(action_words(action) for action in rule.then)
    parts = [_condition(rule), f"then {then}" if then else "only marked"]
    return " · ".join(parts)


def state_words(state: RuleState, now: float | None = None) -> str:
    """ "quiet", "pending 2 of 5 steps", "fired at 37"."""
    standing = state.status
    if standing == OFF:
        return "off"
    if standing == FIRED:
        return f"fired at {_where(state)}"
    if standing == PENDING:
        return _pending(state)
    silence, whole = state.silence(now) if now is not None else None, state.rule.hold.seconds
    # Points come in their own rhythm: a silence is worth telling once it is a good part of the rule's.
    if silence is not None and whole and silence > max(1.0, whole / 10):
        return f"silent {seconds_words(silence)} of {seconds_words(whole)}"
    if state.last is not None:
        return f"quiet, last at {_where(state)}"
    return "quiet" if standing != NOTHING else "no such metric yet"


def firing_words(firing: Firing) -> str:
    """ "train/loss is nan at step 37"."""
    more = f" and {len(firing.streams) - 1} more" if len(firing.streams) > 1 else ""
    step = None if firing.step is None else f"step {firing.step:,}"
    if firing.value is None:
        return f"no data from {firing.streams[0]}{more}" + (f" since {step}" if step else "")
    return f"{firing.streams[0]}{more} is {firing.value:.6g}" + (f" at {step}" if step else "")


def action_words(action: Action) -> str:
    """ "notify", "send lr, at most 3 an hour"."""
    if isinstance(action, Notify):
        return "notify and beep" if action.beep else "notify"
    if isinstance(action, Program):
        return f"run {action.command[0].rsplit('/', 1)[-1]}" if action.command else "run nothing"
    if isinstance(action, Webhook):
        return f"call {action.url.split('//', 1)[-1].split('/', 1)[0]}"
    assert isinstance(action, Send)
    what = "capture" if action.control == "capture" else f"send {action.control}"
    return f"{what}, at most {action.budget} {_per(action.per_s)}"


def span_words(span: HoldFor) -> str:
    """ "5 steps", "5 min"; empty for none."""
    if span.steps is not None:
        return "1 step" if span.steps == 1 else f"{span.steps:,} steps"
    return seconds_words(span.seconds) if span.seconds is not None else ""


def seconds_words(seconds: float) -> str:
    """ "30 s", "5 min", "1 h 30 min"."""
    if seconds < 120:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.3g} s"
    minutes = round(seconds / 60)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" + (f" {minutes % 60} min" if minutes % 60 else "")


def _condition(rule: Rule) -> str:
    lasting = f" for {span_words(rule.hold)}" if rule.hold else ""
    if rule.when == "not finite":
        return f"{rule.metric} is NaN or inf{lasting}"
    if rule.when == "no data":
        return f"{rule.metric} gets no data{lasting}"
    if rule.when == "plateau":
        better = f" by {rule.value:g} %" if rule.value else ""
        return f"{rule.metric} gets no better{better}{lasting}"
    if rule.when == "change":
        what = "rises" if rule.value > 0 else "falls"
        over = f" over {span_words(rule.over)}" if rule.over else " from point to point"
        return f"{rule.metric} {what} by more than {abs(rule.value):g} %{over}{lasting}"
    return f"{rule.metric} {rule.when} {rule.value:g}{lasting}"


def _pending(state: RuleState) -> str:
    watch, hold = state.pending, state.rule.hold
    if watch is None or watch.began is None or watch.last is None:
        return "pending"
    if hold.steps is not None:
        return f"pending {watch.last[0] - watch.began[0] + 1:,} of {span_words(hold)}"
    lasted = seconds_words(max(0.0, watch.last[1] - watch.began[1]))
    return f"pending {lasted} of {span_words(hold)}"


def _where(state: RuleState) -> str:
    if state.last is None or state.last.step is None:
        return "its start"
    return f"{state.last.step:,}"


def _per(seconds: float) -> str:
    named = {3600.0: "an hour", 60.0: "a minute", 86400.0: "a day"}
    return named.get(seconds, f"in {seconds_words(seconds)}")
