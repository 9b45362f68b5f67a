"""What a run plans, and the overrides of its rates."""

from __future__ import annotations

import msgspec
import pytest

from helm_desktop.model.board.default_layout import PLANNED
from helm_desktop.model.run.run_plan import RunPlan

RATE = "optim/lr/group0"


def test_that_a_plan_in_steps_ends_where_it_says() -> None:
    plan = RunPlan()
    assert (plan.steps, plan.tokens, plan.curve(RATE)) == (None, None, None)
    plan.read_plan({"step": 600, "curves": [{"stream": RATE, "steps": [0, 400], "values": [1.0, 0.0]}]})
    assert plan.steps == 600
    curve = plan.curve(RATE)
    assert curve is not None
    assert curve.steps == (0, 400)


def test_that_a_plan_in_tokens_ends_with_its_curves() -> None:
    plan = RunPlan()
    plan.read_plan({"tokens": 9000, "curves": [{"stream": RATE, "steps": [0, 299], "values": [1.0, 0.0]}]})
    assert (plan.steps, plan.tokens) == (300, 9000)


def test_that_the_planned_rate_without_a_group_is_that_of_the_first() -> None:
    plan = RunPlan()
    plan.read_plan({"step": 10, "curves": [{"stream": PLANNED, "steps": [0, 9], "values": [1.0, 0.0]}]})
    assert plan.curve(RATE) is plan.curve(PLANNED) is not None
    assert plan.curve("optim/lr/group1") is None


def test_that_an_override_is_found_by_the_stream_that_shows_the_rate() -> None:
    plan = RunPlan()
    plan.read_overrides([{"stream": RATE, "factor": 0.5}])
    found = plan.override(RATE)
    assert found is not None
    assert found.factor == 0.5
    assert plan.override("wd") is None


def test_that_what_cannot_be_read_leaves_the_plan_as_it_was() -> None:
    plan = RunPlan()
    plan.read_plan({"step": 600})
    with pytest.raises(msgspec.ValidationError):
        plan.read_plan({"step": "many"})
    assert plan.steps == 600
