"""The host and its GPUs as streams, every 15 seconds: psutil always, NVML where it is present."""

from __future__ import annotations

import importlib
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psutil

EVERY_SECONDS = 15.0
FIRST_SECONDS = 1.0  # so that the first figures are there soon after the start
Sample = dict[str, float]


class HostSampler:
    """CPU, memory, room where the run is written, rates of disk and network since the last sample."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, folder: Path | None = None) -> None:
        """Start the measurement.

        Args:
            clock: Seconds that only grow.
            folder: Where to measure the free disk space. None leaves it out.
        """
        self._folder = folder
        self._clock = clock
        self._before: tuple[float, Sample] | None = None
        psutil.cpu_percent(None)  # the first call only starts the measurement

    def sample(self) -> Sample:
        """Percent, bytes, and bytes per second; rates from the second sample on."""
        found: Sample = {
            "system/cpu_percent": float(psutil.cpu_percent(None)),
            "system/memory_used_bytes": float(psutil.virtual_memory().used),
        }
        folder = self._folder
        usage = None if folder is None else _quietly(lambda: shutil.disk_usage(folder))
        if usage is not None:
            found["system/disk_free_bytes"] = float(usage.free)
        now, counters = self._clock(), _counters()
        if self._before is not None:
            then, old = self._before
            seconds = now - then
            for name, count in counters.items():
                grown = count - old.get(name, count)
                if seconds > 0 and grown >= 0:  # a counter that wrapped says nothing
                    found[f"system/{name}_bytes_per_s"] = grown / seconds
        self._before = (now, counters)
        return found


class GpuSampler:
    """Utilization, memory, temperature and power of each GPU; what one cannot tell is left out."""

    def __init__(self, nvml: Any) -> None:
        """Start NVML.

        Args:
            nvml: The module `pynvml`.

        Raises:
            pynvml.NVMLError: There is no driver or no GPU.
        """
        self._nvml = nvml
        nvml.nvmlInit()
        self._handles = [nvml.nvmlDeviceGetHandleByIndex(i) for i in range(nvml.nvmlDeviceGetCount())]

    def sample(self) -> Sample:
        """Percent, bytes, degrees Celsius and watts."""
        nvml = self._nvml
        found: Sample = {}
        for index, handle in enumerate(self._handles):
            reads: dict[str, Callable[[Any], float]] = {
                "utilization_percent": lambda h: float(nvml.nvmlDeviceGetUtilizationRates(h).gpu),
                "memory_used_bytes": lambda h: float(nvml.nvmlDeviceGetMemoryInfo(h).used),
                "temperature_c": lambda h: float(nvml.nvmlDeviceGetTemperature(h, nvml.NVML_TEMPERATURE_GPU)),
                "power_w": lambda h: nvml.nvmlDeviceGetPowerUsage(h) / 1000.0,
            }
            for name, read in reads.items():
                try:
                    found[f"system/gpu{index}/{name}"] = read(handle)
                except nvml.NVMLError:
                    continue
        return found

    def close(self) -> None:
        """Let NVML go."""
        try:
            self._nvml.nvmlShutdown()
        except self._nvml.NVMLError:
            return


def gpu_sampler() -> GpuSampler | None:
    """Return a sampler of this host's GPUs; None without nvidia-ml-py, a driver, or a GPU."""
    try:
        sampler = GpuSampler(importlib.import_module("pynvml"))
    except Exception:
        return None
    return sampler


class Collector:
    """A daemon thread that logs the host's figures every `every` seconds."""

    def __init__(
        self,
        log: Callable[[Mapping[str, float]], None],
        every: float = EVERY_SECONDS,
        folder: Path | None = None,
    ) -> None:
        """Start the thread.

        Args:
            log: Takes the figures by name of their stream, from the thread.
            every: Seconds between two samples.
            folder: Where to measure the free disk space. None leaves it out.
        """
        self._log = log
        self._folder = folder
        self._every = every
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._main, name="helm-system", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop collecting."""
        self._stop.set()
        self._thread.join(1.0)

    def _main(self) -> None:
        host, gpus = HostSampler(folder=self._folder), gpu_sampler()
        pause = min(FIRST_SECONDS, self._every)
        stopping = False
        while not stopping:  # once more at the end, so that a short run has its figures too
            stopping = self._stop.wait(pause)
            pause = self._every
            try:
                self._log({**host.sample(), **(gpus.sample() if gpus else {})})
            except Exception:  # a figure that cannot be read is no reason to stop, or to disturb training
                continue
        if gpus is not None:
            gpus.close()


def _counters() -> Sample:
    found: Sample = {}
    disk = _quietly(psutil.disk_io_counters)
    if disk is not None:
        found.update(disk_read=float(disk.read_bytes), disk_write=float(disk.write_bytes))
    network = _quietly(psutil.net_io_counters)
    if network is not None:
        found.update(network_rx=float(network.bytes_recv), network_tx=float(network.bytes_sent))
    return found


def _quietly(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except Exception:  # containers hide /proc/diskstats in many ways
        return None
