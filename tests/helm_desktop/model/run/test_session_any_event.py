"""Whatever a run writes into an event, the open run takes it and goes on."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helm_desktop.model.run.session import Session
from helm_sdk.protocol import commands
from helm_sdk.protocol.messages import Batch, Catalogue, Event
from helpers.updates import batch_update

_plain = st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats() | st.text(max_size=4)
_values = st.recursive(
    _plain | st.sampled_from(["pause", "nonfinite", "image", *commands.STATES]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
_WORDS = [
    "name",
    "what",
    "message",
    "text",
    "state",
    "capability",
    "command_id",
    "start",
    "seconds",
    "type",
    "file",
    "bytes",
    "outcome",
    "role",
    "path",
    "step",
    "old",
    "new",
    "result",
    "reason",
    "ran_at",
    "revision",
    "safe_point",
    "input",
    "edges",
    "counts",
]
_bodies = st.dictionaries(st.sampled_from(_WORDS), _values, max_size=8)
_KINDS = [
    "command",
    "checkpoint",
    "capture",
    "note",
    "warning",
    "joined",
    "finished",
    "span",
    "rule",
    "media",
    "?",
]
_catalogues = st.builds(
    Catalogue,
    kind=st.sampled_from(["capabilities", "plan", "tensors", "facts", "summary", "streams", "?"]),
    revision=st.integers(0, 3),
    body=_values | st.lists(_bodies, max_size=2) | _bodies,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(
    events=st.lists(st.tuples(st.sampled_from(_KINDS), st.none() | st.integers(), _bodies), max_size=6),
    catalogues=st.lists(_catalogues, max_size=2),
    time=st.floats(),
)
def test_that_no_event_stops_an_open_run(
    qapp: object,
    events: list[tuple[str, int | None, dict[str, Any]]],
    catalogues: list[Catalogue],
    time: float,
) -> None:
    session = Session("folder")
    told = tuple(
        Event(id=number, kind=kind, time=time, step=step, body=body)
        for number, (kind, step, body) in enumerate(events, start=1)
    )
    batch = Batch(process="rank-0", attempt=1, seq=1, events=told, catalogues=tuple(catalogues))
    session.apply([batch_update(batch)])
    session.controls.flush()
    for happening in session.activity.entries():
        assert happening.text == str(happening.text)
    session.deleteLater()
