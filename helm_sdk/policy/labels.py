"""A policy in the reader's words."""

from __future__ import annotations

from collections.abc import Iterator

from helm_sdk.policy.spec import PEOPLE, Policy, PolicySection, ProgramBound, ProgramLimit, ProgramLimits

_APPROVAL = {
    "none": "at once",
    "sender": "once somebody has approved it, the sender too",
    "another key": "once another key than the sender's has approved it",
    "refused": "never",
}


def in_words(policy: Policy | None) -> list[str]:
    """Return one line for each rule."""
    if policy is None:
        return ["there is no policy: whoever is trusted may change every control that needs no approval"]
    lines = list(_section(PolicySection(controls=policy.controls, programs=policy.programs)))
    for project, section in policy.projects.items():
        lines += [f"in {project}:", *(f"  {line}" for line in _section(section))]
    return lines


def bound_words(name: str, bound: ProgramBound) -> str:
    """ "lr from 1e-05 to 0.001"."""
    what = name or "it"
    if bound.min is not None and bound.max is not None:
        return f"{what} from {bound.min} to {bound.max}"
    if bound.min is not None:
        return f"{what} at {bound.min} or more"
    return f"{what} at {bound.max} or less" if bound.max is not None else f"{what} freely"


def _section(section: PolicySection) -> Iterator[str]:
    for rule in section.controls:
        yield f"{rule.control} is changed {_APPROVAL[rule.approval]}"
    if not any(rule.control == "*" for rule in section.controls):
        yield "every other control is changed at once, unless it asks for approval itself"
    if section.programs is None:
        yield "programs may do what people may"
    else:
        yield from _programs(section.programs)


def _programs(programs: ProgramLimits) -> Iterator[str]:
    named = [f"the key of {name}" for name in programs.keys]
    if programs.via is None:
        named.append(f"what is not {' or '.join(PEOPLE)}")
    else:
        named += [f"what calls itself {pattern}" for pattern in programs.via]
    yield f"a program is {', or '.join(named) if named else 'nobody'}"
    for limit in programs.limits:
        yield f"programs may change {_limit(limit)}"
    yield "programs may change " + ("nothing else" if programs.limits else "nothing")
    if programs.per_hour is not None:
        yield f"programs may send {programs.per_hour} changes an hour in all"
    yield "programs may approve" if programs.may_approve else "programs may not approve"


def limit_words(programs: ProgramLimits, control: str) -> str:
    """Return what programs may do with one control: "lr from 1e-5 to 0.001, 4 times an hour", "nothing"."""
    limit = next((limit for limit in programs.limits if limit.matches(control)), None)
    if limit is None:
        return "nothing"
    parts = _bounds_and_pace(limit)
    if limit.per_hour is None and programs.per_hour is not None:
        parts.append(f"{times(programs.per_hour)} an hour with all their other changes")
    return ", ".join(parts) or "any value"


def _limit(limit: ProgramLimit) -> str:
    bounds = "with " if limit.bounds else ""
    return ", ".join([limit.control, bounds + ", ".join(_bounds_and_pace(limit))]).removesuffix(", ")


def _bounds_and_pace(limit: ProgramLimit) -> list[str]:
    bounds = " and ".join(bound_words(name, bound) for name, bound in limit.bounds.items())
    pace = f"{times(limit.per_hour)} an hour" if limit.per_hour is not None else ""
    return [part for part in (bounds, pace) if part]


def times(count: int) -> str:
    """ "1 time", "4 times"."""
    return "1 time" if count == 1 else f"{count} times"
