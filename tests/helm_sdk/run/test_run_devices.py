"""Scalars on a device: never waited for in the loop, read when their copy has come."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import helm_sdk
from helm_sdk._recorder.buffer import Buffer
from helm_sdk._shared.scalars import PendingScalar, number
from helm_sdk.record.run import RunFolder


class FakeEvent:
    """Comes when the test says so."""

    come = False

    def record(self, stream: object) -> None:
        return None

    def query(self) -> bool:
        return FakeEvent.come


class FakeHost:
    def __init__(self) -> None:
        self.value = float("nan")

    def copy_(self, source: "FakeScalar", non_blocking: bool) -> None:
        assert non_blocking
        assert source.detached
        self.value = source.value

    def item(self) -> float:
        assert FakeEvent.come, "read before it came"
        return self.value


class FakeScalar:
    """A CUDA scalar as far as reading one goes; `item` would synchronise."""

    is_cuda = True
    dtype = device = "cuda"

    def __init__(self, value: float, detached: bool = False, count: int = 1) -> None:
        self.value, self.detached, self.count = value, detached, count

    def numel(self) -> int:
        return self.count

    def is_complex(self) -> bool:
        return False

    def detach(self) -> "FakeScalar":
        return FakeScalar(self.value, True, self.count)

    def reshape(self, shape: tuple[int, ...]) -> "FakeScalar":
        return self

    def item(self) -> float:
        raise AssertionError("the loop must not wait for the device")


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> None:
    torch: Any = ModuleType("torch")
    torch.empty = lambda shape, dtype, pin_memory: FakeHost()
    torch.cuda = ModuleType("torch.cuda")
    torch.cuda.Event = FakeEvent
    torch.cuda.current_stream = lambda device: None
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(FakeEvent, "come", False)


def test_that_a_device_scalar_is_copied_and_read_when_it_has_come(device: None) -> None:
    buffer = Buffer()
    row = buffer.read({"loss": FakeScalar(2.5), "lr": 0.1})
    assert isinstance(row["loss"], PendingScalar)
    buffer.rows.append((row, 0, 0.0, None))
    buffer.rows.append(({"loss": 3.0}, 1, 0.0, None))
    assert buffer.pop(100) == []
    FakeEvent.come = True
    assert [values for values, *_ in buffer.pop(100)] == [{"loss": 2.5, "lr": 0.1}, {"loss": 3.0}]


def test_that_a_device_tensor_of_many_is_no_number(device: None) -> None:
    assert number(FakeScalar(1.0, count=2)) is None


def test_that_points_behind_a_device_keep_their_order(
    device: None, start: Callable[..., helm_sdk.Run]
) -> None:
    run = start()
    run.log({"loss": FakeScalar(1.0)}, step=0)
    run.log({"loss": 2.0}, step=1)
    assert not run.flush(0.1)
    FakeEvent.come = True
    run.finish()
    assert run.folder is not None
    reader = RunFolder(run.folder).readers()[0]
    assert [(step, value) for step, value, _ in reader.points("loss")] == [(0, 1.0), (1, 2.0)]


def test_that_the_real_thing_is_read_on_a_machine_with_a_gpu(start: Callable[..., helm_sdk.Run]) -> None:
    import torch

    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    run = start()
    weight = torch.ones((), device="cuda", requires_grad=True)
    for step in range(100):
        run.log({"loss": weight * step}, step=step)
    run.finish()
    assert run.folder is not None
    reader = RunFolder(run.folder).readers()[0]
    assert [value for _, value, _ in reader.points("loss")] == [float(step) for step in range(100)]
