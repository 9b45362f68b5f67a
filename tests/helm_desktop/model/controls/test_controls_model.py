import argparse
import shlex
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.controls.labels import CommandStage, value_text
from helm_sdk._cli import send
from helm_sdk.protocol.kinds import field, mixture, number, record_schema
from helm_sdk.protocol.messages import Capability, Command, ControlState, Event, Heartbeat, SafePointRate
from helm_sdk.protocol.peer import RunState

SOURCES = ("web", "code")
LR = Capability(
    name="lr",
    input_schema=record_schema(field("lr", number(0, exclusive=["min"]))),
    safe_points=("trainer.step",),
    starting={"lr": "0.003"},
    reads="optim/lr/group0",
    provider="trainer",
)
MIX = Capability(
    name="set_mixture",
    input_schema=record_schema(field("weights", mixture(SOURCES, sampled="data/mix/{component}"))),
    safe_points=("after_step",),
    starting={"weights": {"weights": {"web": "0.4", "code": "0.6"}}},
)


def event(number: int, state: str, *, step: int | None = None, name: str = "lr", **body: Any) -> Event:
    return Event(
        id=number,
        kind="command",
        time=1000.0 + number,
        step=step,
        body={"command_id": "c1", "capability": name, "state": state, **body},
    )


def take(model: ControlsModel, *events: Event) -> None:
    for one in events:
        model.apply_event("rank-0", one)


@pytest.fixture
def model() -> ControlsModel:
    made = ControlsModel()
    made.set_catalogue([ControlState(capability=LR), ControlState(capability=MIX)], "rank-0")
    return made


def test_that_the_catalogue_makes_the_controls(qtbot: QtBot) -> None:
    model = ControlsModel()
    with qtbot.waitSignal(model.controls_changed):
        model.set_catalogue([ControlState(capability=LR)], "rank-0")
    assert [control.name for control in model.controls] == ["lr"]
    assert model.controls[0].current.value == {"lr": "0.003"}
    with qtbot.waitSignal(model.control_changed), qtbot.assertNotEmitted(model.controls_changed):
        model.set_catalogue([ControlState(capability=LR, unavailable="rank 1 left at step 99")], "rank-0")
    assert model.controls[0].unavailable == "rank 1 left at step 99"


def test_that_a_command_is_requested_at_once_and_then_tracked(model: ControlsModel, qtbot: QtBot) -> None:
    command = model.compose("lr", {"lr": "0.001"}, "plateau")
    with qtbot.waitSignal(model.control_changed):
        model.on_sent(command)
    assert model.track("lr") == [CommandStage("requested", "now"), CommandStage("applied", "ahead")]
    asked = {"command_id": command.id, "capability": "lr"}
    take(model, Event(id=1, kind="command", time=1.0, step=5, body={**asked, "state": "received"}))
    waits = {**asked, "state": "waiting", "safe_point": "trainer.step"}
    take(model, Event(id=2, kind="command", time=2.0, step=5, body=waits))
    assert model.track("lr")[1] == CommandStage("waiting for trainer.step", "now")
    applied = {**asked, "state": "applied", "new": {"lr": "0.001"}, "old": {"lr": "0.003"}, "revision": 1}
    take(model, Event(id=3, kind="command", time=3.0, step=261, body=applied))
    assert model.track("lr") == [
        CommandStage("requested", "done"),
        CommandStage("applied at 261", "done"),
        CommandStage("confirmed", "ahead"),
    ]
    assert model.controls[0].current.value == {"lr": "0.001"}
    assert model.previous_value("lr") == {"lr": "0.003"}


def test_that_one_signal_tells_of_a_batch(model: ControlsModel, qtbot: QtBot) -> None:
    told: list[str] = []
    model.flush()
    model.control_changed.connect(told.append)
    take(model, event(1, "received", input={"lr": 1}), event(2, "waiting"))
    assert not told
    model.flush()
    assert told == ["lr"]


def test_that_a_rejection_says_why(model: ControlsModel) -> None:
    take(model, event(1, "rejected", message="lr is -1, it must be more than 0"))
    assert model.track("lr")[-1] == CommandStage("rejected: lr is -1, it must be more than 0", "bad")


def test_that_what_was_open_fails_when_the_run_ends(model: ControlsModel) -> None:
    take(model, event(1, "received", input={"lr": 1}), event(2, "waiting"))
    model.set_run_state(RunState.FINISHED)
    assert model.track("lr")[-1].text == "failed: the run ended first"
    assert model.controls[0].blocked == "the run has ended"


def test_that_a_refusal_is_shown(model: ControlsModel) -> None:
    command = model.compose("lr", {"lr": 1})
    model.on_sent(command)
    model.on_refused(command.id, "the run has ended")
    assert model.track("lr")[-1] == CommandStage("not sent: the run has ended", "bad")


def test_that_the_card_knows_what_ran() -> None:
    model = ControlsModel(tail=lambda name, rows, since: ([1260], [0.00121]))
    model.set_catalogue([ControlState(capability=LR)], "rank-0")
    model.on_points()
    ran = model.controls[0].ran
    assert ran is not None
    assert (ran.value, ran.step) == (0.00121, 1260)


def test_that_sampled_never_reaches_back_before_the_last_change() -> None:
    asked: list[tuple[str, int, int | None]] = []

    def tail(name: str, count: int, since: int | None) -> tuple[Sequence[int], Sequence[float]]:
        asked.append((name, count, since))
        return ([150, 160], [0.25, 0.35]) if name.endswith("web") else ([], [])

    model = ControlsModel(tail=tail)
    model.set_catalogue([ControlState(capability=MIX)], "rank-0")
    assert model.sampled("set_mixture") == {"web": pytest.approx(0.3), "code": None}
    body = {"input": {}, "new": {"weights": {"weights": {"web": "0.7", "code": "0.3"}}}}
    take(model, event(1, "applied", step=140, name="set_mixture", safe_point="after_step", **body))
    asked.clear()
    model.sampled("set_mixture", 5)
    assert asked == [("data/mix/web", 5, 141), ("data/mix/code", 5, 141)]


