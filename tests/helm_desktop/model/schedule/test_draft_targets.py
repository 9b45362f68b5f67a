"""Drafts of one group alone, over tokens, over what leads the run already, and of any other control."""

from __future__ import annotations

from decimal import Decimal

import msgspec
import numpy as np
import pytest

from helm_desktop.model.run.session import Session
from helm_desktop.model.schedule import draft_labels
from helm_desktop.model.schedule.curve import Keyframe
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import RateOverride
from helm_sdk.torch._schedules.rate_overrides import (
    FOLLOW,
    KeyframedRate,
    LoopPosition,
    Override,
    RateChange,
    ScaledRate,
)
from helpers.drafting import COSINE, LR, LR_OF_GROUPS, STEPS, STREAM, drafting, led, went_on

SECOND = "optim/lr/group1"
TOKENS = 100.0  # a step


def model_of(session: Session) -> DraftModel:
    made = DraftModel(session)
    made.set_session(session)
    return made


def test_that_the_chart_of_each_group_changes_that_group(qapp: object) -> None:
    model = model_of(drafting(control=LR_OF_GROUPS))
    assert sorted(model.offers) == [STREAM, SECOND]
    model.start(SECOND)
    model.move(0, 300, 1e-4)
    assert model.target is not None
    assert model.target.name == "lr group1"
    assert model.value() == {
        "plan": {"points": [{"at": 300, "value": 1e-4}]},
        "mode": "rescale",
        "group": "group1",
    }
    assert draft_labels.figures(model.draft) == "3.75e-4 → 1.00e-4", "of its own plan"
    model.discard()
    model.start(STREAM)
    model.move(0, 300, 1e-3)
    assert model.value() == {"plan": {"points": [{"at": 300, "value": 1e-3}]}, "mode": "rescale"}
    assert model.target.name == "lr all groups"
    assert draft_labels.summary(model.draft) == "from step 300, then follows the schedule"


def test_that_a_control_without_optional_groups_names_every_one(qapp: object) -> None:
    fields = [k.field("plan", k.schedule(0, axis="step")), k.field("group", k.enum_of(["group0", "group1"]))]
    control = msgspec.structs.replace(LR, input_schema=k.record_schema(*fields))
    model = model_of(drafting(control=control))
    model.start(STREAM)
    assert model.value()["group"] == "group0"


def test_that_a_chart_over_tokens_drafts_over_tokens(qapp: object) -> None:
    session = drafting(tokens=TOKENS, control=LR_OF_GROUPS)
    model = model_of(session)
    assert model.offers.at(STREAM, "wall") is None
    model.start(STREAM, "tokens")
    draft = model.draft
    assert draft is not None
    assert (draft.axis, draft.now, draft.end) == ("tokens", 21_300, 59_900)
    assert draft.planned.at(30_000) == pytest.approx(COSINE[300])
    assert model.stride == 100
    model.move(0, 30_000, 1e-3)
    assert draft_labels.summary(model.draft) == "from 30k tokens, then follows the schedule"
    assert model.value()["plan_tokens"] == {"points": [{"at": 30_000, "value": 1e-3}]}
    assert model.type(0, "21000", "1e-3") == "21k tokens have passed, the run is at 21.3k tokens"
    assert model.type(0, "3e9", "1e-3") == "tokens is 3E+9, it must be from 21301 to 59900"
    bridge = model.conversion("step")
    assert bridge is not None
    assert bridge.across(np.asarray([30_000.0]))[0] == pytest.approx(300.0)
    went_on(session, 299, tokens=TOKENS)
    assert model.problem() == "30k tokens have passed, the run is at 30k tokens"


def test_that_a_draft_over_tokens_is_what_the_run_would_use(qapp: object) -> None:
    model = model_of(drafting(tokens=TOKENS, control=LR_OF_GROUPS))
    model.start(STREAM, "tokens")
    draft = model.draft
    assert draft is not None
    model.move(0, 26_000, 1.2e-3)
    model.add(40_000, 1.6e-3)
    change = RateChange(plan=((26_000.0, 1.2e-3), (40_000.0, 1.6e-3)), tokens=True)
    course: Override
    (course,) = change.apply([FOLLOW], [float(COSINE[213])], LoopPosition(213, 21_300.0))
    for step in range(213, STEPS):
        now = LoopPosition(step, step * TOKENS)
        if isinstance(course, KeyframedRate):
            course = course.advanced(float(COSINE[step]), now)
        assert draft.value_at(step * TOKENS) == pytest.approx(
            course.rate(float(COSINE[step]), now), rel=1e-12
        )


