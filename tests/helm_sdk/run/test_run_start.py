"""Opening a run: new, resumed, joined, forked from another; and what happens when that cannot be."""

import argparse
import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import helm_sdk
from helm_sdk.protocol.messages import RunRecord
from helm_sdk.protocol.peer import RunState
from helm_sdk.record import layout
from helm_sdk.record.run import RunFolder
from helm_sdk.record.runs import list_runs, live_entries
from helpers.scripts import start as start_script

Start = Callable[..., helm_sdk.Run]


def record_of(run: helm_sdk.Run) -> RunRecord:
    assert run.folder is not None
    return RunFolder(run.folder).record


def test_that_importing_loads_neither_zmq_numpy_nor_torch() -> None:
    code = (
        "import sys, helm_sdk, helm_sdk.protocol; from helm_sdk import Capability, opaque_schema;"
        "print(sorted({'zmq', 'numpy', 'torch', 'psutil', 'sqlite3'} & set(sys.modules)));"
        "assert helm_sdk.__all__ == sorted(helm_sdk.__all__);"
        "assert all(getattr(helm_sdk, name) for name in helm_sdk.__all__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_that_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'finish_everything'"):
        helm_sdk.finish_everything  # noqa: B018


def test_that_init_prints_one_line_that_says_how_to_open_the_run(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start("my project", name="first try")
    run.finish()
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out == (f"helm: run first try in {run.folder} (open it: helm-desktop {run.run_id})\n")


def test_that_a_run_in_a_home_of_its_own_is_opened_by_its_folder(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start(home=tmp_path / "else where")
    assert capsys.readouterr().out.endswith(f"(open it: helm-desktop '{run.folder}')\n")


def test_that_run_json_says_how_the_run_was_started(start: Start) -> None:
    @dataclasses.dataclass
    class Sizes:
        layers: int = 3

    config = {"lr": 3e-3, "sizes": Sizes(), "args": argparse.Namespace(seed=1), "path": Path("data/x")}
    run = start("quick", config=config, tags=["a", "b"], notes="why")
    record = record_of(run)
    assert record.config == {"lr": 3e-3, "sizes": {"layers": 3}, "args": {"seed": 1}, "path": "data/x"}
    assert (record.tags, record.notes, record.project) == (("a", "b"), "why", "quick")
    assert record.name == record.run_id == run.run_id
    assert record.command
    assert "python" in record.versions
    assert run.config == record.config


def test_that_config_that_json_cannot_say_becomes_its_repr_told_once(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start(config={"model": object, "deep": {"f": len}, "fine": (1, {2})})
    assert run.config["model"] == "<class 'object'>"
    assert run.config["fine"] == [1, [2]]
    assert (
        capsys.readouterr().err
        == "helm: Values of the configuration that JSON cannot represent are kept as text: model, deep.f\n"
    )


def test_that_a_second_init_returns_the_open_run_with_a_warning(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start(name="cell", config={"lr": 1})
    assert helm_sdk.init("tests") is run
    assert helm_sdk.init("tests", name="cell", config={"lr": 1}) is run
    assert "is open already" in capsys.readouterr().err
    run.finish()
    assert start() is not run


@pytest.mark.parametrize("more", [{"name": "second"}, {"config": {"rate": 0.2}}, {"project": "others"}])
def test_that_a_second_init_with_another_name_project_or_config_is_another_run(
    more: dict[str, Any], start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    first = start(name="first", config={"rate": 0.1})
    first.log({"loss": 1.0}, step=0)
    second = start(**{"name": "first", "config": {"rate": 0.1}, **more})
    second.log({"loss": 2.0}, step=7)
    second.finish()
    assert second.run_id != first.run_id
    assert "ends: init was called for another run" in capsys.readouterr().err
    for run, points in ((first, [(0, 1.0)]), (second, [(7, 2.0)])):
        assert run.folder is not None
        (reader,) = RunFolder(run.folder).readers()
        assert [point[:2] for point in reader.points("loss")] == points
        assert reader.record.outcome == "finished"


def test_that_live_processes_are_in_the_index_until_they_end(start: Start) -> None:
    run = start()
    entry = live_entries(layout.home(), run.run_id)[0]
    assert (entry.process, entry.pid, entry.attempt) == ("rank-0", os.getpid(), 1)
    assert entry.publish.startswith("tcp://127.0.0.1:")
    assert entry.publish != entry.request
    run.finish()
    assert live_entries(layout.home(), run.run_id) == []


@pytest.mark.parametrize("wrong", [{"project": 3}, {"name": 4}, {"process": 5}])
def test_that_a_project_or_name_that_is_no_text_is_a_type_error(wrong: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="is text, not int"):
        helm_sdk.init(**wrong)  # type: ignore[arg-type]


def test_that_the_environment_stands_in_for_project_and_process(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELM_RUN_PROJECT", "from env")
    monkeypatch.setenv("HELM_RUN_PROCESS", "rank-7")
    run = helm_sdk.init()
    run.finish()
    assert (run.project, run.process) == ("from env", "rank-7")


@pytest.mark.parametrize("how", ["id", "name", "latest"])
def test_that_resume_goes_on_as_the_next_attempt(start: Start, how: str) -> None:
    first = start(name="long")
    first.log({"a": 1.0}, step=15)
    first.finish()
    second = start(resume={"id": first.run_id, "name": "long", "latest": "latest"}[how], config={"lr": 1})
    second.log({"a": 2.0}, step=10)
    second.finish()
    assert (second.run_id, second.attempt) == (first.run_id, 2)
    assert second.folder is not None
    readers = RunFolder(second.folder).readers()
    assert [next(reader.points("a"))[:2] for reader in readers] == [(15, 1.0), (10, 2.0)]
    assert [reader.record.start_step for reader in readers] == [15, 10]
    assert readers[1].events("joined")[0].body["config"] == {"lr": 1}


def test_that_auto_goes_on_only_with_a_run_that_was_cut_off(start: Start) -> None:
    done = start(resume="auto")
    done.finish()
    assert done.attempt == 1
    failed = start(resume="auto")
    assert failed.run_id != done.run_id
    failed.finish("failed", "no memory")
    again = start(resume="auto")
    assert (again.run_id, again.attempt) == (failed.run_id, 2)


def test_that_auto_goes_on_with_a_killed_run() -> None:
    """D22"""
    text = (
        "import helm_sdk, time\nrun = helm_sdk.init('cut', resume='auto')\nrun.log({'a': 1.0}, step=0)\n"
        "run.flush()\nprint('ready', run.attempt, run.run_id)\ntime.sleep(60)"
    )
    for attempt in (1, 2):
        script = start_script(text, home=layout.home())
        script.wait_for_line(f"ready {attempt} ")
        script.kill()
        assert [run.state for run in list_runs(project="cut")] == [RunState.KILLED]


def _cut_off(start: Start, **asked: Any) -> helm_sdk.Run:
    run = start(resume="auto", **asked)
    run.finish("interrupted")
    return run


def test_that_auto_goes_on_with_the_run_of_its_own_name_or_configuration(start: Start) -> None:
    """Jobs of one project that are all cut off and all started again."""
    named = [_cut_off(start, name=f"job{number}", config={"seed": number}) for number in range(3)]
    unnamed = [_cut_off(start, config={"seed": number}) for number in range(3)]
    for number in (0, 2, 1):
        again = _cut_off(start, name=f"job{number}", config={"seed": number})
        assert (again.run_id, again.attempt) == (named[number].run_id, 2)
        again = _cut_off(start, config={"seed": number})
        assert (again.run_id, again.attempt) == (unnamed[number].run_id, 2)
    assert _cut_off(start, name="job9").attempt == 1


def test_that_a_task_of_an_array_goes_on_with_its_own_run(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLURM_ARRAY_JOB_ID", "4711")
    runs = []
    for task in ("0", "1"):
        monkeypatch.setenv("SLURM_ARRAY_TASK_ID", task)
        runs.append(_cut_off(start))
    assert record_of(runs[1]).job == {"array": "4711", "task": "1"}
    for task in ("0", "1"):
        monkeypatch.setenv("SLURM_ARRAY_TASK_ID", task)
        assert _cut_off(start).run_id == runs[int(task)].run_id


def test_that_a_run_that_goes_on_elsewhere_is_left_to_it_in_the_same_home(start: Start) -> None:
    text = (
        "import helm_sdk, sys\nrun = helm_sdk.init('race', name='one', resume='auto')\n"
        "print('run', run.attempt, run.folder, flush=True)\nsys.stdin.readline()\n"
    )
    cut_off = _cut_off(start, project="race", name="one")
    runs = [start_script(text, home=layout.home()) for _ in range(3)]
    folders = [script.wait_for_line(r"^run (\d) (.*)$") for script in runs]
    for script in runs:
        script.kill()
    attempts = sorted((match[1], Path(match[2])) for match in folders)
    assert [attempt for attempt, _ in attempts] == ["1", "1", "2"]
    assert len({folder for _, folder in attempts}) == 3
    assert attempts[2][1] == cut_off.folder
    assert all(folder.is_relative_to(layout.home()) for _, folder in attempts)


def test_that_what_cannot_be_resumed_is_told_and_training_goes_on(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start(resume="no such run")
    run.log({"a": 1.0}, step=0)
    assert (run.disabled, run.attempt) == (False, 1)
    assert "no such run" in capsys.readouterr().err
    other = start(project="empty", resume="latest")
    assert (other.disabled, other.attempt) == (False, 1)
    assert "This is a new run" in capsys.readouterr().err


def test_that_other_processes_join_under_their_own_name(start: Start) -> None:
    run = start()
    script = start_script(
        f"import helm_sdk\njoin = dict(join={run.run_id!r}, process='rank-1', role='worker')\n"
        "run = helm_sdk.init('tests', **join)\n"
        "run.log({'b': 1.0}, step=0)\nprint(run.attempt, run.process)",
        home=layout.home(),
    )
    assert script.finish() == 0
    script.wait_for_line("^1 rank-1$")
    assert run.folder is not None
    found = {reader.record.process: reader.record.role for reader in RunFolder(run.folder).readers()}
    assert found == {"rank-0": "trainer", "rank-1": "worker"}


def test_that_a_second_live_writer_of_a_process_is_refused(start: Start) -> None:
    run = start()
    script = start_script(
        f"import helm_sdk\nrun = helm_sdk.init('tests', resume={run.run_id!r})\n"
        "print('attempt', run.attempt)",
        home=layout.home(),
    )
    script.wait_for_line("still running as process")
    script.wait_for_line("attempt 1")
    assert script.finish() == 0


def test_that_a_fork_names_the_run_and_the_step_it_branched_from(start: Start) -> None:
    origin = start(name="base")
    origin.finish()
    branch = start(fork_from="base@1200")
    assert record_of(branch).fork_from == origin.run_id
    assert record_of(branch).fork_step == 1200


def test_that_an_open_secret_key_leaves_the_run_without_sockets_and_says_so(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    start().finish()
    (layout.config_home() / "keys" / "helm.key_secret").chmod(0o644)
    run = start()
    run.log({"a": 1.0}, step=0)
    assert live_entries(layout.home(), run.run_id)[0].request == ""
    run.finish()
    assert "chmod 600" in capsys.readouterr().err


def test_that_a_home_that_is_a_file_gives_way_to_the_temporary_folder(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "file").write_text("")
    run = start(home=tmp_path / "file")
    assert run.folder is not None
    assert run.folder.is_relative_to(layout.fallback_home())
    assert capsys.readouterr().err.count("this run is in") == 1


def test_that_nothing_writable_disables_the_run_in_one_line(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import tempfile

    (tmp_path / "file").write_text("")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    run = start(home=tmp_path / "file")
    run.log({"a": 1.0}, step=0)
    assert run.disabled
    assert capsys.readouterr().err.count("\n") == 1
