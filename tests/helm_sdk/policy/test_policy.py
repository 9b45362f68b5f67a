"""What a policy file says of a command, without a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from helm_sdk.policy import PolicyError, in_words, parse_policy
from helm_sdk.policy.file import PolicyFile
from helm_sdk.policy.judge import PolicyJudge, approval_of

PROGRAMS = {
    "keys": ["bot"],
    "limits": [
        {"control": "lr", "bounds": {"lr": {"min": "1e-5", "max": 0.001}}, "per_hour": 2},
        {"control": "set_*"},
    ],
    "per_hour": 3,
}


def judge(tmp_path: Path, policy: Any, project: str = "p") -> PolicyJudge:
    """A judge by this policy."""
    path = tmp_path / "policy.json"
    path.write_text(json.dumps(policy))
    return PolicyJudge(PolicyFile(path), project)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"lr": "1e-5"}, ""),
        ({"lr": 0.001, "mode": "hold"}, ""),
        ({"lr": "0.0010000001"}, 'lr is "0.0010000001" (programs may set lr from 1e-5 to 0.001 of lr)'),
        ({"lr": 0}, "lr is 0 ("),
        ({"scale": 1000}, "scale is 1000 ("),
        ({"plan": {"points": [{"at": 1, "value": 9}]}}, "plan.points.at is 1 ("),
        ({"lr": "nan"}, "it must be finite"),
    ],
)
def test_that_programs_keep_within_bounds_by_field(tmp_path: Path, value: Any, sentence: str) -> None:
    refused = judge(tmp_path, {"programs": PROGRAMS}).judge("lr", value, "bot", "helmctl").refused
    assert sentence in refused
    assert bool(refused) == bool(sentence)


def test_that_what_a_program_is_can_be_said_by_key_or_by_name(tmp_path: Path) -> None:
    one = judge(tmp_path, {"programs": PROGRAMS})
    assert one.judge("wd", {}, "bot", "helmctl").refused == (
        "policy: programs may not change wd (the rules for programs name lr, set_*)"
    )
    assert one.judge("wd", {}, "ada", "autopilot").refused
    assert not one.judge("wd", {}, "ada", "helmctl").refused
    assert not one.judge("wd", {}, "ada", "helm-desktop").refused
    named = judge(tmp_path, {"programs": {**PROGRAMS, "via": ["auto*"]}})
    assert named.judge("wd", {}, "ada", "autopilot").refused
    assert not named.judge("wd", {}, "ada", "a notebook").refused


def test_that_programs_have_a_number_of_changes_an_hour(tmp_path: Path) -> None:
    now = 0.0
    path = tmp_path / "policy.json"
    path.write_text(json.dumps({"programs": PROGRAMS}))
    one = PolicyJudge(PolicyFile(path), "p", lambda: now)
    for _ in range(2):
        assert not one.judge("lr", {"lr": 1e-4}, "bot", "").refused
        one.took("lr", "bot", "")
        one.took("lr", "ada", "helmctl")  # a person's count for nothing
    assert "2 times an hour" in one.judge("lr", {"lr": 1e-4}, "bot", "").refused
    one.took("set_x", "bot", "")
    assert "3 changes an hour" in one.judge("set_x", {}, "bot", "").refused
    now = 3601.0
    assert not one.judge("lr", {"lr": 1e-4}, "bot", "").refused
    one.took("lr", "bot", "", ago=3500.0)
    one.took("lr", "bot", "", ago=4000.0)
    one.took("lr", "bot", "")
    assert "2 times an hour" in one.judge("lr", {"lr": 1e-4}, "bot", "").refused


def test_that_the_first_rule_that_fits_says_who_approves(tmp_path: Path) -> None:
    controls = [
        {"control": "set_rate", "approval": "none"},
        {"control": "set_*", "approval": "another key"},
        {"control": "rollback", "approval": "sender"},
        {"control": "*", "approval": "refused"},
    ]
    one = judge(tmp_path, {"controls": controls})
    said = {name: one.judge(name, {}, "ada", "helmctl") for name in ("set_rate", "set_x", "rollback", "lr")}
    assert [verdict.approval for verdict in said.values()] == ["none", "another key", "sender", "refused"]
    assert said["set_x"].reason == "policy: another key must approve set_x (the rule for set_*)"
    assert said["lr"].refused == "policy: lr may not be changed (the rule for *)"


def test_that_a_project_has_rules_of_its_own(tmp_path: Path) -> None:
    policy = {
        "controls": [{"control": "*", "approval": "refused"}],
        "projects": {"free": {}, "team-*": {"controls": [{"control": "*", "approval": "another key"}]}},
    }
    assert judge(tmp_path, policy).judge("lr", {}, "ada", "helmctl").refused
    assert judge(tmp_path, policy, "free").judge("lr", {}, "ada", "helmctl").approval == "none"
    assert judge(tmp_path, policy, "team-a").judge("lr", {}, "ada", "helmctl").approval == "another key"


def test_that_a_broken_file_leaves_the_last_good_one_in_force(tmp_path: Path) -> None:
    one = judge(tmp_path, {"controls": [{"control": "lr", "approval": "another key"}]})
    assert one.judge("lr", {}, "ada", "helmctl").approval == "another key"
    (tmp_path / "policy.json").write_text("{")
    assert one.judge("lr", {}, "ada", "helmctl").approval == "another key"
    assert "is not JSON" in one.problem
    (tmp_path / "policy.json").unlink()
    assert one.judge("lr", {}, "ada", "helmctl").approval == "none"
    assert one.problem == ""


def test_that_nothing_may_be_changed_where_there_never_was_a_good_file(tmp_path: Path) -> None:
    one = judge(tmp_path, {"controls": [{"control": "lr", "aproval": "none"}]})
    verdict = one.judge("lr", {}, "ada", "helmctl")
    assert "until the policy file is mended" in verdict.refused
    assert "aproval" in verdict.refused
    assert one.may_approve("ada", "helmctl")


def test_that_programs_do_not_approve_unless_they_may(tmp_path: Path) -> None:
    assert judge(tmp_path, {"programs": PROGRAMS}).may_approve("bot", "helmctl")
    assert not judge(tmp_path, {"programs": {**PROGRAMS, "may_approve": True}}).may_approve("bot", "")
    assert not judge(tmp_path, {"programs": PROGRAMS}).may_approve("ada", "helmctl")


@pytest.mark.parametrize(
    "policy",
    [
        [],
        {"format": 2},
        {"controls": [{"control": "lr", "approval": "maybe"}]},
        {"programs": {"limits": [{"control": "lr", "bounds": {"lr": {"max": "much"}}}]}},
        {"projects": {"p": {"programs": {"per_hour": -1}}}},
    ],
)
def test_that_what_is_no_policy_is_said(policy: Any) -> None:
    with pytest.raises(PolicyError):
        parse_policy(policy)


def test_that_a_policy_is_told_in_words() -> None:
    policy = parse_policy(
        {"controls": [{"control": "rollback", "approval": "another key"}], "programs": PROGRAMS}
    )
    lines = in_words(policy)
    assert "rollback is changed once another key than the sender's has approved it" in lines
    assert "programs may change lr, with lr from 1e-5 to 0.001, 2 times an hour" in lines
    assert in_words(None)[0].startswith("there is no policy")


NUMBERS = st.one_of(st.integers(-10, 10), st.floats(allow_nan=True), st.decimals(allow_nan=False).map(str))
JSON = st.recursive(
    st.one_of(NUMBERS, st.text(max_size=3), st.booleans(), st.none()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
@example(float("inf"))
@example({"b": "Infinity"})
def test_that_no_number_passes_that_no_bound_allows(value: Any) -> None:
    path = Path(__file__)  # never read: the file below stands for it
    file = PolicyFile(path)
    policy = parse_policy({"programs": {"limits": [{"control": "x", "bounds": {"a": {"min": 0, "max": 1}}}]}})
    file.current = lambda: policy  # type: ignore[method-assign]
    if not PolicyJudge(file, "p").judge("x", value, "", "bot").refused:
        assert all(0 <= number <= 1 for number in numbers(value))


def numbers(value: Any) -> list[float]:
    """Every number in a JSON value."""
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, dict):
        return [number for item in value.values() for number in numbers(item)]
    if isinstance(value, list):
        return [number for item in value for number in numbers(item)]
    try:
        return [float(value)]
    except OverflowError:
        return [float("inf")]
    except ValueError:  # text that says none
        return []


def test_that_the_limits_of_programs_are_said_by_control(tmp_path: Path) -> None:
    one = judge(tmp_path, {"programs": PROGRAMS})
    assert one.limits("lr") == "lr from 1e-5 to 0.001, 2 times an hour"
    assert one.limits("set_mixture") == "3 times an hour with all their other changes"
    assert one.limits("wd") == "nothing"
    assert judge(tmp_path, {"programs": {"limits": [{"control": "*"}]}}).limits("wd") == "any value"
    assert judge(tmp_path, {"controls": []}).limits("lr") == ""
    assert judge(tmp_path, {"programs": {"limits": 3}}).limits("lr") == ""


@pytest.mark.parametrize(
    ("approval", "asks", "who"),
    [
        ("none", False, "none"),
        ("none", True, "another key"),
        ("sender", True, "sender"),
        ("another key", False, "another key"),
    ],
)
def test_that_a_control_that_asks_for_approval_gets_it_whatever_the_policy_says(
    tmp_path: Path, approval: str, asks: bool, who: str
) -> None:
    one = judge(tmp_path, {"controls": [{"control": "lr", "approval": approval}]})
    assert approval_of(asks, one.judge("lr", {}, "ada", "helmctl")) == who
