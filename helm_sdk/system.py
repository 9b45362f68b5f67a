"""Measurements of the host (with psutil) and of its GPUs (with NVML, if present), logged every 15 seconds."""

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
FIRST_SECONDS = 1.0  # seconds until the first sample, so that it is logged soon after the start
Sample = dict[str, float]  # values by stream name


class HostSampler:
    """CPU use, memory, free disk space, and the rates of disk and network since the sample before."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, folder: Path | None = None) -> None:
        """Start the measurement.

        Args:
            clock: A monotonic clock, in seconds.
            folder: Where to measure the free disk space. None: it is not measured.
        """
        self._folder = folder
        self._clock = clock
        self._before: tuple[float, Sample] | None = None
        psutil.cpu_percent(None)  # the first call only starts the measurement

    def sample(self) -> Sample:
        """Measure the host now.

        Returns:
            Values by stream name, in percent, bytes or bytes per second, as the end of the name says. Rates
            are there from the second sample on.
        """
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
                if seconds > 0 and grown >= 0:  # a counter that was reset gives no rate
                    found[f"system/{name}_bytes_per_s"] = grown / seconds
        self._before = (now, counters)
        return found


class GpuSampler:
    """Utilization, memory, temperature and power of each GPU; what NVML cannot read is left out."""

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
        """Measure every GPU now.

        Returns:
            Values by stream name: utilization in percent, memory in bytes, temperature in °C, power in W.
        """
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
        """Shut NVML down."""
        try:
            self._nvml.nvmlShutdown()
        except self._nvml.NVMLError:
            return


def gpu_sampler() -> GpuSampler | None:
    """Return a sampler of this host's GPUs.

    Returns:
        The sampler, or None where nvidia-ml-py, the driver or a GPU is missing.
    """
    try:
        sampler = GpuSampler(importlib.import_module("pynvml"))
    except Exception:
        return None
    return sampler


class Collector:
    """A daemon thread that samples the host and its GPUs and logs the values."""

    def __init__(
        self,
        log: Callable[[Mapping[str, float]], None],
        every: float = EVERY_SECONDS,
        folder: Path | None = None,
    ) -> None:
        """Start the thread.

        Args:
            log: Called on the thread with the values by stream name.
            every: Seconds between two samples.
            folder: Where to measure the free disk space. None: it is not measured.
        """
        self._log = log
        self._folder = folder
        self._every = every
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._main, name="helm-system", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Log a last sample and stop the thread; wait for it at most one second."""
        self._stop.set()
        self._thread.join(1.0)

    def _main(self) -> None:
        host, gpus = HostSampler(folder=self._folder), gpu_sampler()
        pause = min(FIRST_SECONDS, self._every)
        stopping = False
        while not stopping:  # one more sample at the end, so that a short run has one too
            stopping = self._stop.wait(pause)
            pause = self._every
            try:
                self._log({**host.sample(), **(gpus.sample() if gpus else {})})
            except Exception:  # a failed sample must not stop the thread or disturb training
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
