"""The attempts of a run that was resumed arrive in any order: what is shown is the newest attempt's."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from helm_desktop.model.run.session import Session
from helm_desktop.model.run.warnings import warnings_of
from helm_sdk.protocol.builders import field, number, record_schema
from helm_sdk.protocol.messages import (
    Batch,
    Capability,
    Catalogue,
    ControlState,
    Plan,
    PointGroup,
    StreamDef,
    TensorInfo,
)
from helm_sdk.protocol.updates import BatchUpdate
from helpers.updates import batch_update

STREAM = StreamDef(id=1, name="train/loss")
ATTEMPTS = 3
BATCHES = 2  # of each attempt


def _points(steps: list[int], at: float, values: list[float]) -> PointGroup:
    n = len(steps)
    times = [at + place for place in range(n)]
    packed = (struct.pack(f"<{n}q", *steps), struct.pack(f"<{n}d", *times), struct.pack(f"<{n}d", *values))
    return PointGroup(streams=(1,), steps=packed[0], times=packed[1], values=packed[2])


def _control(attempt: int) -> ControlState:
    """A control whose bound and start tell the attempt."""
    capability = Capability(
        name="x",
        provider="script",
        safe_points=("after_step",),
        input_schema=record_schema(field("value", number(0, 10 * attempt))),
        starting={"value": float(attempt)},
    )
    return ControlState(capability=capability)


def _catalogues(attempt: int) -> tuple[Catalogue, ...]:
    bodies: dict[str, Any] = {
        "capabilities": [_plain(_control(attempt))],
        "plan": _plain(Plan(step=1000 * attempt)),
        "facts": {"attempt": attempt, f"only {attempt}": True},
        "tensors": [
            _plain(
                TensorInfo(
                    path=f"layer{attempt}",
                    module="Linear",
                    shape=(1,),
                    dtype="float32",
                    device="cpu",
                    bytes=4,
                )
            )
        ],
    }
    return tuple(Catalogue(kind=kind, revision=1, body=body) for kind, body in bodies.items())


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


def _updates(attempt: int, bad: int) -> list[BatchUpdate]:
    """Two batches of an attempt that goes back to an earlier step; the attempt `bad` ends with NaN."""
    at = 1000.0 * attempt
    last = math.nan if attempt == bad else 0.5
    first = Batch(
        process="rank-0",
        attempt=attempt,
        seq=1,
        streams=(STREAM,),
        groups=(_points([100 - attempt, 101 - attempt], at, [1.0, 0.9]),),
        catalogues=_catalogues(attempt) if attempt == 1 else (),
    )
    second = Batch(
        process="rank-0",
        attempt=attempt,
        seq=2,
        groups=(_points([102 - attempt], at + 10, [last]),),
        catalogues=_catalogues(attempt),
    )
    return [batch_update(first), batch_update(second)]


def _orders(left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every order in which the attempts' batches may arrive, each attempt's own ones in turn."""
    if not any(left):
        yield ()
    for attempt, count in enumerate(left):
        if count:
            rest = (*left[:attempt], count - 1, *left[attempt + 1 :])
            for order in _orders(rest):
                yield (attempt + 1, *order)


@pytest.mark.parametrize("bad", [1, 2, 3])
def test_that_in_every_order_the_newest_attempt_is_shown(bad: int, qapp: object) -> None:
    orders = list(_orders((BATCHES,) * ATTEMPTS))
    assert len(orders) == 90
    for order in orders:
        session = Session("folder")
        waiting = {attempt: _updates(attempt, bad) for attempt in range(1, ATTEMPTS + 1)}
        for attempt in order:
            session.apply([waiting[attempt].pop(0)])
        control = session.controls.control("x")
        assert control is not None
        assert control.capability.starting == {"value": 3.0}, order
        assert "30" in repr(control.capability.input_schema)
        assert session.plan.steps == 3000
        assert session.progress.plan_step == 3000
        assert session.progress.step == 99
        assert session.catalogue.facts["attempt"] == 3
        assert {f"only {attempt}" for attempt in range(1, 4)} <= session.catalogue.facts.keys()
        assert [tensor.path for tensor in session.catalogue.tensors] == ["layer3"]
        assert session.store.series["train/loss"].last_step == 99
        (warning,) = warnings_of(session)
        assert warning.tone == ("bad" if bad == ATTEMPTS else "warn"), order
        session.deleteLater()
