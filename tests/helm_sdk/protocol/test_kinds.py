"""Schemas and values: what is accepted is unchanged, what is refused says why in one sentence."""

from __future__ import annotations

import math
from typing import Any

import pytest

from helm_sdk.protocol import kinds
from helm_sdk.protocol.errors import InvalidValue, SchemaError

MIXTURE = kinds.parse(
    kinds.record_schema(kinds.field("weights", kinds.mixture(["web", "code", "math", "books"])))
)
LR = kinds.parse(
    kinds.record_schema(
        kinds.field("lr", kinds.number(0, exclusive=["min"], scale="log"), optional=True),
        kinds.field("scale", kinds.number(0, exclusive=["min"]), optional=True),
        kinds.field("group", kinds.integer(0), optional=True),
        one_of=["lr", "scale"],
    )
)


def _sentence(node: kinds.Node, value: Any) -> str:
    with pytest.raises(InvalidValue) as caught:
        kinds.check(node, value)
    return caught.value.sentence


def _node(raw: dict[str, Any]) -> kinds.Node:
    return kinds.parse(kinds.schema(raw))


def _weights(**changed: Any) -> dict[str, Any]:
    weights: dict[str, Any] = {"web": "0.4", "code": "0.3", "math": "0.2", "books": "0.1"}
    weights.update(changed)
    return {"weights": {"weights": {name: w for name, w in weights.items() if w is not None}}}


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (_weights(math=-0.1), "weights.math is -0.1, it must be 0 or more"),
        (_weights(math="-0.1"), 'weights.math is "-0.1", it must be 0 or more'),
        (_weights(math=math.nan), "weights.math is nan, it must be finite"),
        (_weights(math="Infinity"), 'weights.math is "Infinity", it must be finite'),
        (_weights(math=True), "weights.math is true, it must be a number"),
        (_weights(books=None), "weights has no books"),
        (_weights(poems="1"), "weights.poems is unknown, the components are web, code, math, books"),
        (
            _weights(web=0, code="0", math="0.0", books=-0.0),
            "weights are all 0, at least one must be more than 0",
        ),
        ({}, "weights is missing"),
        ({"weights": {"web": 1}}, "weights.web is not a field, the fields are weights"),
        ({"weights": 3}, "weights is 3, it must be an object"),
        ([1], "the value is a list, it must be an object"),
    ],
)
def test_that_a_wrong_mixture_is_refused_in_one_sentence(value: Any, sentence: str) -> None:
    assert _sentence(MIXTURE, value) == sentence


def test_that_mixture_weights_are_kept_exactly_as_they_were_sent() -> None:
    value = _weights(web="0.70", code=0.1)

    assert kinds.check(MIXTURE, value) is value
    assert kinds.fill_defaults(MIXTURE, value) == value


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"lr": True}, "lr is true, it must be a number"),
        ({"lr": math.nan}, "lr is nan, it must be finite"),
        ({"lr": -math.inf}, "lr is -inf, it must be finite"),
        ({"lr": 0}, "lr is 0, it must be more than 0"),
        ({"lr": "1e-999"}, 'lr is "1e-999", it must fit a 64-bit number'),
        ({"lr": "0x10"}, 'lr is "0x10", it must be a number'),
        ({"lr": " 1"}, 'lr is " 1", it must be a number'),
        ({"lr": "1_0"}, 'lr is "1_0", it must be a number'),
        ({"lr": None}, "lr is null, it must be a number"),
        ({"lr": 2**70}, "lr is 1180591620717411303424, it must fit 64 bits"),
        ({"lr": 0.1, "scale": 2}, "lr and scale are both given, send one of them"),
        ({"group": 1}, "one of lr, scale is needed, none is given"),
        ({"lr": 0.1, "group": 0.5}, "group is 0.5, it must be a whole number"),
        ({"lr": 0.1, "rate": 1}, "rate is not a field, the fields are lr, scale, group"),
    ],
)
def test_that_a_wrong_rate_is_refused_in_one_sentence(value: Any, sentence: str) -> None:
    assert _sentence(LR, value) == sentence


@pytest.mark.parametrize("value", [{"lr": "3e-4"}, {"scale": 0.5, "group": "1"}, {"lr": ".5"}, {"lr": 1}])
def test_that_numbers_and_decimal_strings_are_taken_alike(value: Any) -> None:
    assert kinds.check(LR, value) is value


