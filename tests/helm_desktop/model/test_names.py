import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from helm_desktop.model import names

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
    pattern = names.make_variable(name, name.index("0"))
    assert pattern == "health/layer{layer}/update_ratio"
    assert names.values_of(pattern, LAYERS) == {"layer": ["0", "2", "4", "10"]}
    assert [match.name for match in names.matches(pattern, LAYERS)] == [
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
    assert names.make_variable(name, name.index(click)) == pattern


def test_that_several_variables_have_names_of_their_own() -> None:
    pattern = "health/layer{layer}/head3/entropy"
    assert names.make_variable(pattern, pattern.index("3")) == "health/layer{layer}/head{head}/entropy"
    twice = names.make_variable("a/{value}/b/c", "a/{value}/b/c".index("c"))
    assert twice == "a/{value}/b/{value2}"
    assert names.variables(twice) == ("value", "value2")
    assert [match.values for match in names.matches(twice, ["a/x/b/y", "a/x/b", "a/x/b/y/z"])] == [("x", "y")]


def test_that_a_variable_is_renamed_filled_and_removed() -> None:
    pattern = "loss/{value}"
    assert names.rename_variable(pattern, "value", "source") == "loss/{source}"
    assert names.rename_variable(pattern, "value", "not a name") == pattern
    assert names.remove_variable(pattern, "value", "web") == "loss/web"
    assert names.fill("a/{x}/{y}", {"x": "1"}) == "a/1/{y}"
    assert names.value_words("block{block}/{part}/norm", ("3", "q_proj")) == "block 3 · q_proj"
    assert names.value_words("loss", ()) == ""


def test_that_names_with_signs_of_expressions_are_taken_as_they_are() -> None:
    assert [match.name for match in names.matches("a+b(c)/{x}", ["a+b(c)/1", "aab(c)/1"])] == ["a+b(c)/1"]
    assert [match.name for match in names.matches("plain", ["plain", "plainer"])] == ["plain"]


@given(name=st.text(max_size=40))
@example(name="\r/")
@example(name="a\n0/")
def test_that_the_parts_of_a_name_are_the_name(name: str) -> None:
    cut = names.parts(name)
    assert "".join(part.text for part in cut) == name
    for part in cut:
        pattern = names.make_variable(name, part.start)
        if part.clickable and not part.variable and name.count("{") == 0:
            assert name in [match.name for match in names.matches(pattern, [name])]
