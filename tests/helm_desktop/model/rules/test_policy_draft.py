"""A section of the policy typed and said again."""

from __future__ import annotations

from typing import Any

import pytest

from helm_desktop.model.rules.policy_draft import (
    EVERY,
    SectionDraft,
    draft_of,
    parse_bounds,
    section_of,
    with_section,
)
from helm_sdk.policy import PolicyError, ProgramBound, parse_policy

POLICY: dict[str, Any] = {
    "controls": [{"control": "rollback", "approval": "another key"}, {"control": "*", "approval": "none"}],
    "programs": {
        "keys": ["bot", "night"],
        "via": ["auto*"],
        "limits": [{"control": "lr", "bounds": {"lr": {"min": "1e-5", "max": "1e-3"}}, "per_hour": 4}],
        "per_hour": 9,
        "may_approve": True,
    },
    "projects": {"free": {}},
}


@pytest.mark.parametrize("project", [EVERY, "free", "new"])
def test_that_a_section_comes_back_as_it_was(project: str) -> None:
    policy = parse_policy(POLICY)
    section = section_of(policy, project)
    assert draft_of(section).section() == section
    again = with_section(policy, project, draft_of(section).section())
    assert section_of(again, project) == section
    assert {name: again.projects[name] for name in policy.projects} == policy.projects


def test_that_bounds_are_read() -> None:
    assert parse_bounds("lr 1e-5..1e-3, scale ..1") == {
        "lr": ProgramBound(min="1e-5", max="1e-3"),
        "scale": ProgramBound(max="1"),
    }
    assert parse_bounds("0..1") == {"": ProgramBound(min="0", max="1")}
    assert parse_bounds("") == {}


@pytest.mark.parametrize("text", ["lr", "lr ..", "lr 1", "..", "lr a b..c"])
def test_that_text_without_bounds_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(PolicyError, match="no bounds"):
        parse_bounds(text)


def test_that_a_bad_limit_is_refused_with_a_reason() -> None:
    with pytest.raises(PolicyError, match="not a whole number"):
        SectionDraft(limited=True, per_hour="many").section()
    wrong = SectionDraft(limited=True, limits=draft_of(section_of(parse_policy(POLICY), EVERY)).limits)
    wrong.limits[0].bounds = "lr high..higher"
    with pytest.raises(PolicyError, match="must be a number"):
        with_section(None, EVERY, wrong.section())
