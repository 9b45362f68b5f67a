"""Rows become point groups: few of them, each stream in its order, none too large."""

import random
from array import array

from helm_sdk._recorder.buffer import Row
from helm_sdk._recorder.point_columns import Definition, PointColumns
from helm_sdk._shared.notice import Notices
from helm_sdk.protocol.messages import PointGroup


def columns() -> PointColumns:
    return PointColumns(0.0, Notices())


def read(made: PointColumns, groups: list[PointGroup]) -> dict[str, list[tuple[int, float]]]:
    names = {stream.id: stream.name for stream in made.streams}
    found: dict[str, list[tuple[int, float]]] = {}
    for group in groups:
        steps, values = array("q", group.steps), array("d", group.values)
        rows = len(steps)
        for place, stream in enumerate(group.streams):
            column = values[place * rows : (place + 1) * rows]
            found.setdefault(names[stream], []).extend(zip(steps, column, strict=True))
    return found


def test_that_rows_of_the_same_names_are_one_group_among_others() -> None:
    made = columns()
    rows: list[Row] = []
    for step in range(10):
        rows.append(({"a": 1.0, "b": 2.0}, step, 0.0, None))
        rows.append(({"c": 3.0}, step, 0.0, None))
    groups = made.group(rows)
    assert [(group.streams, group.rows) for group in groups] == [((1, 2), 10), ((3,), 10)]


def test_that_each_streams_order_is_that_of_the_log_whatever_company_it_keeps() -> None:
    made, order = columns(), random.Random(7)
    names = [f"n{index}" for index in range(12)]
    rows: list[Row] = []
    expected: dict[str, list[tuple[int, float]]] = {}
    for step in range(3000):
        chosen = order.sample(names, order.randint(1, 12))
        rows.append(({name: float(step) for name in chosen}, step, 0.0, None))
        for name in chosen:
            expected.setdefault(name, []).append((step, float(step)))
    groups = [group for start in range(0, 3000, 100) for group in made.group(rows[start : start + 100])]
    assert read(made, groups) == expected
    assert len(made._plans) <= 512 + len(names)


def test_that_axes_survive_when_there_are_too_many_sets_of_names() -> None:
    made = columns()
    groups = made.group([({f"n{step}": 1.0}, step, 0.0, {"tokens": step * 10.0}) for step in range(1000)])
    assert read(made, groups)["tokens"] == [(step, step * 10.0) for step in range(1000)]


def test_that_names_that_are_told_alike_stay_two_streams() -> None:
    made = columns()
    odd: dict[str, float] = {"5": 1.0, 5: 2.0, "x" * 513: 3.0, "x" * 514: 4.0}  # type: ignore[dict-item]
    groups = made.group([(odd, 0, 0.0, None), ({"x" * 514: 5.0}, 1, 0.0, None)])
    found = read(made, groups)
    assert sorted(len(points) for points in found.values()) == [1, 1, 1, 2]
    assert max(map(len, found)) == 512


def test_that_a_definition_before_and_after_the_first_point_is_told() -> None:
    made = columns()
    made.define("a", Definition("s"))
    made.group([({"a": 1.0, "b": 1.0}, 0, 0.0, None)])
    made.define("b", Definition("m", "lower"))
    assert [(stream.id, stream.name, stream.unit) for stream in made.pop_new_definitions()] == [
        (1, "a", "s"),
        (2, "b", ""),
        (2, "b", "m"),
    ]


def test_that_the_first_step_is_the_first_logged() -> None:
    made = columns()
    made.group([({"a": 1.0}, 40, 0.0, None), ({"b": 1.0}, 7, 0.0, None), ({"a": 1.0}, 41, 0.0, None)])
    assert made.first_step == 40
