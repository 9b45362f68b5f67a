"""The draft of a rule, as the user types it, with the problem of each field."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec

from helm_desktop.model.rules.action_draft import ActionDraft, draft_of_action
from helm_desktop.model.rules.rules_model import problem_of_rule
from helm_desktop.model.series.durations import parse_span, typed_span
from helm_sdk.rules import Action, HoldFor, Rule
from helm_sdk.rules.spec import When

Better = Literal["", "lower", "higher"]
NEEDS_VALUE: Final[tuple[When, ...]] = ("above", "below", "change", "plateau")


@dataclass
class RuleDraft:
    """The fields of the form. After `rule`, `wrong` has the problem of each field, in one sentence."""

    id: str = ""
    name: str = ""
    metric: str = ""
    when: When = "above"
    value: str = ""
    over: str = ""
    hold: str = ""
    better: Better = ""
    mark: bool = True
    then: list[ActionDraft] = field(default_factory=lambda: [ActionDraft("notify")])
    wrong: dict[str, str] = field(default_factory=dict)
    base: Rule | None = None  # the rule that is edited: parts that the form does not show are taken from it

    def rule(self) -> Rule | None:
        """Return the rule that was typed; None with problems in `wrong`, here or in an action."""
        self.wrong = {}
        if not self.metric.strip():
            self.wrong["metric"] = "Choose a metric"
        value = self._value()
        over = self._span("over", self.over) if self.when == "change" else HoldFor()
        hold = self._span("hold", self.hold)
        made = [draft.action() for draft in self.then]
        actions = tuple[Action, ...](action for action in made if action is not None)
        if self.wrong or len(actions) < len(made):
            return None
        base = self.base or Rule(id=self.id or uuid.uuid4().hex[:12], metric="", when=self.when)
        rule = msgspec.structs.replace(
            base,
            name=self.name.strip(),
            metric=self.metric.strip(),
            when=self.when,
            value=value,
            over=over,
            hold=hold,
            better=self.better if self.when == "plateau" else base.better,
            mark=self.mark,
            then=actions,
        )
        message = problem_of_rule(rule)
        if message:
            self.wrong["hold" if rule.when == "no data" or "a number of steps" in message else "value"] = (
                message
            )
            return None
        return rule

    @property
    def problem(self) -> str:
        """The first problem, here or in an action; empty without one."""
        every = [self.wrong, *(draft.wrong for draft in self.then)]
        return next((message for wrong in every for message in wrong.values()), "")

    def _value(self) -> float:
        if self.when not in NEEDS_VALUE or (self.when == "plateau" and not self.value.strip()):
            return 0.0
        try:
            return float(self.value)
        except ValueError:
            self.wrong["value"] = f"{self.value} is not a number" if self.value.strip() else "Type a value"
            return 0.0

    def _span(self, name: str, text: str) -> HoldFor:
        span = parse_span(text)
        if span is None:
            self.wrong[name] = f"{text.strip()} is not a number of steps or a time such as 5 min"
            return HoldFor()
        return span


def draft_of(rule: Rule) -> RuleDraft:
    """Return the draft with the texts of a rule."""
    draft = RuleDraft(id=rule.id, name=rule.name, metric=rule.metric, when=rule.when, base=rule)
    draft.value = _typed(rule.value) if rule.when in NEEDS_VALUE else ""
    draft.over, draft.hold = typed_span(rule.over), typed_span(rule.hold)
    draft.better, draft.mark = rule.better, rule.mark
    draft.then = [draft_of_action(action) for action in rule.then]
    return draft


def _typed(value: float) -> str:
    """Return the number as a short text that is read back exactly."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)
