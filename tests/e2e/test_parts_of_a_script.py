"""Nothing is preset: what a part of the script makes is there with its lines, and absent without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.scripts import SCRIPTS, catalogue, helmctl, shown, start, without

TEXT = (SCRIPTS / "parts.py").read_text()


def run(tmp_path: Path, *removed: int) -> dict[str, object]:
    """What is left of a short run of the script without these parts."""
    script = start(without(TEXT, *removed), home=tmp_path, env={"STEPS": "40", "PAUSE": "0"})
    assert script.finish() == 0, "\n".join(script.lines)
    assert helmctl("verify", "latest", home=tmp_path).returncode == 0
    tensors, plan = catalogue("tensors", home=tmp_path), catalogue("plan", home=tmp_path)
    return shown(home=tmp_path) | {"tensors": tensors, "plan": plan}


def names(seen: dict[str, object], what: str) -> set[str]:
    """The names of the streams or controls."""
    found = seen[what]
    assert isinstance(found, list)
    return {one["name"] for one in found}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return run(tmp_path_factory.mktemp("whole"))


def test_that_the_whole_script_makes_everything(whole: dict[str, object]) -> None:
    assert whole["name"] == "in-parts"
    assert whole["state"] == "finished"
    assert whole["config"] == {"lr": 3e-3, "batch_size": 64, "nested": {"depth": 2}}
    assert {"system/cpu_percent", "system/memory_used_bytes"} <= names(whole, "streams")
    assert {"lr", "weight_decay", "grad_clip", "checkpoint", "eval", "set_mixture"} <= names(
        whole, "controls"
    )
    assert {"train/loss", "optim/grad_norm", "optim/lr/group0", "optim/weight_decay/group0"} <= names(
        whole, "streams"
    )
    assert {"perf/step_time_s", "perf/samples_per_s", "health/layer0/update_ratio", "data/mix/web"} <= names(
        whole, "streams"
    )
    streams = whole["streams"]
    assert isinstance(streams, list)
    assert next(one for one in streams if one["name"] == "train/loss")["count"] == 40
    tensors = whole["tensors"]
    assert isinstance(tensors, list)
    assert {"0.weight", "0.bias", "3.weight", "3.bias"} == {one["path"] for one in tensors}


def test_that_without_part_1_there_is_no_name_config_or_system_stream(tmp_path: Path) -> None:
    seen = run(tmp_path, 1)
    assert seen["name"] != "in-parts"
    assert seen["config"] == {}
    assert not any(name.startswith("system/") for name in names(seen, "streams"))


def test_that_without_part_2_there_is_no_control_and_no_plan(tmp_path: Path) -> None:
    seen = run(tmp_path, 2)
    assert names(seen, "controls") == {"set_mixture", "reload_data"}
    assert not seen["plan"]
    assert not seen["tensors"]
    assert "optim/lr/group0" not in names(seen, "streams")


def test_that_without_part_3_no_tensor_is_listed(tmp_path: Path) -> None:
    text = TEXT.replace("captures=True", "captures=False")
    script = start(text, home=tmp_path, env={"STEPS": "5", "PAUSE": "0"})
    assert script.finish() == 0, "\n".join(script.lines)
    assert not catalogue("tensors", home=tmp_path)


def test_that_without_part_4_there_is_no_mixture(tmp_path: Path) -> None:
    controls = names(run(tmp_path, 4), "controls")
    assert "set_mixture" not in controls
    assert "lr" in controls


def test_that_without_part_5_there_are_no_health_and_data_streams(tmp_path: Path) -> None:
    seen = run(tmp_path, 5)
    assert not any(name.startswith(("health/", "data/")) for name in names(seen, "streams"))
    assert "train/loss" in names(seen, "streams")


def test_that_without_part_6_there_is_no_core_metric(tmp_path: Path) -> None:
    seen = run(tmp_path, 6)
    assert not any(name.startswith(("train/", "optim/", "perf/")) for name in names(seen, "streams"))
    assert "health/layer0/update_ratio" in names(seen, "streams")
