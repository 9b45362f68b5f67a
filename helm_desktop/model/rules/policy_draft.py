"""The draft of one section of the policy, as the user types it: rows of texts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import msgspec

from helm_sdk.policy import (
    ControlRule,
    Policy,
    PolicyError,
    PolicySection,
    ProgramBound,
    ProgramLimit,
    ProgramLimits,
    parse_policy,
)
from helm_sdk.policy.spec import Approval

EVERY = ""  # the key of the section for all projects without one of their own
APPROVALS: tuple[tuple[Approval, str], ...] = (
    ("none", "at once"),
    ("sender", "once approved, the sender may"),
    ("another key", "once another key approves"),
    ("refused", "never"),
)
_BOUND = re.compile(r"\s*(?:(\S+)\s+)?(\S*?)\s*\.\.\s*(\S*)\s*")


@dataclass
class ControlRow:
    """Who has to approve changes of a control."""

    control: str = ""
    approval: Approval = "another key"


@dataclass
class LimitRow:
    """The limits of programs for a control."""

    control: str = ""
    bounds: str = ""  # lr 1e-5..1e-3, scale ..1
    per_hour: str = ""


@dataclass
class SectionDraft:
    """The fields of one section."""

    controls: list[ControlRow] = field(default_factory=list)
    limited: bool = False
    keys: str = ""
    via: str = ""
    may_approve: bool = False
    per_hour: str = ""
    limits: list[LimitRow] = field(default_factory=list)

    def section(self) -> PolicySection:
        """Return the section that was typed. Raises PolicyError, whose message is one sentence."""
        controls = tuple(
            ControlRule(control=row.control.strip(), approval=row.approval)
            for row in self.controls
            if row.control.strip()
        )
        return PolicySection(controls=controls, programs=self._programs() if self.limited else None)

    def _programs(self) -> ProgramLimits:
        limits = tuple(
            ProgramLimit(
                control=row.control.strip(),
                bounds=parse_bounds(row.bounds),
                per_hour=_count(row.per_hour, f"{row.control.strip()}, changes an hour"),
            )
            for row in self.limits
            if row.control.strip()
        )
        return ProgramLimits(
            keys=_split(self.keys),
            via=_split(self.via) or None,
            limits=limits,
            per_hour=_count(self.per_hour, "Changes an hour in all"),
            may_approve=self.may_approve,
        )


def draft_of(section: PolicySection) -> SectionDraft:
    """Return the draft with the texts of a section."""
    draft = SectionDraft([ControlRow(rule.control, rule.approval) for rule in section.controls])
    programs = section.programs
    if programs is not None:
        draft.limited, draft.may_approve = True, programs.may_approve
        draft.keys, draft.via = ", ".join(programs.keys), ", ".join(programs.via or ())
        draft.per_hour = "" if programs.per_hour is None else str(programs.per_hour)
        for limit in programs.limits:
            hourly = "" if limit.per_hour is None else str(limit.per_hour)
            draft.limits.append(LimitRow(limit.control, bounds_text(limit), hourly))
    return draft


def with_section(policy: Policy | None, project: str, section: PolicySection) -> Policy:
    """Return the policy with this section replaced. Raises PolicyError, whose message is one sentence."""
    policy = policy or Policy()
    if project == EVERY:
        changed = msgspec.structs.replace(policy, controls=section.controls, programs=section.programs)
    else:
        changed = msgspec.structs.replace(policy, projects={**policy.projects, project: section})
    return parse_policy(msgspec.to_builtins(changed))


def section_of(policy: Policy | None, project: str) -> PolicySection:
    """Return the section of a project; for a project without one, the section that applies to it."""
    policy = policy or Policy()
    if project == EVERY:
        return PolicySection(controls=policy.controls, programs=policy.programs)
    return policy.section(project)


def parse_bounds(text: str) -> dict[str, ProgramBound]:
    """Read bounds such as "lr 1e-5..1e-3, scale ..1", or "0..1" for the input itself. Raises PolicyError."""
    found: dict[str, ProgramBound] = {}
    for part in text.split(","):
        if not part.strip():
            continue
        match = _BOUND.fullmatch(part)
        if match is None or not (match[2] or match[3]):
            raise PolicyError(f"{part.strip()} says no bounds: write lr 1e-5..1e-3")
        found[match[1] or ""] = ProgramBound(min=match[2] or None, max=match[3] or None)
    return found


def bounds_text(limit: ProgramLimit) -> str:
    """Return the bounds of a limit as a text that `parse_bounds` can read."""
    return ", ".join(
        f"{name} {'' if bound.min is None else bound.min}..{'' if bound.max is None else bound.max}".strip()
        for name, bound in limit.bounds.items()
    )


def _split(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _count(text: str, what: str) -> int | None:
    if not text.strip():
        return None
    if not text.strip().isdigit():
        raise PolicyError(f"{what}: {text.strip()} is not a whole number")
    return int(text)
