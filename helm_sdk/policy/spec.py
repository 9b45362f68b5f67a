"""What a policy file says. A field that is not known is a mistake: a slip must not let everything through."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Literal, TypeAlias

import msgspec

Approval: TypeAlias = Literal["none", "sender", "another key", "refused"]
PEOPLE = ("helm-desktop", "helmctl")  # programs that a person's hand moves


class _Strict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    pass


class ControlRule(_Strict, frozen=True, kw_only=True):
    """For controls whose name fits a pattern: who has to approve a command. The first that fits holds."""

    control: str  # a name, or a pattern: * stands for any text
    approval: Approval

    def matches(self, name: str) -> bool:
        """Return True when it is for this control."""
        return self.control == name or fnmatchcase(name, self.control)


class ProgramBound(_Strict, frozen=True, kw_only=True):
    """From where to where a program may set a number, ends included."""

    min: float | str | None = None
    max: float | str | None = None


class ProgramLimit(_Strict, frozen=True, kw_only=True):
    """What programs may send to controls whose name fits a pattern. The first that fits holds.

    bounds: by field, dotted where it lies deeper; "" is the input itself. With any, numbers in other fields
        are refused.
    per_hour: how many commands of all programs together.
    """

    control: str
    bounds: dict[str, ProgramBound] = {}
    per_hour: int | None = None

    def matches(self, name: str) -> bool:
        """Return True when it is for this control."""
        return self.control == name or fnmatchcase(name, self.control)


class ProgramLimits(_Strict, frozen=True, kw_only=True):
    """Limits for programs: a key that the allow-list knows by one of these names, or what calls itself so.

    A program calls itself what it likes: where that matters give it a key of its own, named in `keys`.
    via: patterns; without any, everything but the app and helmctl by hand counts as a program.
    limits: a control that none of them fits is refused.
    """

    keys: tuple[str, ...] = ()
    via: tuple[str, ...] | None = None
    limits: tuple[ProgramLimit, ...] = ()
    per_hour: int | None = None
    may_approve: bool = False

    def names(self, sender: str, via: str) -> bool:
        """Return True when this sender is a program."""
        if sender in self.keys:
            return True
        if self.via is None:
            return via not in PEOPLE
        return any(fnmatchcase(via, pattern) for pattern in self.via)


class PolicySection(_Strict, frozen=True, kw_only=True):
    """The rules for one project, or for all that have none of their own."""

    controls: tuple[ControlRule, ...] = ()
    programs: ProgramLimits | None = None


class Policy(_Strict, frozen=True, kw_only=True):
    """A whole policy file. A project's section takes the place of the general one, it does not add to it."""

    format: Literal[1] = 1
    controls: tuple[ControlRule, ...] = ()
    programs: ProgramLimits | None = None
    projects: dict[str, PolicySection] = {}  # by name or pattern

    def section(self, project: str) -> PolicySection:
        """Return the rules for a project."""
        if project in self.projects:
            return self.projects[project]
        for pattern, section in self.projects.items():
            if fnmatchcase(project, pattern):
                return section
        return PolicySection(controls=self.controls, programs=self.programs)
