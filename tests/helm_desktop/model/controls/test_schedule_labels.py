"""What a card says of the schedule behind a rate."""

from __future__ import annotations

import pytest

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.controls.schedule_labels import (
    all_override_labels,
    each_override_label,
    override_label,
)
from helm_desktop.views.controls.card_labels import state_line
from helm_sdk.protocol.messages import Capability, ControlState, RateOverride

STREAM = "optim/lr/group0"
POINTS = ((100.0, 1e-3), (200.0, 2e-3), (300.0, 2e-3), (600.0, 1e-4))


def course(stream: str = STREAM, **more: object) -> RateOverride:
    return RateOverride(stream=stream, schedule="cosine", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (course(), "schedule cosine"),
        (course(factor=1 + 1e-12), "schedule cosine"),
        (course(factor=0.5), "schedule cosine, rescaled ×0.5"),
        (RateOverride(stream=STREAM), "no schedule"),
        (RateOverride(stream=STREAM, factor=2.0), "no schedule, rescaled ×2.0"),
        (course(held=0.02), "held at 0.02 until released"),
        (course(held=1e-3), "held at 1.00e-3 until released"),
        (course(points=POINTS, factor=0.5), "plan, 4 keyframes, to step 600"),
        (course(points=POINTS[:1], then_hold=True), "plan, 1 keyframe, to step 100, then held"),
        (course(points=((2e6, 1.0),), axis="tokens"), "plan, 1 keyframe, to 2M tokens"),
    ],
)
def test_that_a_course_is_said_in_a_few_words(one: RateOverride, words: str) -> None:
    assert override_label(one) == words


def test_that_groups_are_told_apart_only_where_they_differ() -> None:
    second = course("optim/lr/group1")
    assert all_override_labels([course(), second]) == "schedule cosine"
    assert all_override_labels([course(held=1e-3), course("optim/lr/group1", held=4e-4)]) == (
        "held at 1.00e-3 until released"
    )
    held = course("optim/lr/group1", held=4e-4)
    said = "schedule cosine · group1: held at 4.00e-4 until released"
    assert all_override_labels([course(), held]) == said
    assert all_override_labels([course(), held, course("optim/lr/group2", factor=0.1)]) == (
        "schedule cosine · 2 groups otherwise"
    )
    assert each_override_label([course(), held]).splitlines() == [
        "group0: schedule cosine",
        "group1: held at 4.00e-4 until released",
    ]
    assert each_override_label([course()]) == ""


def test_that_the_card_of_the_rate_says_it_and_no_other(qapp: object) -> None:
    model = ControlsModel()
    states = [ControlState(capability=Capability(name=name, reads=name)) for name in (STREAM, "wd")]
    model.set_catalogue(states, "rank-0")
    for name in (STREAM, "wd"):
        model.set_stream_value(name, 1260, 1.21e-3)
    rate, decay = (model.control(name) for name in (STREAM, "wd"))
    assert rate is not None
    assert decay is not None
    assert state_line(rate) == "Ran at 1.21e-3 at step 1,260", "an older run does not tell"
    told: list[str] = []
    model.flush()
    model.control_changed.connect(told.append)
    model.set_rate_overrides([course(factor=0.5)])
    model.set_rate_overrides([course(factor=0.5)])
    model.flush()
    assert told == [STREAM]
    assert state_line(rate) == "Ran at 1.21e-3 at step 1,260 · schedule cosine, rescaled ×0.5"
    assert state_line(decay) == "Ran at 1.21e-3 at step 1,260"
    model.set_catalogue(states[:1], "rank-0")
    again = model.control(STREAM)
    assert again is not None
    assert again.rate_overrides == rate.rate_overrides
