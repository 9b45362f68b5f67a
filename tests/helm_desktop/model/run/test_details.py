"""What a run is made of, as a tree."""

from helm_desktop.model.run.activity import value_text
from helm_desktop.model.run.details import Detail, details_of, model_tree
from helm_desktop.model.run.updates import ProcessFacts
from helm_sdk.protocol.messages import GitState, RunRecord, TensorInfo


def tensor(path: str, size: int = 4) -> TensorInfo:
    """A parameter of two by two."""
    return TensorInfo(
        path=path, module="Linear", shape=(2, 2), dtype="torch.float32", device="cpu", bytes=size
    )


def test_that_every_section_with_something_to_say_is_there() -> None:
    record = RunRecord(
        run_id="id",
        project="p",
        name="n",
        created=1.0,
        config={"lr": 3e-3, "nested": {"flag": True, "none": None}},
        command=("python", "a b.py"),
        git=GitState(commit="0123456789abcdef", branch="main", dirty=True),
        versions={"torch": "2.13"},
    )
    process = ProcessFacts("rank-0", "trainer", 2, "box", 7, 1.0, 1.0)
    details = {detail.name: detail for detail in details_of(record, (process,), {}, (tensor("0.weight"),))}
    assert list(details) == ["Config", "Git", "Versions", "Command", "Processes", "Model"]
    assert details["Config"].children[1] == Detail(
        "nested", "", (Detail("flag", "true"), Detail("none", "none"))
    )
    assert details["Command"].value == "python 'a b.py'"
    assert details["Git"].children[-1].value == "with changes that are not committed"
    assert details["Processes"].children[0].value == "trainer on box, process 7, attempt 2"
    assert details["Model"].value == "1 tensor, 4 B"


def test_that_a_run_without_anything_has_no_sections() -> None:
    assert details_of(RunRecord(run_id="i", project="p", name="n", created=1.0), (), {}, ()) == ()


def test_that_the_model_is_a_tree_of_modules() -> None:
    (block,) = model_tree([tensor("block.0.weight"), tensor("block.0.bias"), tensor("block.scale")])
    assert block.name == "block"
    assert [child.name for child in block.children] == ["0", "scale"]
    assert [leaf.name for leaf in block.children[0].children] == ["weight", "bias"]
    assert block.children[1].value == "2 × 2, float32, 4 B"


def test_that_three_thousand_levels_are_no_matter() -> None:
    deep = ".".join(["m"] * 3000)
    node = model_tree([tensor(f"{deep}.weight")])[0]
    for _ in range(2999):
        (node,) = node.children
    assert node.children[0].name == "weight"


def test_that_a_value_is_said_in_a_few_words() -> None:
    assert value_text({"lr": 0.001835807361368272}) == "lr 1.84e-3"
    assert value_text({"lr": "0.5", "group": None}) == "lr 0.5"
    assert value_text({"weights": {"weights": {"a": "1", "b": "3"}}}) == "a 25%, b 75%"
    assert value_text({"weights": {"weights": {"a": "x"}}}) == "a x"
    assert value_text(None) == ""
