"""A rule as somebody types it, field by field, and what is wrong with each."""

from __future__ import annotations

import json
import re
import shlex
import uuid
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from helm_desktop.model.rules import complaint
from helm_sdk.rules import Action, Notify, Program, Rule, Send, Span, Webhook
from helm_sdk.rules.spec import When
from helm_sdk.rules.words import span_words

NOTIFY, BEEP, SEND, RUN, CALL = "notify", "beep", "send", "run", "webhook"
NEEDS_VALUE: tuple[When, ...] = ("above", "below", "change", "plateau")
_SPAN = re.compile(r"\s*([0-9][0-9,]*(?:\.[0-9]+)?)\s*([a-zA-Z]*)\s*")
_UNITS = {"s": 1.0, "sec": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_Known = TypeVar("_Known", Program, Webhook, Send)
_STEPS = ("", "step", "steps")


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
    then: set[str] = field(default_factory=lambda: {NOTIFY})
    control: str = ""
    input: str = "{}"
    budget: str = "3"
    cool_down: str = "60 s"
    command: str = ""
    url: str = ""
    wrong: dict[str, str] = field(default_factory=dict)
    base: Rule | None = None  # what it was: what the form does not show stays as it is

    def rule(self) -> Rule | None:
        """The rule that is typed; None, with `wrong`, while it is not one yet."""
        self.wrong = {}
        if not self.metric.strip():
            self.wrong["metric"] = "say which metric"
        value = self._value()
        over = self._span("over", self.over) if self.when == "change" else Span()
        hold = self._span("hold", self.hold)
        actions = tuple(self._actions())
        if self.wrong:
            return None
        base = self.base or Rule(id=self.id or uuid.uuid4().hex[:12], metric="", when=self.when)
        made = msgspec.structs.replace(
            base,
            name=self.name.strip(),
            metric=self.metric.strip(),
            when=self.when,
            value=value,
            over=over,
            hold=hold,
            then=actions,
        )
        said = complaint(made)
        if said:
            self.wrong["hold" if made.when == "no data" or "a number of steps" in said else "value"] = said
            return None
        return made

    def _value(self) -> float:
        if self.when not in NEEDS_VALUE or (self.when == "plateau" and not self.value.strip()):
            return 0.0
        try:
            return float(self.value)
        except ValueError:
            self.wrong["value"] = f"{self.value} is no number" if self.value.strip() else "say which value"
            return 0.0

    def _span(self, name: str, text: str) -> Span:
        span = parse_span(text)
        if span is None:
            self.wrong[name] = f"{text.strip()} is no number of steps and no time such as 5 min"
            return Span()
        return span

    def _actions(self) -> list[Action]:
        made: list[Action] = []
        if self.then & {NOTIFY, BEEP}:
            made.append(Notify(beep=BEEP in self.then))
        made += self._further()
        if SEND in self.then:
            made += self._send()
        if RUN in self.then:
            try:
                words = tuple(shlex.split(self.command))
                made.append(
                    msgspec.structs.replace(self._first(Program) or Program(command=()), command=words)
                )
            except ValueError:
                self.wrong["command"] = "a quote is not closed"
            if not self.command.strip():
                self.wrong["command"] = "say which program"
        if CALL in self.then:
            known = self._first(Webhook) or Webhook(url="")
            made.append(msgspec.structs.replace(known, url=self.url.strip()))
            if not re.match(r"https?://[^/\s]+", self.url.strip()):
                self.wrong["url"] = "an address begins with http:// or https://"
        return made

    def _send(self) -> list[Action]:
        if not self.control:
            self.wrong["control"] = "say which control"
        given: Any = None
        try:
            given = json.loads(self.input or "null")
        except ValueError as error:
            self.wrong["input"] = f"this is no JSON: {error}"
        pause = parse_span(self.cool_down)
        if pause is None or pause.steps is not None:
            self.wrong["cool_down"] = f"{self.cool_down} is no time such as 60 s"
        if not self.budget.strip().isdigit() or int(self.budget) < 1:
            self.wrong["budget"] = "1 or more"
        if self.wrong:
            return []
        rest = pause.seconds if pause is not None and pause.seconds is not None else 0.0
        known = self._first(Send) or Send(control="")
        changed = {"control": self.control, "input": given, "budget": int(self.budget), "cool_down_s": rest}
        return [msgspec.structs.replace(known, **changed)]

    def _first(self, kind: type[_Known]) -> _Known | None:
        """The action of this kind that the form shows."""
        then = self.base.then if self.base is not None else ()
        return next((action for action in then if isinstance(action, kind)), None)

    def _further(self) -> list[Action]:
        """Actions of a kind of which the form shows only the first."""
        seen: set[type] = set()
        further: list[Action] = []
        for action in self.base.then if self.base is not None else ():
            if type(action) in seen and not isinstance(action, Notify):
                further.append(action)
            seen.add(type(action))
        return further


def draft_of(rule: Rule) -> RuleDraft:
    """The draft that says this rule."""
    draft = RuleDraft(id=rule.id, name=rule.name, metric=rule.metric, when=rule.when, base=rule)
    draft.value = f"{rule.value:g}" if rule.when in NEEDS_VALUE else ""
    draft.over, draft.hold = span_words(rule.over), span_words(rule.hold)
    draft.then = set()
    for action in reversed(rule.then):  # the first of each kind is shown
        if isinstance(action, Notify):
            draft.then |= {NOTIFY, BEEP} if action.beep else {NOTIFY}
        elif isinstance(action, Program):
            draft.then.add(RUN)
            draft.command = shlex.join(action.command)
        elif isinstance(action, Webhook):
            draft.then.add(CALL)
            draft.url = action.url
        else:
            draft.then.add(SEND)
            draft.control, draft.input = action.control, json.dumps(action.input, ensure_ascii=False)
            draft.budget, draft.cool_down = str(action.budget), span_words(Span(seconds=action.cool_down_s))
    return draft


def parse_span(text: str) -> Span | None:
    """ "20" and "20 steps" are steps, "5 min" is a time, nothing is no span; None for what is neither."""
    if not text.strip():
        return Span()
    seconds, at = 0.0, 0
    while at < len(text):
        found = _SPAN.match(text, at)
        if found is None:
            return None
        number, unit = float(found[1].replace(",", "")), found[2].lower()
        if unit in _STEPS:
            whole = at == 0 and found.end() == len(text) and number == int(number)
            return Span(steps=int(number)) if whole else None
        if unit not in _UNITS:
            return None
        seconds, at = seconds + number * _UNITS[unit], found.end()
    return Span(seconds=seconds)
