"""Any schema, values that fit one or nearly do, and whether two values are the same to a run."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import strategies as st

from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.kinds import InvalidValue, Node, check

Schema = dict[str, Any]

BOUNDS = st.sampled_from([(None, None), (0, None), (None, 10), (0, 1), ("0.1", "0.9"), ("1e-6", 1)])
ENDS = st.sampled_from([(), ("min",), ("max",), ("min", "max")])
NAMES = st.sampled_from(["web", "code", "lr", "max_len", "note", "a b"])
NUMBERS = (
    st.integers(-3, 12)
    | st.floats(-2, 12, allow_nan=False)
    | st.decimals(-1, 11, places=4).map(str)
    | st.sampled_from(
        ["0.10", "1e-3", "1.5E+1", "0.1000000000000000000000000001", "007", "+3", ".5", "nan", ""]
    )
)
TEXTS = st.sampled_from(["", "short documents first", "0.5", "ü – ∞", "None", " blank "]) | st.text(
    max_size=6
)
ANY = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)


def _number(bounds: tuple[Any, Any], ends: tuple[str, ...], type: str, scale: str, unit: str) -> Schema:
    log = scale if bounds[0] not in (None, 0) else ""
    step = 1 if type == "integer" else "0.05"
    return k.number(*bounds, exclusive=ends, type=type, scale=log, unit=unit, step=step if unit else None)


CHOICES: list[list[Any]] = [
    ["a", "b"],
    [1, 2, 3],
    [True, False],
    [0.1, "0.1"],
    list("abcdefg"),
    ["x" * 30, "y"],
]
LEAVES = st.one_of(
    st.builds(
        _number,
        BOUNDS,
        ENDS,
        st.sampled_from(["number", "integer"]),
        st.sampled_from(["", "log"]),
        st.sampled_from(["", "tokens"]),
    ),
    st.just(k.string()),
    st.just(k.boolean()),
    st.sampled_from(CHOICES).map(lambda values: k.enum_of(values)),
    st.sampled_from([k.duration(0, 86_400), k.duration(), k.duration("0.25", 5400)]),
    st.sampled_from(
        [
            k.schedule(0, axis="step"),
            k.schedule(None, 1, axis="tokens", unit="x"),
            k.schedule(0, 1, exclusive=["min"]),
        ]
    ),
    st.sampled_from(
        [
            k.mixture(["web", "code", "math"], "mix/{component}"),
            k.mixture(["web", "code"], bounds={"web": {"min": "0.2"}}),
            k.mixture(["only"]),
        ]
    ),
    st.sampled_from(
        [
            k.tensors(["after_step"], ["mean", "norm"]),
            k.tensors(["after_step", "forward"], ["mean"], {"tensors": 1, "times": 3}),
        ]
    ),
    st.sampled_from([{"kind": "opaque"}, {"kind": "hologram"}]),
)


def _record(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    def part(name: str, type: Schema, optional: bool, default: str, seed: int) -> Schema:
        help = "what it is for" if seed % 3 == 0 else ""
        if default == "none":
            return k.field(name, type, optional=optional, default=None, help=help)
        value = fitting(k.parse(k.schema(type)), random.Random(seed), 0.0)
        if default and takes(k.parse(k.schema(type)), value):
            return k.field(name, type, default=value, help=help)
        return k.field(name, type, optional=optional, help=help)

    defaults = st.sampled_from(["", "", "none", "value"])
    field = st.builds(part, NAMES, inner, st.booleans(), defaults, st.integers(0, 2**16))
    fields = st.lists(field, max_size=4, unique_by=lambda part: str(part["name"]))

    def made(parts: list[Schema], choose: bool) -> Schema:
        free = [part["name"] for part in parts if part.get("optional")]
        return k.record_of(*parts, one_of=free if choose and len(free) > 1 else ())

    return st.builds(made, fields, st.booleans())


SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        _record(inner),
        st.builds(k.list_of, inner, st.integers(0, 1), st.sampled_from([None, 3])),
        st.builds(k.map_of, inner, st.sampled_from(["", "[a-z]+"]), st.integers(0, 1)),
    ),
    max_leaves=5,
).map(k.schema)


def fitting(node: Node, draw: random.Random, wrong: float) -> Any:
    """A value of a kind; each part of it is wrong once in a while."""
    if draw.random() < wrong:
        return draw.choice([None, True, "x", -5, 1e9, [], {}, "nan", [1], {"web": 1}])
    match node:
        case k.Scalar(type="boolean"):
            return draw.random() < 0.5
        case k.Scalar(type="string"):
            return draw.choice(["", "note", "0.50", "two\nlines"])
        case k.Scalar(type="integer"):
            return draw.choice([0, 1, "1", "1.0", 1.0, 5])
        case k.Scalar():
            return draw.choice([0.5, "0.50", "0.3000000000000000000001", "5e-1", 0.25, 1])
        case k.Enum():
            return draw.choice(node.values)
        case k.Duration():
            return draw.choice([0, 90, "90", 5400, "0.25", 1.5, "1e3", 86_400])
        case k.Schedule():
            at = sorted(draw.sample(range(50), draw.randint(1, 3)))
            values = ["0.10", 0.5, 1, "1e-5"]
            return {"points": [{"at": step, "value": draw.choice(values)} for step in at]}
        case k.Mixture(bounds=bounds) if bounds:  # on the weight as it is sent: a share, from a form
            return {"weights": {"web": "0.4", "code": 0.6}}
        case k.Mixture():
            return {"weights": {name: draw.choice(["0.3333", 0.2, 1, "7e-2"]) for name in node.components}}
        case k.Tensors():
            return {"tensors": ["*.weight"], "stage": "after_step", "take": [draw.choice(["mean", "norm"])]}
        case k.ListOf():
            return [fitting(node.item, draw, wrong) for _ in range(draw.randint(0, 3))]
        case k.MapOf():
            names = draw.sample(["web", "code", "B"], draw.randint(0, 2))
            return {name: fitting(node.value, draw, wrong) for name in names}
        case k.Record():
            chosen = draw.choice(node.one_of) if node.one_of else ""
            kept = [
                part
                for part in node.fields
                if part.name == chosen
                or (part.name not in node.one_of and (not part.optional or draw.random() < 0.6))
            ]
            return {
                part.name: None if part.nullable and draw.random() < 0.3 else fitting(part.type, draw, wrong)
                for part in kept
            }
        case _:
            return draw.choice([None, 3, "0.10", {"a": [1, "x"]}])


def takes(node: Node, value: Any) -> bool:
    """Whether the run would take it."""
    try:
        check(node, value)
    except InvalidValue:
        return False
    return True


def exactly(value: Any) -> str:
    """The value as it goes over the wire, decimal strings and all."""
    return json.dumps(value, sort_keys=True)


def same(one: Any, other: Any) -> bool:
    """Equal as the run reads it: "0.50" and 0.5 are one number, no field and an empty text are one."""
    if isinstance(one, dict) and isinstance(other, dict):
        if set(one) == set(other) == {"weights"}:
            return bool(shares(one["weights"]) == pytest.approx(shares(other["weights"]), abs=1.1e-3))
        return all(same(one.get(name, ""), other.get(name, "")) for name in one.keys() | other.keys())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    try:
        return k.decimal_of(one, "") == k.decimal_of(other, "")
    except InvalidValue:
        return bool(one == other)


def shares(weights: Any) -> Any:
    """A mixture is shown in tenths of a percent, until a hand changes it."""
    if not isinstance(weights, dict):
        return weights
    total = sum(float(weight) for weight in weights.values())
    return {name: float(weight) / total for name, weight in weights.items()}