def test_that_bounds_compare_what_was_written_and_not_its_nearest_float() -> None:
    node = _node(kinds.number("0.1", "0.3"))

    assert kinds.check(node, "0.3") == "0.3"
    assert _sentence(node, "0.30000000000000000001").endswith("it must be 0.3 or less")


def test_that_a_boolean_takes_neither_text_nor_numbers() -> None:
    node = _node(kinds.boolean())

    assert kinds.check(node, False) is False
    assert _sentence(node, "false") == 'the value is "false", it must be true or false'
    assert _sentence(node, 1) == "the value is 1, it must be true or false"


def test_that_an_enum_tells_true_from_one() -> None:
    node = _node(kinds.enum_of([1, "adam", True]))

    assert kinds.check(node, "1") == "1"
    assert kinds.check(node, True) is True
    assert _sentence(node, False) == 'the value is false, it must be one of 1, "adam", true'


def test_that_enum_values_have_labels() -> None:
    raw = {"kind": "enum", "values": [{"value": "a", "label": "First"}, "b", 3], "labels": {"b": "Second"}}
    node = _node(raw)

    assert isinstance(node, kinds.Enum)
    assert node.labels == ("First", "Second", "3")


def test_that_lists_and_maps_keep_their_lengths_and_names() -> None:
    items = _node(kinds.list_of(kinds.integer(), 1, 2))
    named = _node(kinds.map_of(kinds.number(0), "[a-z]+", 1, 2))

    assert _sentence(items, []) == "the value has 0 entries, it must have 1 or more"
    assert _sentence(items, [1, 2, 3]) == "the value has 3 entries, it must have 2 or fewer"
    assert _sentence(items, [1, "x"]) == 'the value[1] is "x", it must be a number'
    assert _sentence(named, {"A": 1}) == "A is not allowed, a name must match [a-z]+"
    assert kinds.check(named, {"a": 1, "b": "2"}) == {"a": 1, "b": "2"}


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ([], "points is empty, it needs at least one point"),
        ([(5, 1), (5, 2)], "points[1].at is 5, it must be more than 5, the one before"),
        ([(5, 1), (4, 2)], "points[1].at is 4, it must be more than 5, the one before"),
        ([(0.5, 1)], "points[0].at is 0.5, a step is a whole number"),
        ([(-1, 1)], "points[0].at is -1, it must be 0 or more"),
        ([(1, 9)], "points[0].value is 9, it must be 2 or less"),
    ],
)
def test_that_a_schedule_rises_strictly(points: list[tuple[Any, Any]], sentence: str) -> None:
    node = _node(kinds.schedule(0, 2))
    value = {"points": [{"at": at, "value": value} for at, value in points]}

    assert _sentence(node, value) == sentence


def test_that_a_duration_is_never_negative() -> None:
    node = _node(kinds.duration())

    assert kinds.check(node, "90.5") == "90.5"
    assert _sentence(node, -1) == "the value is -1, a duration must be 0 or more"


def test_that_a_capture_names_tensors_a_stage_and_what_to_take() -> None:
    node = _node(kinds.tensors(["after_step"], ["stats", "full"], {"times": 3}))
    value = {"tensors": ["*.weight"], "stage": "after_step", "take": ["stats"], "every": 10, "times": 3}

    assert kinds.check(node, value) is value
    assert _sentence(node, {**value, "take": ["svd"]}) == 'take[0] is "svd", it must be one of stats, full'
    assert _sentence(node, {**value, "times": 4}) == "times is 4, it must be 3 or less"
    assert _sentence(node, {"tensors": ["a"], "stage": "after_step"}) == "take is missing"


def test_that_an_unknown_kind_is_taken_as_opaque() -> None:
    node = _node({"kind": "colour", "space": "oklch"})

    assert isinstance(node, kinds.Unknown)
    assert kinds.check(node, {"l": 0.5}) == {"l": 0.5}
    assert isinstance(kinds.parse({"revision": "2", "root": 7}), kinds.Unknown)


