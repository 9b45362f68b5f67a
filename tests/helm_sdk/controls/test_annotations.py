"""An annotated function becomes a form, and gets its values as annotated."""

import enum
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec
import pytest

from helm_sdk._controls.annotations import capability_of
from helm_sdk._controls.safe_points import CommandContext
from helm_sdk.protocol import kinds
from helm_sdk.protocol.errors import InvalidValue


class Order(enum.Enum):
    RANDOM = 1
    EASY = 2


class Range(TypedDict):
    low: float
    high: NotRequired[float]


class Above:
    gt = 0


CONTEXT = CommandContext("id", "because", "ada", "", 7, "after_step", None)


def curriculum(
    share: Annotated[float, (0, 1)],
    order: Order,
    mode: Literal["a", "b"],
    ranges: list[Range],
    layers: Annotated[int, Above(), msgspec.Meta(le=12)] = 3,
    note: str | None = None,
    frozen: bool = False,
    table: dict[str, float] | None = None,
    *,
    context: CommandContext,
) -> dict[str, Any]:
    """Change what is drawn.

    Details that the card does not need.
    """
    return {"share": share, "order": order, "mode": mode, "ranges": ranges, "layers": layers} | {
        "note": note,
        "frozen": frozen,
        "table": table,
        "step": context.step,
    }


def test_that_parameters_become_fields_with_types_bounds_and_defaults() -> None:
    capability, _ = capability_of(curriculum, "", ("after_step",))
    assert (capability.name, capability.help) == ("curriculum", "Change what is drawn.")
    fields = {part["name"]: part for part in capability.input_schema["root"]["fields"]}
    assert "context" not in fields
    assert fields["share"]["type"] == {"kind": "scalar", "type": "number", "bounds": {"min": 0, "max": 1}}
    assert fields["order"]["type"] == {"kind": "enum", "values": [1, 2], "labels": ["RANDOM", "EASY"]}
    assert fields["mode"]["type"]["values"] == ["a", "b"]
    assert fields["ranges"]["type"]["item"]["fields"][1]["optional"]
    assert fields["layers"]["type"]["bounds"] == {"min": 0, "max": 12, "exclusive": ["min"]}
    assert fields["note"] == {"name": "note", "type": kinds.string(), "optional": True, "default": None}
    assert fields["frozen"]["default"] is False


def test_that_the_handler_gets_what_its_annotations_say() -> None:
    capability, call = capability_of(curriculum, "", ())
    node = kinds.parse(capability.input_schema)
    sent = {"share": "0.25", "order": 2, "mode": "b", "ranges": [{"low": "1"}], "table": {"x": "2"}}
    kinds.check(node, sent)
    got = call(kinds.fill_defaults(node, sent), CONTEXT)
    assert got == {
        "share": 0.25,
        "order": Order.EASY,
        "mode": "b",
        "ranges": [{"low": 1.0}],
        "layers": 3,
        "note": None,
        "frozen": False,
        "table": {"x": 2.0},
        "step": 7,
    }


@pytest.mark.parametrize(
    "wrong",
    [{"share": 2}, {"layers": 0}, {"layers": 1.5}, {"frozen": "false"}, {"mode": "c"}, {"note": 3}],
)
def test_that_values_outside_are_refused(wrong: dict[str, Any]) -> None:
    capability, _ = capability_of(curriculum, "", ())
    node = kinds.parse(capability.input_schema)
    right: dict[str, Any] = {"share": 0.5, "order": 1, "mode": "a", "ranges": []}
    kinds.check(node, right)
    with pytest.raises(InvalidValue):
        kinds.check(node, right | wrong)


def test_that_a_function_without_parameters_takes_no_input() -> None:
    capability, call = capability_of(lambda: 5, "five", ())
    assert capability.input_schema == {}
    assert call(None, CONTEXT) == 5


def test_that_what_is_not_understood_is_opaque() -> None:
    def odd(value: set[int], other) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        return None

    capability, _ = capability_of(odd, "", ())
    assert [part["type"] for part in capability.input_schema["root"]["fields"]] == [{"kind": "opaque"}] * 2


def test_that_an_optional_context_is_no_field_either() -> None:
    def restart(level: int = 1, context: CommandContext | None = None) -> tuple[int, bool]:
        return level, context is not None

    capability, call = capability_of(restart, "", ())
    assert [field["name"] for field in capability.input_schema["root"]["fields"]] == ["level"]
    context = CommandContext("id", "", "me", "", 3, "point", None)
    assert call({"level": 2}, context) == (2, True)
