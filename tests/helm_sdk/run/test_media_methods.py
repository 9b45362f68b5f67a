"""Rich values of a real run: names, steps, the wire, full disks, the end."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import helm_sdk
from helm_sdk._media.writer import MediaWriter
from helm_sdk._recorder.identity import RecorderIdentity
from helm_sdk._shared.notice import Notices
from helm_sdk.protocol.messages import Fetch, FilePart, ProcessRecord, RunRecord
from helm_sdk.record import layout
from helm_sdk.record.runs import find_run
from helm_sdk.record.verify import verify
from helpers.media import kept, one
from helpers.raw_client import RawClient
from helpers.scripts import shown
from helpers.scripts import start as start_script

Start = Callable[..., helm_sdk.Run]

NAMES = [
    "a: b",
    "../../up",
    "/etc/passwd",
    "con",
    "a/b\\c",
    "käse %s {x}",
    "",
    " ",
    ".",
    "tab\tline\nend\0",
    "\U0001f600",
    "<b>",
    "x" * 512,
    "Same",
    "same",
]


def test_that_any_text_names_a_value_and_its_file_stays_in_media(start: Start) -> None:
    run = start()
    for name in NAMES:
        run.text(name, f"of {name!r}", step=1)
    events = kept(run)
    assert [event.body["name"] for event in events] == NAMES
    files = [event.body["file"] for event in events]
    assert len({file.lower() for file in files}) == len(NAMES)
    assert run.folder is not None
    inside = sorted(os.listdir(run.folder / "media"))
    assert inside == sorted(file.removeprefix("media/") for file in files)
    for event in events:
        file = run.folder / event.body["file"]
        assert file.read_text() == f"of {event.body['name']!r}"
        assert len(file.name) < 200


def test_that_names_that_are_no_text_or_too_long_are_told(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start()
    run.text(3, "number")  # type: ignore[arg-type]
    run.text("y" * 600, "long")
    run.text("y" * 601, "longer")
    run.text("a\ud800", "half")
    names = [event.body["name"] for event in kept(run)]
    assert names[0] == "3"
    assert [len(name) for name in names[1:3]] == [512, 512]
    assert names[1] != names[2]
    assert names[3] == "a\\ud800"
    assert "name is text" in capsys.readouterr().err


def test_that_a_value_has_the_step_that_was_said_the_runs_or_its_own_count(start: Start) -> None:
    run = start()
    run.text("own", "a")
    run.text("own", "b")
    run.text("other", "c")
    run.log({"x": 1.0}, step=41)
    run.text("own", "d")
    run.text("own", "e", step=7)
    run.text("own", "f", step="soon")  # type: ignore[arg-type]
    run.text("own", "g", step=-(1 << 63))
    steps = [event.step for event in kept(run, "own")]
    assert steps[:4] == [0, 1, 41, 7]
    assert steps[5] == -(1 << 63)
    assert kept(run, "other")[0].step == 0
    assert run.step == 41


def test_that_the_file_is_there_before_the_event_and_is_fetched_over_the_wire(start: Start) -> None:
    run = start()
    run.image("picture", [[0, 255]], step=2)
    body, path = one(run, "picture")
    with RawClient(run.run_id) as client:
        part = client.ask(Fetch(request="1", process="rank-0", path=body["file"]))
    assert isinstance(part, FilePart)
    assert (part.data, part.size) == (path.read_bytes(), body["bytes"])


def test_that_values_and_points_keep_their_own_times(start: Start) -> None:
    run = start()
    before = time.time()
    run.text("a", "1")
    (event,) = kept(run, "a")
    assert before - 1 < event.time < time.time() + 1


def test_that_every_call_is_taken_and_none_kept_when_the_run_is_off(
    start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run = start()
    run.text("kept", "x")
    run.finish()
    every_kind(run)
    assert run.folder is not None
    assert len(os.listdir(run.folder / "media")) == 1
    monkeypatch.setenv("HELM_RUN_MODE", "disabled")
    off = helm_sdk.init("tests", home=tmp_path / "home")
    every_kind(off)
    off.finish()
    assert not (tmp_path / "home").exists()


def test_that_what_a_process_keeps_before_it_knows_its_run_is_written_then(tmp_path: Path) -> None:
    told: list[tuple[int | None, str]] = []
    writer = MediaWriter(lambda kind, step, body, at: told.append((step, body["file"])), Notices())
    writer.add("text", "early", "a", 3, {"format": "plain"})
    assert writer.flush(0.0)  # there is nowhere to write to yet
    assert told == []
    record = ProcessRecord(
        run_id="r", process="rank-1", role="trainer", attempt=2, pid=1, started=0.0, opened=0.0, host="h"
    )
    writer.open(
        RecorderIdentity(
            tmp_path, tmp_path, RunRecord(run_id="r", project="p", name="n", created=0.0), record
        )
    )
    writer.add("text", "late", "b", 4, {"format": "plain"})
    assert writer.flush(20.0)
    writer.close()
    assert told == [(3, "media/early-s3-a2-rank-1-1.txt"), (4, "media/late-s4-a2-rank-1-2.txt")]


def test_that_verify_tells_of_media_that_are_missing_or_cut_short(start: Start) -> None:
    run = start()
    for name in ("whole", "short", "gone"):
        run.text(name, "words")
    paths = {event.body["name"]: event.body["file"] for event in kept(run)}
    run.finish()
    assert run.folder is not None
    assert verify(run.folder) == []
    (run.folder / paths["short"]).write_text("wo")
    (run.folder / paths["gone"]).unlink()
    found = {problem.file: problem.what for problem in verify(run.folder)}
    assert found == {paths["short"]: "has 2 bytes, not 5", paths["gone"]: "is not there"}


def every_kind(run: helm_sdk.Run) -> None:
    """One call of each."""
    run.text("text", "x")
    run.image("image", [[0]])
    run.audio("audio", [0.0], sample_rate=8000)
    run.table("table", [[1]])
    run.histogram("histogram", [1.0, math.nan])
    run.figure("figure", b"<svg xmlns='http://www.w3.org/2000/svg'/>")


def test_that_finish_writes_what_still_waits_and_a_run_without_values_has_no_folder(start: Start) -> None:
    run = start()
    for step in range(200):
        run.text("many", str(step), step=step)
    run.finish()
    reader = find_run(None, "latest").readers()[0]
    assert [event.step for event in reader.events("media")] == list(range(200))
    assert [event.kind for event in reader.events()][-1] == "finished"
    quiet = start(name="quiet")
    quiet.log({"a": 1.0})
    quiet.finish()
    assert quiet.folder is not None
    assert not (quiet.folder / "media").exists()


def test_that_the_next_attempt_adds_to_the_folder_and_the_shell_counts_both() -> None:
    text = (
        "import helm_sdk\n"
        "with helm_sdk.init('again', resume=RESUME) as run:\n"
        "    run.text('t', 'x' * 10, step=STEP)\n"
        "    run.image('i', [[1]], step=STEP)\n"
    )
    for resume, step in (("None", 3), ("'latest'", 9)):
        script = start_script(text.replace("RESUME", resume).replace("STEP", str(step)), home=layout.home())
        assert script.finish() == 0, script.lines
    assert len(list(find_run(None, "latest").path.glob("media/*"))) == 4
    lines = {line["name"]: line for line in shown(home=layout.home())["media"]}
    assert {key: lines["t"][key] for key in ("type", "count", "last_step", "bytes")} == {
        "type": "text",
        "count": 2,
        "last_step": 9,
        "bytes": 20,
    }


def test_that_rich_values_need_neither_numpy_nor_torch() -> None:
    script = start_script(
        "import sys, array\n"
        "import helm_sdk\n"
        "run = helm_sdk.init('bare')\n"
        "assert not {'numpy', 'torch', 'PIL'} & set(sys.modules), sys.modules\n"
        "sys.modules['numpy'] = sys.modules['torch'] = sys.modules['PIL'] = None\n"
        "run.image('list', [[0.0, 0.5], [1.0, float('nan')]])\n"
        "run.image('buffer', memoryview(bytes(range(12))).cast('B', (2, 2, 3)))\n"
        "run.audio('audio', array.array('d', [0.0, 1.0, -1.0]), sample_rate=8000)\n"
        "run.histogram('histogram', array.array('f', [1, 2, 3]))\n"
        "run.table('table', [{'a': 1}])\n"
        "run.finish()\n",
        home=layout.home(),
    )
    assert script.finish() == 0, script.lines
    assert not any("left out" in line for line in script.lines), script.lines
    assert len(find_run(None, "latest").readers()[0].events("media")) == 5


# Trouble with the disk ---------------------------------------------------------------------------

FULL = """
import resource, signal, sys, time
import helm_sdk
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
run = helm_sdk.init("disk")
run.log({"a": 0.0}, step=0)
run.flush()
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
def room(size): resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
"""
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs RLIMIT_FSIZE")


@posix
def test_that_values_wait_in_memory_until_the_disk_works_again() -> None:
    script = start_script(
        FULL
        + "room(1)\n"
        + "for step in range(1, 21): run.text('t', 'word ' * 100, step=step)\n"
        + "assert not run.flush(0.3)\n"
        + "room(hard)\n"
        + "assert run.flush()\n"
        + "run.finish()\n",
        home=layout.home(),
    )
    assert script.finish() == 0, script.lines
    assert sum("media could not be written" in line for line in script.lines) == 1
    assert sum("the disk takes media again" in line for line in script.lines) == 1
    run = find_run(None, "latest")
    reader = run.readers()[0]
    assert [event.step for event in reader.events("media")] == list(range(1, 21))
    assert reader.events("warning") == []
    assert len(os.listdir(run.path / "media")) == 20


@posix
def test_that_values_over_the_bound_are_counted_as_lost_and_shown() -> None:
    script = start_script(
        FULL
        + "(run.folder / 'media').write_text('in the way')\n"
        + "for step in range(1, 501): run.text('t', 'x' * 9_000, step=step)\n"
        + "(run.folder / 'media').unlink()\n"
        + "run.flush()\n"
        + "run.finish()\n",
        home=layout.home(),
        env={"HELM_RUN_BUFFER_MB": "1"},
    )
    assert script.finish() == 0, script.lines
    reader = find_run(None, "latest").readers()[0]
    written = len(reader.events("media"))
    lost = sum(event.body["count"] for event in reader.events("warning"))
    assert 50 < written < 200
    assert written + lost == 500
    assert {event.body["what"] for event in reader.events("warning")} == {"lost media"}
    assert sum("other media come faster" in line for line in script.lines) == 1


@posix
def test_that_a_run_ends_soon_and_counts_what_the_disk_never_took() -> None:
    script = start_script(
        FULL
        + "(run.folder / 'media').write_text('in the way')\n"
        + "for step in range(30): run.text('t', 'x', step=step)\n"
        + "began = time.monotonic()\nrun.finish()\n"
        + "print('took', time.monotonic() - began)\n",
        home=layout.home(),
    )
    assert script.finish() == 0, script.lines
    assert float(script.wait_for_line(r"^took (.+)$")[1]) < 10
    reader = find_run(None, "latest").readers()[0]
    assert [event.body["count"] for event in reader.events("warning")] == [30]
    assert reader.record.outcome == "finished"


@posix
def test_that_a_forked_child_leaves_its_parents_values_alone() -> None:
    script = start_script(
        "import os, sys, helm_sdk\n"
        "run = helm_sdk.init('fork')\n"
        "run.text('parent', 'before')\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    run.text('child', 'x')\n"
        "    run.flush()\n"
        "    run.finish()\n"
        "    sys.exit(0)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "run.text('parent', 'after')\n"
        "run.finish()\n",
        home=layout.home(),
    )
    assert script.finish() == 0, script.lines
    events = find_run(None, "latest").readers()[0].events("media")
    assert [event.body["name"] for event in events] == ["parent", "parent"]
