"""Pictures: arrays, PIL images, PNG and JPEG."""

from __future__ import annotations

import io
import math
from functools import partial
from typing import Any

from helm_sdk._media.dense import Dense, dense, numpy_or_none
from helm_sdk._media.png import encode_png, picture_kind, picture_size
from helm_sdk._media.prepared import Encoded, Prepared, Unfit, check_size, counted, file_bytes

_LONGEST_SIDE = 1 << 16


def prepare_image(value: Any, *, caption: str = "", layout: str = "hwc") -> Prepared:
    """Return a copy of a picture. Raises Unfit when its shape or type is none of those taken."""
    if layout not in ("hwc", "chw"):
        raise Unfit(f'layout is "hwc" or "chw", not {layout!r}')
    message = {"caption": str(caption)} if caption else {}
    data = file_bytes(value)
    if data is not None:
        kind = picture_kind(data)
        size = picture_size(data) if kind in ("png", "jpeg") else None
        if size is None:
            raise Unfit("its bytes are neither PNG nor JPEG")
        body = {**message, "shape": [size[1], size[0]]}
        return Prepared(len(data), lambda: Encoded([("jpg" if kind == "jpeg" else "png", data)], body))
    if hasattr(value, "getbands") and hasattr(value, "save"):
        return _of_pil(value, message)
    array = dense(value)
    height, width, channels = _sides(array.shape, layout)
    return Prepared(array.size, partial(_encode, array, (height, width, channels), layout, message))


def _of_pil(value: Any, said: dict[str, Any]) -> Prepared:
    width, height = value.size
    bands = len(value.getbands())
    check_size(width * height * bands)
    held = value.copy()

    def encode() -> Encoded:
        plain = held if held.mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16") else held.convert("RGB")
        stream = io.BytesIO()
        plain.save(stream, "PNG")
        return Encoded([("png", stream.getvalue())], {**said, "shape": [height, width, bands]})

    return Prepared(width * height * bands, encode)


def _sides(shape: tuple[int, ...], layout: str) -> tuple[int, int, int]:
    sides = shape if len(shape) != 3 or layout == "hwc" else (*shape[1:], shape[0])
    if len(sides) == 2:
        sides = (*sides, 1)
    if len(sides) != 3 or sides[2] not in (1, 3, 4):
        hint = (
            ', or hand in layout="chw"'
            if len(shape) == 3 and layout == "hwc" and shape[0] in (1, 3, 4)
            else ""
        )
        raise Unfit(f"its shape is {_shape_text(shape)}, a picture has H×W, H×W×1, H×W×3 or H×W×4{hint}")
    if not 0 < min(sides) <= max(sides) <= _LONGEST_SIDE:
        raise Unfit(f"its shape is {_shape_text(shape)}, a picture has 1 to {_LONGEST_SIDE:,} pixels a side")
    return sides[0], sides[1], sides[2]


def _shape_text(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape)) or "that of a single number"


def _encode(array: Dense, sides: tuple[int, int, int], layout: str, said: dict[str, Any]) -> Encoded:
    height, width, channels = sides
    data, odd, cut = eight_bits(array)
    if layout == "chw" and channels > 1:
        woven = bytearray(len(data))
        for channel in range(channels):
            woven[channel::channels] = data[channel * height * width : (channel + 1) * height * width]
        data = bytes(woven)
    notes = {}
    if odd:
        notes["odd"] = f"{counted(odd, 'value')} NaN or infinite"
    if cut:
        notes["cut"] = f"{counted(cut, 'value')} outside {'0 to 1' if array.floating else '0 to 255'} and cut"
    body = {
        **said,
        "shape": list(sides),
        **({"non_finite": odd} if odd else {}),
        **({"cut": cut} if cut else {}),
    }
    return Encoded([("png", encode_png(width, height, channels, data))], body, notes)


def eight_bits(array: Dense) -> tuple[bytes, int, int]:
    """(a byte for each value, how many were not finite, how many were cut)."""
    if array.code == "B":
        return array.data(), 0, 0
    if array.code == "?":
        return array.data().translate(bytes([0]) + bytes([255]) * 255), 0, 0
    numpy = numpy_or_none()
    values = array.numbers()
    top = 1.0 if array.floating else 255
    if numpy is not None:
        finite = numpy.isfinite(values)
        odd = int(values.size - numpy.count_nonzero(finite))
        slack = 1e-3 if array.floating else 0
        cut = int(numpy.count_nonzero(finite & ((values < -slack) | (values > top + slack))))
        clipped = numpy.clip(numpy.nan_to_num(values, nan=0.0) if odd else values, 0, top)
        whole = numpy.rint(clipped * 255.0) if array.floating else clipped
        return whole.astype("u1").tobytes(), odd, cut
    return _eight_bits_plainly(values, array.floating)


def _eight_bits_plainly(values: Any, floating: bool) -> tuple[bytes, int, int]:
    top, slack = (1.0, 1e-3) if floating else (255, 0)
    out = bytearray(len(values))
    odd = cut = 0
    for place, value in enumerate(values):
        if not math.isfinite(value):
            odd += 1
            value = 0.0 if value != value or value < 0 else top
        elif not -slack <= value <= top + slack:
            cut += 1
        kept = min(max(value, 0), top)
        out[place] = round(kept * 255.0) if floating else int(kept)
    return bytes(out), odd, cut
