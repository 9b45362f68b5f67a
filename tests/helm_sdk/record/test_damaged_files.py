"""A process file with wrong bytes: other runs are listed, nothing raises, no number is wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import helm_sdk
from helm_sdk.record import layout
from helm_sdk.record.errors import RecordError
from helm_sdk.record.reader import ProcessReader
from helm_sdk.record.runs import list_runs
from helm_sdk.record.verify import verify
from helpers.scripts import helmctl

ROWS = 2000


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, bytes]:
    """A home with a run that stays whole and one that is damaged: the home, its file and the file's bytes."""
    home = tmp_path_factory.mktemp("damaged")
    folder = home
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELM_CONFIG_HOME", str(home / "config"))
        for name in ("whole", "damaged"):
            with helm_sdk.init("p", name=name, home=home) as run:
                run.tunable("x", 1.0, minimum=0, maximum=2)
                for step in range(ROWS):
                    run.log({"loss": 1.0 / (step + 1), "other": step * 1.0}, step=step)
            assert run.folder is not None
            folder = run.folder
    path = layout.process_file(folder, 1, "rank-0")
    return home, path, path.read_bytes()


def _damage(data: bytes, random_: random.Random) -> bytes:
    damaged = bytearray(data)
    for _ in range(random_.choice((1, 1, 1, 4, 64))):
        damaged[random_.randrange(len(damaged))] = random_.randrange(256)
    return bytes(damaged[: random_.randrange(len(damaged))] if random_.random() < 0.1 else damaged)


@pytest.mark.parametrize("seed", range(6))
def test_that_wrong_bytes_spoil_their_own_file_alone(seed: int, recorded: tuple[Path, Path, bytes]) -> None:
    home, path, data = recorded
    random_ = random.Random(seed)
    for _ in range(50):
        path.write_bytes(_damage(data, random_))
        found = {run.name: run for run in list_runs(home)}
        assert found["whole"].state_text == "finished"
        assert found["whole"].value == 1.0 / ROWS
        verify(path.parent)
        try:
            with ProcessReader(path) as reader:
                for step, value, _ in reader.points("loss"):
                    assert value == 1.0 / (step + 1)
        except RecordError as error:
            assert str(path) in str(error)


def test_that_the_list_and_the_shell_name_a_file_that_cannot_be_read(
    recorded: tuple[Path, Path, bytes],
) -> None:
    home, path, data = recorded
    path.write_bytes(b"not a database at all" + data[21:])
    (run,) = (run for run in list_runs(home) if run.name == "damaged")
    assert path.name in run.state_text
    shown = helmctl("show", run.run_id, home=home)
    assert "Traceback" not in shown.stderr
    assert path.name in shown.stdout + shown.stderr
    checked = helmctl("verify", run.run_id, home=home)
    assert checked.returncode != 0
    assert path.name in checked.stdout + checked.stderr
    assert "whole" in helmctl("runs", home=home).stdout
