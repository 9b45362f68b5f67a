"""A rule as somebody types it, field by field, and what is wrong with each."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec

from helm_desktop.model.rules.action_draft import ActionDraft, draft_of_action
from helm_desktop.model.rules.rules_model import complaint
from helm_desktop.model.series.durations import parse_span, typed_span
from helm_sdk.rules import Action, HoldFor, Rule
from helm_sdk.rules.spec import When

Better = Literal["", "lower", "higher"]
NEEDS_VALUE: Final[tuple[When, ...]] = ("above", "below", "change", "plateau")


@dataclass
class RuleDraft:
    """The texts of the form. `wrong` says of a field, after `rule`, why it cannot be used."""

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
    base: Rule | None = None  # what it was: what the form does not show stays as it is

    def rule(self) -> Rule | None:
        """Return the rule that is typed; None, with `wrong` here or in an action, while it is not one yet."""
        self.wrong = {}
        if not self.metric.strip():
            self.wrong["metric"] = "say which metric"
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
        message = complaint(rule)
        if message:
            self.wrong["hold" if rule.when == "no data" or "a number of steps" in message else "value"] = (
                message
            )
            return None
        return rule

    @property
    def complaint(self) -> str:
        """The first that is wrong, here or in an action."""
        every = [self.wrong, *(draft.wrong for draft in self.then)]
        return next((message for wrong in every for message in wrong.values()), "")

    def _value(self) -> float:
        if self.when not in NEEDS_VALUE or (self.when == "plateau" and not self.value.strip()):
            return 0.0
        try:
            return float(self.value)
        except ValueError:
            self.wrong["value"] = f"{self.value} is no number" if self.value.strip() else "say which value"
            return 0.0

    def _span(self, name: str, text: str) -> HoldFor:
        span = parse_span(text)
        if span is None:
            self.wrong[name] = f"{text.strip()} is no number of steps and no time such as 5 min"
            return HoldFor()
        return span


def draft_of(rule: Rule) -> RuleDraft:
    """Return the draft that says this rule."""
    draft = RuleDraft(id=rule.id, name=rule.name, metric=rule.metric, when=rule.when, base=rule)
    draft.value = _typed(rule.value) if rule.when in NEEDS_VALUE else ""
    draft.over, draft.hold = typed_span(rule.over), typed_span(rule.hold)
    draft.better, draft.mark = rule.better, rule.mark
    draft.then = [draft_of_action(action) for action in rule.then]
    return draft


def _typed(value: float) -> str:
    """Return the shortest text that is read back as this number."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)