def test_that_a_value_is_refused_as_the_run_would(model: ControlsModel) -> None:
    assert model.problem_of("lr", {"lr": "0"}) == 'lr is "0", it must be more than 0'
    assert not model.problem_of("lr", {"lr": 1e-3})


def test_that_a_broken_schema_still_makes_a_control() -> None:
    model = ControlsModel()
    broken = Capability(name="odd", input_schema={"root": {"kind": 3}})
    model.set_catalogue([ControlState(capability=broken)])
    assert "cannot be read" in repr(model.controls[0].node)


def test_that_two_processes_share_a_card(model: ControlsModel) -> None:
    model.set_catalogue([ControlState(capability=LR, unavailable="busy")], "rank-1")
    assert model.controls[0].processes == ("rank-0", "rank-1")
    assert len(model.controls) == 2


def test_that_the_shell_command_quotes_its_input(model: ControlsModel) -> None:
    model.run = "20261129-120000-abcdef"
    command = model.compose("lr", {"lr": "0.001"}, "it's flat")
    text = model.shell_command(command)
    assert text.startswith('helmctl send 20261129-120000-abcdef lr \'{"lr": "0.001"}\' --reason ')


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
WORD = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)


@given(
    st.builds(
        Command,
        id=st.just(""),
        capability=WORD,
        input=JSON,
        reason=st.just("") | WORD,
        process=st.just("") | WORD,
        expires_step=st.none() | st.integers(0, 10**9),
        supersedes=st.just("") | WORD,
    ),
    WORD,
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_the_shell_reads_any_command_as_it_was(model: ControlsModel, command: Command, run: str) -> None:
    model.run = run
    words = shlex.split(model.shell_command(command))
    assert words[:2] == ["helmctl", "send"]
    parser = argparse.ArgumentParser()
    send.add_arguments(parser)
    args = parser.parse_args(words[2:])
    assert args.run == run
    assert msgspec.structs.replace(send._command(args), id="") == command


def test_that_values_read_tersely(model: ControlsModel) -> None:
    assert value_text(model.controls[0].node, {"lr": "0.003"}) == "3.00e-3"
    words = value_text(model.controls[1].node, MIX.starting)
    assert words == "web 40%, code 60%"
    assert value_text(None, {"max_norm": None}) == "none"


def heartbeat(at: float, *points: SafePointRate, paused: bool = False) -> Heartbeat:
    return Heartbeat(
        process="rank-0", attempt=1, last_seq=9, time=at, step=5, paused=paused, safe_points=points
    )


def test_that_a_request_says_how_long_it_waits_and_how_often_its_safe_point_comes(
    model: ControlsModel, qtbot: QtBot
) -> None:
    waits = event(2, "waiting", safe_point="trainer.step")
    take(model, event(1, "received", input={"lr": 1}), waits)
    assert model.track("lr")[1].text == "waiting for trainer.step"
    model.flush()
    with qtbot.waitSignal(model.control_changed):
        model.on_heartbeat(heartbeat(1004.1, SafePointRate(name="trainer.step", calls=9, seconds=0.4)))
    assert model.track("lr")[1].text == "waiting for trainer.step, 2.1 s, comes every 0.4 s"
    model.on_heartbeat(heartbeat(1072.0, SafePointRate(name="trainer.step", calls=9, seconds=0.02)))
    assert model.track("lr")[1].text == "waiting for trainer.step, 1 min 10 s, comes every 20 ms"
    take(model, event(3, "applied", step=6))
    assert "waiting" not in model.track("lr")[1].text


def test_that_a_safe_point_that_never_came_is_told_and_a_pause_is_not_its_fault(model: ControlsModel) -> None:
    take(
        model,
        event(1, "received", name="set_mixture"),
        event(2, "waiting", name="set_mixture", safe_point="after_step"),
    )
    model.on_heartbeat(heartbeat(1005.0))
    assert model.track("set_mixture")[1].text == "waiting for after_step, 3.0 s, has not come yet"
    model.on_heartbeat(heartbeat(1006.0, paused=True))
    assert model.track("set_mixture")[1].text == "waiting: the run is paused, 4.0 s"


def test_that_an_approved_request_says_who_let_it() -> None:
    model = ControlsModel()
    model.set_catalogue([ControlState(capability=LR)], "rank-0")
    take(
        model,
        event(1, "received", sender="laptop", input={"lr": 1}),
        event(2, "awaiting approval", sender="laptop"),
        event(3, "waiting", sender="laptop", approver="ada", safe_point="trainer.step"),
    )
    (record,) = model.commands.of("lr")
    assert [entry.text for entry in model.entries(record)] == [
        "received, on disk, from laptop",
        "awaiting approval",
        "approved by ada, waiting for trainer.step",
    ]


def test_that_a_scripts_own_control_ends_when_it_is_applied(qapp: object) -> None:
    model = ControlsModel()
    dose = Capability(name="dose", input_schema=record_schema(field("x", number())), reads="dose/used")
    model.set_catalogue([ControlState(capability=dose)], "rank-0")
    body = {"command_id": "c", "capability": "dose", "state": "applied", "input": {"x": 1}}
    model.apply_event("rank-0", Event(id=1, kind="command", time=1.0, step=5, body=body))
    assert model.track("dose")[-1] == CommandStage("applied at 5", "done"), "nobody would ever confirm it"
