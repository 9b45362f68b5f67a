"""GPU counters and Qt's libraries, looked at without importing either framework."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Final

from helm_sdk._cli.finding import BROKEN, NOTE, OK, Finding, package_version

APP_PACKAGES: Final = ("PySide6", "shiboken6", "pyqtgraph", "numpy")
_QT_LIBRARIES: Final = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "fontconfig",
}
_BROKEN_QT: Final = "6.12.0"
_INSTALL_APP: Final = 'pip install "helm-desktop[app]"'


def gpu_findings() -> list[Finding]:
    """Return each GPU and whether its counters can be read."""
    if not _has_nvidia():
        return [Finding("gpu", NOTE, "no NVIDIA driver here: no GPU counters")]
    if find_spec("pynvml") is None:
        return [Finding("gpu", NOTE, 'NVML is not installed: pip install "helm-desktop[system]"')]
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        return [Finding("gpu", NOTE, f"NVML does not start: {error}")]
    try:
        count = pynvml.nvmlDeviceGetCount()
        driver = _text(pynvml.nvmlSystemGetDriverVersion())
        head = Finding("gpu", OK, f"{count} GPUs, driver {driver}")
        return [head, *(_gpu(pynvml, index) for index in range(count))]
    except pynvml.NVMLError as error:
        return [Finding("gpu", NOTE, f"NVML cannot list GPUs: {error}")]
    finally:
        pynvml.nvmlShutdown()


def qt_findings() -> list[Finding]:
    """Return True when the app could start here. Nothing of it is needed to train."""
    missing = [name for name in APP_PACKAGES if find_spec(name) is None]
    if missing:
        return [Finding("qt", NOTE, f"the app is not installed (no {', '.join(missing)}): {_INSTALL_APP}")]
    qt = package_version("PySide6-Essentials") or package_version("PySide6")
    if qt == _BROKEN_QT and sys.version_info[:2] == (3, 11):
        return [Finding("qt", BROKEN, f"PySide6 {qt} aborts on Python 3.11: {_INSTALL_APP} takes another")]
    absent = [package for library, package in _QT_LIBRARIES.items() if not _loads(library)]
    if absent:
        return [
            Finding("qt", NOTE, f"PySide6 {qt} lacks system libraries: apt-get install {' '.join(absent)}")
        ]
    screen = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")
    if sys.platform == "linux" and not screen:
        return [Finding("qt", NOTE, f"PySide6 {qt}; no display, so only helm-desktop --offscreen")]
    return [Finding("qt", OK, f"PySide6 {qt}, with its system libraries")]


def _gpu(nvml: Any, index: int) -> Finding:
    handle = nvml.nvmlDeviceGetHandleByIndex(index)
    name = _text(nvml.nvmlDeviceGetName(handle))
    counters: dict[str, Callable[[], Any]] = {
        "utilization": lambda: nvml.nvmlDeviceGetUtilizationRates(handle),
        "memory": lambda: nvml.nvmlDeviceGetMemoryInfo(handle),
        "temperature": lambda: nvml.nvmlDeviceGetTemperature(handle, nvml.NVML_TEMPERATURE_GPU),
        "power": lambda: nvml.nvmlDeviceGetPowerUsage(handle),
    }
    unread = []
    for counter, read in counters.items():
        try:
            read()
        except nvml.NVMLError as error:
            unread.append(f"{counter} ({error})")
    if unread:
        return Finding(f"gpu{index}", NOTE, f"{name}: no {', '.join(unread)}")
    return Finding(f"gpu{index}", OK, f"{name}: {', '.join(counters)} can be read")


def _has_nvidia() -> bool:
    return (
        os.path.exists("/proc/driver/nvidia") or os.path.exists("/dev/nvidiactl") or _loads(_nvml_library())
    )


def _nvml_library() -> str:
    return "nvml.dll" if sys.platform == "win32" else "libnvidia-ml.so.1"


def _loads(library: str) -> bool:
    if library in _QT_LIBRARIES and sys.platform != "linux":
        return True
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
