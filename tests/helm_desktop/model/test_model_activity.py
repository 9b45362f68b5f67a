"""The list of what happened: one line a key, by the time it was first told of."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helm_desktop.model.activity import ActivityModel, Happening

ADDED = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 6)), max_size=40)


@given(ADDED)
def test_that_lines_stand_by_when_they_were_first_told_of(added: list[tuple[int, int]]) -> None:
    model = ActivityModel()
    rows: list[tuple[int, Happening]] = []  # (when first told of, the line), oldest first
    for number, (key, time) in enumerate(added):
        happening = Happening(str(key), None, float(time), "note", f"{number}")
        model.add(happening)
        at = next((at for at, (_, row) in enumerate(rows) if row.key == str(key)), None)
        if at is None:
            rows.append((time, happening))
            rows.sort(key=lambda row: row[0])
        elif time >= rows[at][1].time:
            rows[at] = (rows[at][0], happening)
    assert model.happenings() == [row for _, row in reversed(rows)]


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
        model.add(Happening(Counted(number), number, float(number), "note", ""))
    model.add(Happening(Counted(7), 7, 5000.0, "note", "again"))
    assert looks < 2000
    assert model.rowCount() == 2000
