"""The host and its GPUs as streams."""

import sys
import threading
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import psutil
import pytest

import helm_sdk
from helm_sdk import system
from helm_sdk.record import layout
from helpers.raw_client import wait_until
from helpers.scripts import start as start_script


class FakeNvml(ModuleType):
    """Replays what two GPUs said; the second tells neither its power nor its temperature."""

    NVML_TEMPERATURE_GPU = 0

    class NVMLError(Exception):
        pass

    def __init__(self) -> None:
        super().__init__("pynvml")
        self.open = 0

    def nvmlInit(self) -> None:
        self.open += 1

    def nvmlShutdown(self) -> None:
        self.open -= 1

    def nvmlDeviceGetCount(self) -> int:
        return 2

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:
        return index

    def nvmlDeviceGetUtilizationRates(self, handle: int) -> Any:
        return SimpleNamespace(gpu=97 - handle, memory=40)

    def nvmlDeviceGetMemoryInfo(self, handle: int) -> Any:
        return SimpleNamespace(total=8 << 30, used=3 << 30, free=5 << 30)

    def nvmlDeviceGetTemperature(self, handle: int, sensor: int) -> int:
        return self._only_first(handle, 61)

    def nvmlDeviceGetPowerUsage(self, handle: int) -> int:
        return self._only_first(handle, 250_500)

    def _only_first(self, handle: int, value: int) -> int:
        if handle:
            raise self.NVMLError("Not Supported")
        return value


def test_that_gpus_are_named_by_index_and_what_they_do_not_tell_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake = FakeNvml()
    monkeypatch.setitem(sys.modules, "pynvml", fake)
    sampler = system.gpu_sampler()
    assert sampler is not None
    assert sampler.sample() == {
        "system/gpu0/utilization_percent": 97.0,
        "system/gpu0/memory_used_bytes": float(3 << 30),
        "system/gpu0/temperature_c": 61.0,
        "system/gpu0/power_w": 250.5,
        "system/gpu1/utilization_percent": 96.0,
        "system/gpu1/memory_used_bytes": float(3 << 30),
    }
    sampler.close()
    assert fake.open == 0


def test_that_without_a_driver_there_are_no_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoDriver(FakeNvml):
        def nvmlInit(self) -> None:
            raise self.NVMLError("Driver Not Loaded")

    monkeypatch.setitem(sys.modules, "pynvml", NoDriver())
    assert system.gpu_sampler() is None
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert system.gpu_sampler() is None


def test_that_the_real_nvml_answers_on_a_machine_with_a_gpu() -> None:
    sampler = system.gpu_sampler()
    if sampler is None:
        pytest.skip("no NVML here")
    found = sampler.sample()
    sampler.close()
    assert found["system/gpu0/memory_used_bytes"] > 0
    assert 0 <= found["system/gpu0/utilization_percent"] <= 100


def test_that_rates_are_per_second_between_two_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = iter([(100, 10), (2100, 5)])

    def disk() -> Any:
        read, write = next(counts)
        return SimpleNamespace(read_bytes=read, write_bytes=write)

    clock = iter([10.0, 14.0])
    monkeypatch.setattr(psutil, "disk_io_counters", disk)
    sampler = system.HostSampler(lambda: next(clock))
    first, second = sampler.sample(), sampler.sample()
    assert "system/disk_read_bytes_per_s" not in first
    assert second["system/disk_read_bytes_per_s"] == 500.0
    assert "system/disk_write_bytes_per_s" not in second
    assert {"system/cpu_percent", "system/memory_used_bytes"} <= set(first)


def test_that_a_run_with_system_metrics_has_the_hosts_streams(
    start: Callable[..., helm_sdk.Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "FIRST_SECONDS", 0.02)
    run = start(system_metrics=True)
    recorder = run._recording.recorder
    assert recorder is not None
    assert wait_until(lambda: any(s.name == "system/cpu_percent" for s in recorder.point_queue.streams))


def test_that_one_process_a_host_collects(start: Callable[..., helm_sdk.Run]) -> None:
    run = start(system_metrics=True)
    script = start_script(
        f"import threading, helm_sdk\njoin = dict(join={run.run_id!r}, process='rank-1')\n"
        "run = helm_sdk.init('tests', system_metrics=True, **join)\n"
        "print('collects', 'helm-system' in [thread.name for thread in threading.enumerate()])",
        home=layout.home(),
    )
    script.wait_for_line("^collects False$")
    assert script.finish() == 0
    assert "helm-system" in [thread.name for thread in threading.enumerate()]