def test_that_another_pace_moves_the_plan_under_a_draft_over_tokens(qapp: object) -> None:
    session = drafting(tokens=TOKENS, control=LR_OF_GROUPS)
    model = model_of(session)
    model.start(STREAM, "tokens")
    assert model.draft is not None
    before = model.draft.planned.at(40_000)
    went_on(session, 240, tokens=2 * TOKENS)
    assert model.draft.now == 48_200
    assert model.draft.planned.at(50_000) != pytest.approx(before)
    assert model.draft.end > 100_000


def test_that_keyframes_of_other_groups_do_not_lead_this_one(qapp: object) -> None:
    session = drafting(control=LR_OF_GROUPS)
    points = ((200.0, 2e-3), (400.0, 1e-3))
    led(session, RateOverride(stream=STREAM, points=points), RateOverride(stream=SECOND, factor=1.0))
    model = model_of(session)
    model.start(SECOND)
    assert model.draft is not None
    assert model.draft.running == ()
    assert len(model.draft.keyframes) == 1
    model.discard()
    model.start(STREAM)
    assert model.draft is not None
    assert [int(own.at) for own in model.draft.keyframes] == [200, 400], "what leads it is where it begins"
    assert not draft_labels.stale_text(model.draft)


def test_that_without_the_keyframes_that_lead_it_a_draft_goes_back_to_the_schedule(qapp: object) -> None:
    session = drafting()
    old = ((200.0, 2e-3), (400.0, 1e-3))
    led(session, RateOverride(stream=STREAM, points=old, factor=0.5))
    running = KeyframedRate((200.0, 400.0), (2e-3, 1e-3), ScaledRate(0.5))
    used = running.rates(COSINE.copy(), np.arange(STEPS))
    curves = {STREAM: used[212:], f"{STREAM}/schedule": COSINE[212:]}
    told = [
        {"stream": name, "steps": list(range(212, STEPS)), "values": values.tolist()}
        for name, values in curves.items()
    ]
    session.plan.published = msgspec.convert({"step": STEPS, "curves": told}, type(session.plan.published))
    model = model_of(session)
    model.start(STREAM)
    draft = model.draft
    assert draft is not None
    draft.keyframes = (Keyframe(Decimal(300), Decimal("1.5e-3")),)
    change = RateChange(plan=((300.0, 1.5e-3),))
    (course,) = change.apply([running], [float(COSINE[213])], LoopPosition(213))
    rates = course.rates(COSINE[213:].copy(), np.arange(213, STEPS))
    drawn = np.asarray([draft.value_at(step) for step in range(213, STEPS)])
    assert np.max(np.abs(rates - drawn)) < 1e-15
    curve = draft.curve()
    assert curve.steps[0] == 212
    along = np.interp(np.arange(213, STEPS), curve.steps, curve.values)
    assert np.max(np.abs(along - rates)) < 1e-15, "and it is drawn so from now on"


def test_that_a_control_of_its_own_without_a_plan_is_drafted_from_where_it_stands(qapp: object) -> None:
    schema = k.record_schema(k.field("doses", k.schedule(0, 1, axis="step")))
    dose = msgspec.structs.replace(LR, name="dose", input_schema=schema, reads="dose/used", starting=None)
    session = drafting(control=dose)
    model = model_of(session)
    assert list(model.offers) == ["dose/used"]
    session.plan.published = msgspec.structs.replace(session.plan.published, curves=())
    other = msgspec.structs.replace(dose, reads=STREAM)
    session = drafting(control=other)
    session.plan.published = msgspec.structs.replace(session.plan.published, curves=())
    model = model_of(session)
    model.start(STREAM)
    assert model.draft is not None
    assert float(model.draft.keyframes[0].value) == pytest.approx(COSINE[212])
    model.move(0, 300, 0.5)
    assert model.value() == {"doses": {"points": [{"at": 300, "value": 0.5}]}}
    assert draft_labels.summary(model.draft) == "from step 300"
    assert model.problem() == ""
