"""What a rule says, as a file or a form says it."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

When: TypeAlias = Literal["above", "below", "not finite", "change", "no data", "plateau"]
CONDITIONS: tuple[When, ...] = ("above", "below", "not finite", "change", "no data", "plateau")
_WILD = re.compile(r"\*|\{[A-Za-z_]\w*\}")


class RuleError(Exception):
    """Rules that cannot be used; the text is one sentence."""


class _Strict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    pass


class HoldFor(_Strict, frozen=True, kw_only=True):
    """How long, in steps or in seconds by the points' own clock; neither: not at all."""

    steps: int | None = None
    seconds: float | None = None

    def __bool__(self) -> bool:
        return self.steps is not None or self.seconds is not None


class Notify(_Strict, frozen=True, kw_only=True, tag_field="do", tag="notify"):
    """A notification on the desktop, and the system's beep if asked for."""

    beep: bool = False


class Program(_Strict, frozen=True, kw_only=True, tag_field="do", tag="run"):
    """A program with its arguments; what happened is in its environment as HELM_RULE_…"""

    command: tuple[str, ...]
    timeout_s: float = 30.0


class Webhook(_Strict, frozen=True, kw_only=True, tag_field="do", tag="webhook"):
    """A POST of JSON to an http or https address."""

    url: str
    timeout_s: float = 10.0


class Send(_Strict, frozen=True, kw_only=True, tag_field="do", tag="send"):
    """A command to a control (a capture is one): so many in a time at most, and a pause after each."""

    control: str
    input: Any = None
    process: str = ""
    reason: str = ""
    budget: int = 3
    per_s: float = 3600.0
    cool_down_s: float = 60.0


Action: TypeAlias = Notify | Program | Webhook | Send


class Rule(_Strict, frozen=True, kw_only=True, rename={"hold": "for"}):
    """One rule.

    metric: a stream's name, or a pattern: * stands for any text, {i} for any without a slash.
    value: the threshold of "above" and "below"; of "change" the percent it rises by (below 0: falls by),
        against `over` ago or the point before; of "plateau" the percent that counts as better (0: any).
    hold ("for" in a file): how long it has to be so at every point; for "no data" how long nothing comes.
    """

    id: str
    metric: str
    when: When
    name: str = ""
    value: float = 0.0
    over: HoldFor = HoldFor()
    hold: HoldFor = HoldFor()
    better: Literal["", "lower", "higher"] = (
        ""  # of "plateau"; empty: as the run defined the metric, else lower
    )
    then: tuple[Action, ...] = (Notify(),)
    mark: bool = True
    enabled: bool = True

    @property
    def title(self) -> str:
        """Its name, or what it watches."""
        return self.name or f"{self.metric} {self.when}"

    @property
    def pattern(self) -> bool:
        """Whether it may fit several metrics."""
        return bool(_WILD.search(self.metric))

    def matches(self, metric: str) -> bool:
        """Return True when it watches this metric."""
        if metric == self.metric:
            return True
        before, pattern = _compiled(self.metric)
        return pattern is not None and metric.startswith(before) and pattern.fullmatch(metric) is not None


class RuleFile(_Strict, frozen=True, kw_only=True):
    """A file of rules."""

    format: Literal[1] = 1
    rules: tuple[Rule, ...] = ()


def parse_rules(plain: Any) -> tuple[Rule, ...]:
    """Return the rules that an object says. Raises RuleError."""
    try:
        rules = msgspec.convert(plain, RuleFile).rules
    except msgspec.ValidationError as error:
        raise RuleError(str(error)) from None
    seen: set[str] = set()
    for rule in rules:
        problem = problem_of(rule) or (f"the id {rule.id} is there twice" if rule.id in seen else "")
        if problem:
            raise RuleError(f"{rule.title}: {problem}")
        seen.add(rule.id)
    return rules


def problem_of(rule: Rule) -> str:
    """Return why a rule cannot be used, in one sentence; empty when it can."""
    if not rule.id or not rule.metric:
        return "it needs an id and a metric"
    if not math.isfinite(rule.value):
        return f"the value is {rule.value}, it must be finite"
    for span, what in ((rule.hold, "for"), (rule.over, "over")):
        if span.steps is not None and span.seconds is not None:
            return f"{what} is steps or seconds, not both"
        if (span.steps is not None and span.steps < 1) or (span.seconds is not None and not span.seconds > 0):
            return f"{what} must be more than 0"
        if span.seconds is not None and not math.isfinite(span.seconds):
            return f"{what} must be finite"
    if rule.when == "no data" and rule.hold.seconds is None:
        return "no data needs a time, such as 5 min"
    if rule.when == "plateau" and not rule.hold:
        return "a plateau needs a number of steps or a time"
    if rule.when == "plateau" and rule.value < 0:
        return f"the value is {rule.value:g}, it must be 0 or more"
    if rule.when == "change" and rule.value == 0:
        return "the change is 0 %, it must be more, or less for a fall"
    return next((message for action in rule.then if (message := _problem_of_action(action))), "")


def _problem_of_action(action: Action) -> str:
    if isinstance(action, Program):
        return "" if action.command and action.timeout_s > 0 else "the program to run is empty"
    if isinstance(action, Webhook):
        parts = urlsplit(action.url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname)
        return "" if good else f"{action.url or 'the address'} is no http or https address"
    if isinstance(action, Send):
        if not action.control:
            return "say which control it sends"
        if action.budget < 1 or action.per_s <= 0 or action.cool_down_s < 0:
            return "the budget must be 1 or more, its time more than 0, the pause 0 or more"
    return ""


@cache
def _compiled(metric: str) -> tuple[str, re.Pattern[str] | None]:
    """Return what stands before the first wildcard, and the pattern; None where there is none."""
    parts, at = [], 0
    for found in _WILD.finditer(metric):
        parts += [re.escape(metric[at : found.start()]), ".*" if found[0] == "*" else "[^/]*"]
        at = found.end()
    if not parts:
        return metric, None
    before = _WILD.split(metric, maxsplit=1)[0]
    return before, re.compile("".join([*parts, re.escape(metric[at:])]), re.DOTALL)
