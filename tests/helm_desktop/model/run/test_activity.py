"""The list of what happened: one line a key, by the time it was first told of."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helm_desktop.model.run.activity import ActivityEntry, ActivityModel, from_event
from helm_sdk.protocol.messages import Event

ADDED = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 6) | st.none()), max_size=40)


@given(ADDED)
def test_that_lines_stand_by_when_they_were_first_told_of(added: list[tuple[int, int | None]]) -> None:
    model = ActivityModel()
    rows: list[tuple[int, ActivityEntry]] = []  # (when first told of, the line), oldest first
    for number, (key, time) in enumerate(added):
        if time is None:
            model.remove(str(key))
            rows = [row for row in rows if row[1].key != str(key)]
            continue
        happening = ActivityEntry(str(key), None, float(time), "note", f"{number}")
        model.add(happening)
        at = next((at for at, (_, row) in enumerate(rows) if row.key == str(key)), None)
        if at is None:
            rows.append((time, happening))
            rows.sort(key=lambda row: row[0])
        elif time >= rows[at][1].time:
            rows[at] = (rows[at][0], happening)
    assert model.entries() == [row for _, row in reversed(rows)]


def test_that_a_new_line_looks_at_few_of_the_others() -> None:
    looks = 0

    class Counted(str):
        def __eq__(self, other: object) -> bool:
            nonlocal looks
            looks += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    model = ActivityModel()
    for number in range(2000):
        model.add(ActivityEntry(Counted(number), number, float(number), "note", ""))
    model.add(ActivityEntry(Counted(7), 7, 5000.0, "note", "again"))
    assert looks < 2000
    assert model.rowCount() == 2000


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"state": "applied", "old": {"lr": 0.003}, "new": {"lr": 0.0015}}, "lr 3.00e-3 → 1.50e-3"),
        (
            {
                "state": "applied",
                "new": {"plan": {"points": [{"at": 9, "value": 1}, {"at": 20, "value": 0.5}]}},
            },
            "lr applied: plan 2 keyframes to 0.5 at 20",
        ),
        ({"state": "applied", "new": {"scale": 0.5}, "reason": "plateau"}, "lr applied: scale 0.5, plateau"),
        (
            {"state": "confirmed", "new": 0.1, "old": 0.1, "reason": "as it was", "approver": "grace"},
            "lr applied: 0.1, as it was, approved by grace",
        ),
        ({"state": "awaiting approval", "sender": "laptop"}, "lr requested by laptop, awaits approval"),
        ({"state": "rejected", "message": "lr is -1"}, "lr rejected: lr is -1"),
    ],
)
def test_that_a_change_says_from_what_to_what_why_and_who(body: dict[str, Any], text: str) -> None:
    event = Event(id=1, kind="command", time=1.0, body={"command_id": "c", "capability": "lr", **body})
    happening = from_event("rank-0", 1, event)
    assert happening is not None
    assert happening.text == text