def test_that_opaque_takes_json_and_nothing_else() -> None:
    node = kinds.parse(kinds.opaque_schema())
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]

    assert kinds.check(node, {"a": [1, None, "ü"]}) == {"a": [1, None, "ü"]}
    assert _sentence(node, {"a": math.inf}) == "a is inf, it must be finite"
    assert _sentence(node, {"a": b"x"}) == "a is of type bytes, it must be a JSON value"
    assert "nested deeper" in _sentence(node, deep)
    assert "surrogate" in _sentence(node, "\ud800")


def test_that_defaults_are_filled_only_where_they_are_declared() -> None:
    node = kinds.parse(
        kinds.record_schema(
            kinds.field("p", kinds.number(0, 1)),
            kinds.field("names", kinds.list_of(kinds.string()), default=["all"]),
            kinds.field("limit", kinds.number(0), default=None),
            kinds.field("group", kinds.integer(), optional=True),
        )
    )

    assert kinds.check(node, {"p": "0.1"}) == {"p": "0.1"}
    assert kinds.check(node, {"p": 1, "limit": None}) == {"p": 1, "limit": None}
    assert kinds.fill_defaults(node, {"p": "0.1"}) == {"p": "0.1", "names": ["all"], "limit": None}
    assert _sentence(node, {"p": 1, "group": None}) == "group is null, it must be a number"


def test_that_nothing_may_be_sent_where_nothing_is_needed() -> None:
    assert kinds.check(kinds.parse(kinds.record_schema()), None) is None
    assert _sentence(MIXTURE, None) == "the value is null, it must be an object"


def test_that_a_function_gets_numbers_where_it_was_annotated() -> None:
    node = kinds.parse(
        kinds.record_schema(
            kinds.field("rate", kinds.number()),
            kinds.field("count", kinds.integer()),
            kinds.field("many", kinds.list_of(kinds.number())),
        )
    )

    value = kinds.as_python(node, {"rate": "1", "count": "3.0", "many": ["0.5", 2]})

    assert value == {"rate": 1.0, "count": 3, "many": [0.5, 2.0]}
    assert isinstance(value["rate"], float)
    assert isinstance(value["count"], int)


@pytest.mark.parametrize(
    ("root", "sentence"),
    [
        ({}, "root.kind is null, it must be a string"),
        ({"kind": "scalar", "type": "float"}, 'root.type is "float", it must be one of number, integer'),
        ({"kind": "scalar", "bounds": {"min": 2, "max": 1}}, "root.bounds allow nothing: from 2 to 1"),
        ({"kind": "scalar", "bounds": {"min": "x"}}, 'root.bounds.min is "x", it must be a number'),
        ({"kind": "mixture"}, "root.components is empty, a mixture needs at least one"),
        ({"kind": "mixture", "components": ["a", "a"]}, 'root.components holds "a" twice'),
        ({"kind": "record", "fields": [{"name": "a"}]}, "root.fields[0].type is null, it must be an object"),
        ({"kind": "record", "one_of": ["a"]}, 'root.one_of names "a", which is no field'),
        ({"kind": "map", "value": {"kind": "opaque"}, "key_pattern": "("}, "root.key_pattern is no regular"),
    ],
)
def test_that_a_wrong_schema_is_refused_in_one_sentence(root: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SchemaError) as caught:
        kinds.parse(kinds.schema(root))
    assert str(caught.value).startswith(sentence)


def test_that_a_schema_without_a_root_is_refused() -> None:
    with pytest.raises(SchemaError, match="a schema needs a root"):
        kinds.parse({"revision": "1"})


def test_that_a_default_must_fit_its_own_type() -> None:
    with pytest.raises(SchemaError, match="the default of p does not fit: p is 2, it must be 1 or less"):
        kinds.parse(kinds.record_schema(kinds.field("p", kinds.number(0, 1), default=2)))


def test_that_an_empty_schema_is_opaque() -> None:
    assert kinds.parse({}) == kinds.Opaque()


@pytest.mark.parametrize(("value", "number"), [("3", 3), ("0.1", 0.1), (2, 2), (1.5, 1.5), ("-1e3", -1000.0)])
def test_that_as_number_reads_numbers_and_decimal_strings(value: Any, number: float) -> None:
    assert kinds.as_number(value) == number
    assert type(kinds.as_number(value)) is type(number)
