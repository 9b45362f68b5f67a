"""Arrays and tensors of any library, copied into plain bytes with a shape and a type."""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

from helm_sdk._media.prepared import Unfit, check_size

_TORCH = {
    "bool": "?",
    "uint8": "B",
    "int8": "b",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "uint64": "Q",
    "float32": "f",
    "float64": "d",
}
_NUMPY = {
    f"{kind}{width}": code
    for kind, width, code in zip("buiuiuiuiff", "11122448848", "?BbHhIiQqfd", strict=True)
}
_WIDTH = {code: array("B" if code == "?" else code).itemsize for code in _TORCH.values()}


class OnDevice:
    """A copy on its way from a device: pinned memory, and the event that says when it has come."""

    def __init__(self, host: Any, event: Any) -> None:
        self._host = host
        self._event = event

    def read(self) -> bytes:
        """Return the bytes; waits for the device, so not in the loop."""
        self._event.synchronize()
        return _bytes_of(self._host)


@dataclass(frozen=True)
class Dense:
    """Numbers in C order. code: a typecode of `array`, or "?" for booleans."""

    shape: tuple[int, ...]
    code: str
    source: bytes | OnDevice

    @property
    def size(self) -> int:
        """Bytes that it holds."""
        return prod(self.shape) * _WIDTH[self.code]

    @property
    def floating(self) -> bool:
        """Whether it holds floats."""
        return self.code in "fd"

    def data(self) -> bytes:
        """Return the bytes themselves."""
        return self.source if isinstance(self.source, bytes) else self.source.read()

    def numbers(self) -> Any:
        """Return a flat NumPy array where there is NumPy, else an `array`."""
        numpy = numpy_or_none()
        if numpy is not None:
            return numpy.frombuffer(self.data(), dtype=numpy.dtype(self.code))
        return array("B" if self.code == "?" else self.code, self.data())


@cache
def numpy_or_none() -> Any:
    """NumPy where it is installed; nothing here needs it."""
    try:
        import numpy

        return numpy
    except Exception:
        return None


def dense(value: Any) -> Dense:
    """Return a copy of an array, tensor, buffer or nested list of numbers. Raises Unfit for anything else."""
    if hasattr(value, "detach") and hasattr(value, "data_ptr"):
        return _of_torch(value)
    if hasattr(value, "dtype") and hasattr(value, "tobytes") and hasattr(value, "astype"):
        return _of_numpy(value)
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(value, "__array__"):
        return _of_numpy(numpy.asarray(value))
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray | memoryview | array):
        return _of_list(value)
    try:
        view = memoryview(value)
    except TypeError:
        raise Unfit(f"it is {type(value).__name__}, no array of numbers") from None
    code = {"l": "q", "L": "Q"}.get(view.format, view.format) if view.itemsize == 8 else view.format
    if code not in _WIDTH:
        raise Unfit(f"its numbers have the type {view.format!r}, which is not known")
    check_size(view.nbytes)
    return Dense(view.shape or (), code, view.tobytes())


def _of_torch(value: Any) -> Dense:
    if hasattr(value, "full_tensor"):
        raise Unfit("it is a sharded tensor: hand in its full_tensor() or to_local()")
    tensor = value.detach()
    if tensor.device.type == "meta":
        raise Unfit("it is a tensor without data (device meta)")
    check_size(tensor.numel() * max(4 if tensor.is_floating_point() else 1, tensor.element_size()))
    kind = str(tensor.dtype).removeprefix("torch.")
    if kind not in _TORCH:
        if not tensor.is_floating_point():
            raise Unfit(f"its numbers are {kind}, which a chart cannot show")
        tensor, kind = tensor.float(), "float32"
    shape, code = tuple(map(int, tensor.shape)), _TORCH[kind]
    if tensor.is_cuda:
        return Dense(shape, code, _from_cuda(tensor))
    return Dense(shape, code, _bytes_of(tensor.cpu()))


def _from_cuda(tensor: Any) -> OnDevice:
    """Copy to pinned memory on the current stream: the loop does not wait for the device."""
    torch = sys.modules["torch"]
    host = torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True)
    host.copy_(tensor, non_blocking=True)
    event = torch.cuda.Event()
    event.record(torch.cuda.current_stream(tensor.device))
    return OnDevice(host, event)


def _bytes_of(tensor: Any) -> bytes:
    """Without NumPy, which torch can do without."""
    held = tensor.contiguous()
    return ctypes.string_at(held.data_ptr(), held.numel() * held.element_size()) if held.numel() else b""


def _of_numpy(value: Any) -> Dense:
    check_size(int(value.nbytes))
    if value.dtype.kind == "f" and value.dtype.itemsize not in (4, 8):
        value = value.astype("f4" if value.dtype.itemsize < 4 else "f8")
    elif value.dtype.kind == "V":  # bfloat16 and its like
        value = value.astype("f4")
    code = _NUMPY.get(f"{value.dtype.kind}{value.dtype.itemsize}")
    if code is None:
        raise Unfit(f"its numbers are {value.dtype}, which a chart cannot show")
    native = value.astype(value.dtype.newbyteorder("="), copy=False)
    return Dense(tuple(map(int, value.shape)), code, native.tobytes())


def _of_list(value: Sequence[Any]) -> Dense:
    shape: list[int] = []
    level: Any = value
    while isinstance(level, Sequence) and not isinstance(level, str | bytes):
        shape.append(len(level))
        if len(level) == 0:
            break
        level = level[0]
    check_size(8 * prod(shape))
    flat: list[Any] = [value]
    for length in shape:
        if any(not isinstance(part, Sequence) or len(part) != length for part in flat):
            raise Unfit("its rows differ in length")
        flat = [item for part in flat for item in part]
    whole = all(isinstance(item, int) for item in flat)
    try:
        held = array("q", flat) if whole else array("d", map(_number, flat))
    except OverflowError:
        held = array("d", map(_number, flat))
    return Dense(tuple(shape), held.typecode, held.tobytes())


def _number(item: Any) -> float:
    if isinstance(item, str | bytes):
        raise Unfit(f"it holds {item!r}, which is no number")
    try:
        return float(item)
    except OverflowError:
        return float("inf") if item > 0 else float("-inf")
    except (TypeError, ValueError):
        raise Unfit(f"it holds {type(item).__name__}, which is no number") from None
