"""From an object to a policy, checked."""

from __future__ import annotations

from typing import Any

import msgspec

from helm_sdk.policy.spec import Policy, PolicySection
from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.protocol.numbers import decimal_of


class PolicyError(Exception):
    """A policy that cannot be used; the text is one sentence."""


def parse_policy(plain: Any) -> Policy:
    """Return the policy that an object says. Raises PolicyError."""
    try:
        policy = msgspec.convert(plain, Policy)
    except msgspec.ValidationError as error:
        raise PolicyError(str(error)) from None
    for section in (policy.section(""), *policy.projects.values()):
        _check(section)
    return policy


def _check(section: PolicySection) -> None:
    programs = section.programs
    if programs is None:
        return
    for limit in programs.limits:
        for name, bound in limit.bounds.items():
            for end in (bound.min, bound.max):
                if end is not None:
                    try:
                        decimal_of(end, f"the bound of {name or 'the input'} for {limit.control}")
                    except InvalidValue as error:
                        raise PolicyError(error.sentence) from None
    for count in (programs.per_hour, *(limit.per_hour for limit in programs.limits)):
        if count is not None and count < 0:
            raise PolicyError(f"per_hour is {count}, it must be 0 or more")
