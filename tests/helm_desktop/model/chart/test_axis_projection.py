"""Where steps lie on an axis that a run logs, ahead of what it has logged."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from helm_desktop.model.chart.axis_projection import STEPS, AxisConversion, AxisProjection, projection_of
from helm_desktop.model.series.series_model import SeriesStore
from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef


def store(*places: tuple[int, float], kind: str = "axis", attempt: int = 1) -> SeriesStore:
    """What a run has logged of the axis "tokens"."""
    made = SeriesStore()
    rows = len(places)
    group = PointGroup(
        streams=(1,),
        steps=struct.pack(f"<{rows}q", *(step for step, _ in places)),
        times=struct.pack(f"<{rows}d", *range(rows)),
        values=struct.pack(f"<{rows}d", *(value for _, value in places)),
    )
    streams = (StreamDef(id=1, name="tokens", kind=kind),)
    made.extend(
        Batch(process="rank-0", attempt=attempt, seq=1, streams=streams, groups=(group,) if rows else ())
    )
    return made


def test_that_the_pace_is_the_mean_from_the_next_step_on() -> None:
    pace = projection_of(store((0, 100.0), (1, 300.0), (2, 400.0)), "tokens")
    assert pace == AxisProjection(3.0, 400.0, 150.0)
    assert pace.positions(np.asarray([3.0, 5.0])).tolist() == [400.0, 700.0]
    assert pace.steps(np.asarray([400.0, 475.0])).tolist() == [3.0, 3.5]
    assert projection_of(store((4, 1000.0)), "tokens") == AxisProjection(5.0, 1000.0, 200.0), (
        "one point from zero on"
    )


@pytest.mark.parametrize(
    "logged",
    [store(), store((0, 5.0), (1, 5.0)), store((0, 5.0), (1, 3.0)), store((0, 1.0), (1, 2.0), kind="scalar")],
)
def test_that_what_does_not_grow_or_is_no_axis_has_no_pace(logged: SeriesStore) -> None:
    assert projection_of(logged, "tokens") is None
    assert projection_of(logged, "epochs") is None
    assert projection_of(logged, "wall") is None
    assert projection_of(logged, "step") is STEPS


def test_that_a_bridge_leads_both_ways_and_keeps_an_axis_to_itself_exact() -> None:
    tokens = AxisProjection(213.0, 21_300.0, 100.0)
    bridge = AxisConversion(tokens, STEPS)
    assert bridge.across(np.asarray([21_300.0, 21_350.0])).tolist() == [213.0, 213.5]
    assert bridge.back(300.0) == pytest.approx(30_000.0)
    odd = np.asarray([0.1 + 0.2, 1e17 / 3])
    assert AxisConversion(tokens, tokens).across(odd) is odd
    assert AxisConversion(tokens, tokens).back(0.1 + 0.2) == 0.1 + 0.2
