"""The draft of one action of a rule, as the user types it, with the problem of each field."""

from __future__ import annotations

import json
import math
import re
import shlex
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from helm_desktop.model.series.durations import parse_span, typed_span
from helm_sdk.rules import Action, HoldFor, Notify, Program, Send, Webhook

Kind = Literal["notify", "capture", "send", "run", "webhook"]
KINDS: Final[tuple[tuple[Kind, str], ...]] = (
    ("notify", "notify"),
    ("capture", "capture"),
    ("send", "send a control"),
    ("run", "run"),
    ("webhook", "webhook"),
)
CAPTURE: Final = "capture"  # the control that only runs that offer captures declare
_ADDRESS = re.compile(r"https?://[^/\s]+")


@dataclass
class ActionDraft:
    """The fields of one action. After `action`, `wrong` has the problem of each field, in one sentence."""

    kind: Kind
    beep: bool = False
    command: str = ""
    url: str = ""
    timeout: str = ""
    control: str = ""
    input: str = "{}"
    process: str = ""
    reason: str = ""
    budget: str = "3"
    per: str = "1 h"
    cool_down: str = "60 s"
    wrong: dict[str, str] = field(default_factory=dict)

    def action(self) -> Action | None:
        """Return the action that was typed; None, and problems in `wrong`, when it is not complete."""
        self.wrong = {}
        made = {"notify": self._notify, "run": self._run, "webhook": self._call}.get(self.kind, self._send)()
        return None if self.wrong else made

    def _notify(self) -> Action:
        return Notify(beep=self.beep)

    def _run(self) -> Action:
        arguments: tuple[str, ...] = ()
        try:
            arguments = tuple(shlex.split(self.command))
        except ValueError:
            self.wrong["command"] = "A quote is not closed"
        if not arguments and not self.wrong:
            self.wrong["command"] = "Type the program to run"
        return Program(command=arguments, timeout_s=self._seconds("timeout", self.timeout, 30.0))

    def _call(self) -> Action:
        url = self.url.strip()
        if not _ADDRESS.match(url):
            self.wrong["url"] = "An address begins with http:// or https://"
        return Webhook(url=url, timeout_s=self._seconds("timeout", self.timeout, 10.0))

    def _send(self) -> Action:
        control = CAPTURE if self.kind == CAPTURE else self.control
        if not control:
            self.wrong["control"] = "Choose a control"
        value: Any = None
        try:
            value = json.loads(self.input or "null")
        except ValueError as error:
            self.wrong["input"] = f"The input is not JSON: {error}"
        if not self.budget.strip().isdecimal() or int(self.budget) < 1:
            self.wrong["budget"] = "Type how often it may be sent at most: 1 or more"
        return Send(
            control=control,
            input=value,
            process=self.process.strip(),
            reason=self.reason.strip(),
            budget=1 if "budget" in self.wrong else int(self.budget),
            per_s=self._seconds("per", self.per, 3600.0),
            cool_down_s=self._seconds("cool_down", self.cool_down, 0.0, least=0.0),
        )

    def _seconds(self, name: str, text: str, default: float, least: float = math.ulp(0.0)) -> float:
        """Return the seconds of a typed time; the default for an empty text."""
        if not text.strip():
            return default
        if text.strip() == "0" and least == 0.0:
            return 0.0
        span = parse_span(text)
        if span is None or span.seconds is None:
            self.wrong[name] = f"{text.strip()} is not a time such as 60 s"
            return default
        if not span.seconds >= least or not math.isfinite(span.seconds):
            self.wrong[name] = "The time must be more than 0"
        return span.seconds


def draft_of_action(action: Action) -> ActionDraft:
    """Return the draft with the texts of an action."""
    if isinstance(action, Notify):
        return ActionDraft("notify", beep=action.beep)
    if isinstance(action, Program):
        return ActionDraft("run", command=shlex.join(action.command), timeout=_time(action.timeout_s))
    if isinstance(action, Webhook):
        return ActionDraft("webhook", url=action.url, timeout=_time(action.timeout_s))
    assert isinstance(action, Send)
    return ActionDraft(
        "capture" if action.control == CAPTURE else "send",
        control=action.control,
        input=json.dumps(action.input, ensure_ascii=False),
        process=action.process,
        reason=action.reason,
        budget=str(action.budget),
        per=_time(action.per_s),
        cool_down=_time(action.cool_down_s),
    )


def _time(seconds: float) -> str:
    return typed_span(HoldFor(seconds=seconds))
