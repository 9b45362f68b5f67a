"""Whatever JSON comes: nothing but the two errors, and what is accepted is unchanged."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from helm_sdk.protocol import kinds
from helm_sdk.protocol.errors import InvalidValue, SchemaError

_plain = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["0.4", "-1", "1e5", "nan", "1e999999", "step", "min", "web", "\ud800"])
)
_words = st.sampled_from(
    [
        "kind",
        "type",
        "root",
        "revision",
        "fields",
        "name",
        "optional",
        "default",
        "bounds",
        "min",
        "max",
        "exclusive",
        "unit",
        "step",
        "scale",
        "values",
        "labels",
        "value",
        "label",
        "item",
        "min_length",
        "max_length",
        "key_pattern",
        "axis",
        "components",
        "sampled",
        "stages",
        "summaries",
        "limits",
        "one_of",
        "weights",
        "points",
        "at",
        "tensors",
        "stage",
        "take",
        "every",
        "times",
        "web",
        "code",
        "a",
    ]
)
_kinds = st.sampled_from(
    [
        "record",
        "scalar",
        "enum",
        "list",
        "map",
        "schedule",
        "mixture",
        "duration",
        "tensors",
        "opaque",
        "colour",
    ]
)
json_values = st.recursive(
    _plain | _kinds,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(_words | st.text(max_size=4), inner, max_size=5)
    ),
    max_leaves=20,
)


def _node_of(kind: str, rest: dict[str, Any]) -> dict[str, Any]:
    return {**rest, "kind": kind}


nodes = st.recursive(
    st.builds(_node_of, _kinds, st.dictionaries(_words, json_values, max_size=4)),
    lambda inner: st.builds(
        lambda kind, item, names: {
            "kind": kind,
            "item": item,
            "value": item,
            "fields": [{"name": name, "type": item} for name in names],
            "components": list(names),
        },
        _kinds,
        inner,
        st.sets(_words, max_size=3),
    ),
    max_leaves=5,
)
good_nodes = st.sampled_from(
    [
        kinds.number(0, 1),
        kinds.integer(),
        kinds.string(),
        kinds.boolean(),
        kinds.enum_of([1, True, "a", None, 0.5]),
        kinds.list_of(kinds.number(), 1, 3),
        kinds.map_of(kinds.string(), "[a-z]*"),
        kinds.schedule(0),
        kinds.mixture(["web", "code"]),
        kinds.duration(0, 10),
        kinds.tensors(["after_step"], ["stats"], {"times": 3}),
        kinds.record_of(kinds.field("a", kinds.number(), default=None), kinds.field("at", kinds.string())),
        {"kind": "opaque"},
        {"kind": "colour"},
    ]
)


@settings(max_examples=200, deadline=None)
@given(schema=json_values | nodes.map(kinds.schema), value=json_values)
def test_that_any_schema_and_value_give_a_verdict(schema: Any, value: Any) -> None:
    try:
        node = kinds.parse(schema)
    except SchemaError as error:
        assert str(error)
        return
    _judge(node, value)


@settings(max_examples=300, deadline=None)
@given(root=good_nodes, value=json_values)
def test_that_any_value_of_a_good_schema_gives_a_verdict(root: dict[str, Any], value: Any) -> None:
    _judge(kinds.parse(kinds.schema(root)), value)


@given(weights=st.dictionaries(st.sampled_from(["web", "code", "x"]), st.floats() | st.text(max_size=3)))
def test_that_an_accepted_mixture_has_a_positive_finite_sum(weights: dict[str, Any]) -> None:
    node = kinds.parse(kinds.schema(kinds.mixture(["web", "code"])))
    try:
        kinds.check(node, {"weights": weights})
    except InvalidValue:
        return
    assert set(weights) == {"web", "code"}
    assert all(float(weight) >= 0 for weight in weights.values())
    assert sum(float(weight) for weight in weights.values()) > 0


def _judge(node: kinds.Node, value: Any) -> None:
    before = copy.deepcopy(value)
    try:
        accepted = kinds.check(node, value)
    except InvalidValue as error:
        assert str(error)
        assert "\n" not in str(error).replace(repr(value), "")
    else:
        assert accepted is value
        assert accepted == before  # no NaN is ever accepted, so this compares
        kinds.fill_defaults(node, value)
        kinds.as_python(node, value)
