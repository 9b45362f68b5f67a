import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from helm_desktop.model.series import name_patterns

LAYERS = [
    "health/layer0/update_ratio",
    "health/layer4/update_ratio",
    "health/layer2/update_ratio",
    "health/layer10/update_ratio",
    "health/layernorm/update_ratio",
    "health/layer0/norm",
]


def test_that_a_click_on_the_number_makes_the_layer_a_variable() -> None:
    name = LAYERS[0]
    pattern = name_patterns.make_variable(name, name.index("0"))
    assert pattern == "health/layer{layer}/update_ratio"
    assert name_patterns.values_of(pattern, LAYERS) == {"layer": ["0", "2", "4", "10"]}
    assert [match.name for match in name_patterns.matches(pattern, LAYERS)] == [
        LAYERS[0],
        LAYERS[2],
        LAYERS[1],
        LAYERS[3],
    ]


@pytest.mark.parametrize(
    ("name", "click", "pattern"),
    [
        ("model.layers.12.mlp", "12", "model.layers.{layer}.mlp"),
        ("eval/loss/web", "web", "eval/loss/{value}"),
        ("system/gpu0/power_w", "0", "system/gpu{gpu}/power_w"),
        ("layer_3", "3", "layer_{layer}"),
        ("7/x", "7", "{value}/x"),
        ("a/{b}/c", "{b}", "a/{b}/c"),
        ("a//b", "//", "a//b"),
    ],
)
def test_that_a_part_becomes_a_variable_with_a_fitting_name(name: str, click: str, pattern: str) -> None:
    assert name_patterns.make_variable(name, name.index(click)) == pattern


def test_that_several_variables_have_names_of_their_own() -> None:
    pattern = "health/layer{layer}/head3/entropy"
    assert (
        name_patterns.make_variable(pattern, pattern.index("3")) == "health/layer{layer}/head{head}/entropy"
    )
    twice = name_patterns.make_variable("a/{value}/b/c", "a/{value}/b/c".index("c"))
    assert twice == "a/{value}/b/{value2}"
    assert name_patterns.variables(twice) == ("value", "value2")
    assert [match.values for match in name_patterns.matches(twice, ["a/x/b/y", "a/x/b", "a/x/b/y/z"])] == [
        ("x", "y")
    ]


def test_that_a_variable_is_renamed_filled_and_removed() -> None:
    pattern = "loss/{value}"
    assert name_patterns.rename_variable(pattern, "value", "source") == "loss/{source}"
    assert name_patterns.rename_variable(pattern, "value", "not a name") == pattern
    assert name_patterns.remove_variable(pattern, "value", "web") == "loss/web"
    assert name_patterns.fill("a/{x}/{y}", {"x": "1"}) == "a/1/{y}"
    assert name_patterns.value_text("block{block}/{part}/norm", ("3", "q_proj")) == "block 3 · q_proj"
    assert name_patterns.value_text("loss", ()) == ""


def test_that_names_with_signs_of_expressions_are_taken_as_they_are() -> None:
    assert [match.name for match in name_patterns.matches("a+b(c)/{x}", ["a+b(c)/1", "aab(c)/1"])] == [
        "a+b(c)/1"
    ]
    assert [match.name for match in name_patterns.matches("plain", ["plain", "plainer"])] == ["plain"]


@given(name=st.text(max_size=40))
@example(name="\r/")
@example(name="a\n0/")
def test_that_the_parts_of_a_name_are_the_name(name: str) -> None:
    cut = name_patterns.parts(name)
    assert "".join(part.text for part in cut) == name
    for part in cut:
        pattern = name_patterns.make_variable(name, part.start)
        if part.clickable and not part.variable and name.count("{") == 0:
            assert name in [match.name for match in name_patterns.matches(pattern, [name])]
