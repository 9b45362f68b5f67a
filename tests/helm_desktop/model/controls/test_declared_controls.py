"""One control a name, whichever processes declare it."""

from __future__ import annotations

from helm_desktop.model.controls.declared_controls import DeclaredControls
from helm_sdk.protocol.kinds import field, mixture, record_schema
from helm_sdk.protocol.messages import Capability, ControlState

LR = Capability(name="lr", reads="optim/lr/group0")
MIX = Capability(
    name="mix",
    input_schema=record_schema(field("weights", mixture(("web", "code"), sampled="data/{component}"))),
)


def test_that_a_control_of_two_processes_can_be_used_while_one_of_them_can() -> None:
    declared = DeclaredControls()
    assert declared.set("rank-0", [ControlState(capability=LR, unavailable="rank 1 left")])
    assert declared["lr"].unavailable == "rank 1 left"
    assert declared.set("rank-1", [ControlState(capability=LR)])
    assert declared["lr"].processes == ("rank-0", "rank-1")
    assert not declared["lr"].unavailable


def test_that_only_other_controls_count_as_a_change() -> None:
    declared = DeclaredControls()
    assert declared.set("rank-0", [ControlState(capability=LR)])
    assert not declared.set("rank-0", [ControlState(capability=LR, unavailable="busy")])
    assert declared["lr"].unavailable == "busy"
    assert declared.set("rank-0", [])
    assert declared.names == ()
    assert declared.get("lr") is None


def test_that_the_controls_that_show_a_stream_are_found() -> None:
    declared = DeclaredControls()
    declared.set("rank-0", [ControlState(capability=LR), ControlState(capability=MIX)])
    assert [control.name for control in declared.readers("optim/lr/group0")] == ["lr"]
    assert [control.name for control in declared.readers("data/code")] == ["mix"]
    assert declared.readers("train/loss") == []
