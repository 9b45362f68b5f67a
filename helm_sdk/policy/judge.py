"""Says of a command that has come in whether it may be, and who has to approve it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from helm_sdk.policy.labels import bound_words, limit_words, times
from helm_sdk.policy.parse import PolicyError
from helm_sdk.policy.spec import Approval, Policy, PolicySection, ProgramLimit, ProgramLimits
from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.protocol.numbers import decimal_of, shown

HOUR = 3600.0


class PolicySource(Protocol):
    """Where the policy stands, such as a `policy.file.PolicyFile`."""

    problem: str

    def current(self) -> Policy | None:
        """Return the policy now; None where there is none. Raises PolicyError."""


@dataclass(frozen=True)
class PolicyVerdict:
    """`refused`: why not, in one sentence that names the rule. `reason`: why somebody has to approve."""

    refused: str = ""
    approval: Approval = "none"
    reason: str = ""


def approval_of(asks: bool, verdict: PolicyVerdict) -> Approval:
    """Return who has to approve, where the control itself asks for approval or not."""
    return "another key" if asks and verdict.approval == "none" else verdict.approval


@dataclass(frozen=True)
class _Sent:
    at: float  # monotonic
    control: str
    sender: str
    via: str


class PolicyJudge:
    """Judges for one project, by the policy file as it is now. Counts what was taken in the last hour."""

    def __init__(self, file: PolicySource, project: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._project = project
        self._clock = clock
        self._sent: deque[_Sent] = deque()

    @property
    def problem(self) -> str:
        """What is wrong with the file as it is now; the last good one still holds."""
        return self._file.problem

    def judge(self, control: str, value: Any, sender: str, via: str) -> PolicyVerdict:
        """Return what the policy says of a command."""
        try:
            section = self._section()
        except PolicyError:
            section = None
        programs = section.programs if section is not None else None
        if programs is not None and programs.names(sender, via):
            refused = self._beyond(programs, control, value)
            if refused:
                return PolicyVerdict(f"policy: {refused}", "refused")
        return self.rule(control)

    def rule(self, control: str) -> PolicyVerdict:
        """Return what the policy says of a control, whatever is sent to it and whoever sends it."""
        try:
            section = self._section()
        except PolicyError as error:
            return PolicyVerdict(
                f"policy: nothing may be changed until the policy file is mended: {error}", "refused"
            )
        if section is None:
            return PolicyVerdict()
        rule = next((rule for rule in section.controls if rule.matches(control)), None)
        if rule is None:
            return PolicyVerdict()
        if rule.approval == "refused":
            return PolicyVerdict(
                f"policy: {control} may not be changed (the rule for {rule.control})", "refused"
            )
        who = "another key" if rule.approval == "another key" else "somebody"
        reason = f"policy: {who} must approve {control} (the rule for {rule.control})"
        return PolicyVerdict("", rule.approval, reason if rule.approval != "none" else "")

    def may_approve(self, sender: str, via: str) -> str:
        """Return why this sender may not approve anything; empty when it may."""
        try:
            section = self._section()
        except PolicyError as error:
            return f"policy: nothing may be approved until the policy file is mended: {error}"
        programs = section.programs if section is not None else None
        if programs is None or programs.may_approve or not programs.names(sender, via):
            return ""
        return f"policy: {via or sender} is a program, and programs may not approve"

    def limits(self, control: str) -> str:
        """Return what programs may send to a control, in words; empty where they may send what people may."""
        try:
            section = self._section()
        except PolicyError:
            return ""
        programs = section.programs if section is not None else None
        return "" if programs is None else limit_words(programs, control)

    def took(self, control: str, sender: str, via: str, ago: float = 0.0) -> None:
        """A command was taken in, so many seconds ago."""
        if ago < HOUR:
            self._sent.append(_Sent(self._clock() - max(0.0, ago), control, sender, via))

    def _section(self) -> PolicySection | None:
        policy = self._file.current()
        return None if policy is None else policy.section(self._project)

    def _beyond(self, programs: ProgramLimits, control: str, value: Any) -> str:
        limit = next((limit for limit in programs.limits if limit.matches(control)), None)
        if limit is None:
            named = ", ".join(limit.control for limit in programs.limits) or "none"
            return f"programs may not change {control} (the rules for programs name {named})"
        out = _out_of_bounds(limit, control, value)
        if out:
            return out
        sent = [one for one in self._of_programs(programs) if limit.matches(one)]
        if limit.per_hour is not None and len(sent) >= limit.per_hour:
            return f"programs may change {limit.control} {times(limit.per_hour)} an hour, and have"
        if programs.per_hour is not None and len(self._of_programs(programs)) >= programs.per_hour:
            return f"programs may send {programs.per_hour} changes an hour, and have"
        return ""

    def _of_programs(self, programs: ProgramLimits) -> list[str]:
        since = self._clock() - HOUR
        self._sent = deque(one for one in self._sent if one.at > since)
        return [one.control for one in self._sent if programs.names(one.sender, one.via)]


def _out_of_bounds(limit: ProgramLimit, control: str, value: Any) -> str:
    if not limit.bounds:
        return ""
    allowed = (
        f"(programs may set {', '.join(bound_words(name, bound) for name, bound in limit.bounds.items())}"
    )
    allowed += f" of {limit.control})"
    for path, leaf in _leaves(value):
        bound = limit.bounds.get(path)
        if bound is None:
            if _numeric(leaf):
                return f"{path or control} is {shown(leaf)} {allowed}"
            continue
        try:
            number = decimal_of(leaf, path or control)
        except InvalidValue as error:
            return f"{error.sentence} {allowed}"
        low = None if bound.min is None else decimal_of(bound.min, path)
        high = None if bound.max is None else decimal_of(bound.max, path)
        if (low is not None and number < low) or (high is not None and number > high):
            return f"{path or control} is {shown(leaf)} {allowed}"
    return ""


def _numeric(leaf: Any) -> bool:
    """Return True when a handler could take it for a number: text that says one, NaN and infinities too."""
    if isinstance(leaf, str):
        try:
            float(leaf)
        except ValueError:
            return False
        return True
    return isinstance(leaf, int | float) and not isinstance(leaf, bool)


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield what an input holds, by dotted field; the items of a list share their list's."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _leaves(item, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item, path)
    elif value is not None:
        yield path, value
