"""Which processes were heard of, and what they say of themselves."""

from __future__ import annotations

from helm_desktop.model.run.processes import RunProcesses
from helm_desktop.model.run.updates import ProcessFacts
from helm_sdk.protocol.messages import Event, Heartbeat


def facts(process: str) -> ProcessFacts:
    return ProcessFacts(process, "trainer", 1, "box", 1, 0.0, 0.0)


def beat(process: str, *, paused: bool = False, doing: str = "", lost: int = 0) -> Heartbeat:
    return Heartbeat(
        process=process, attempt=1, last_seq=1, time=1.0, paused=paused, doing=doing, lost_points=lost
    )


def warning(count: object) -> Event:
    return Event(id=1, kind="warning", time=1.0, step=1, body={"what": "lost points", "count": count})


def test_that_the_first_process_speaks_for_the_run_once_the_files_are_known() -> None:
    processes = RunProcesses()
    assert processes.is_main("rank-1"), "nothing is known yet"
    processes.set_all((facts("rank-0"), facts("rank-1")))
    assert processes.is_main("rank-0")
    assert not processes.is_main("rank-1")
    assert [one.process for one in processes] == ["rank-0", "rank-1"]


def test_that_a_process_is_known_by_its_file_or_by_its_heartbeat() -> None:
    processes = RunProcesses()
    processes.set_all((facts("rank-0"),))
    processes.add_heartbeat(beat("eval", doing="eval"))
    assert processes.names == {"rank-0", "eval"}
    assert processes.doing == "eval"
    assert not processes.paused
    processes.add_heartbeat(beat("rank-0", paused=True))
    assert processes.paused


def test_that_lost_points_count_once_whether_warned_of_or_in_heartbeats() -> None:
    processes = RunProcesses()
    processes.add_warning("rank-0", warning(5))
    processes.add_warning("rank-0", warning("many"))
    processes.add_warning("rank-0", Event(id=2, kind="warning", time=1.0, body={"what": "nonfinite"}))
    assert (processes.lost_points, processes.lost_by_process) == (5, {"rank-0": 5})
    processes.add_heartbeat(beat("rank-0", lost=7))
    processes.add_heartbeat(beat("rank-1", lost=2))
    assert (processes.lost_points, processes.lost_by_process) == (9, {"rank-0": 7, "rank-1": 2})
