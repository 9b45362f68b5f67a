"""Frames that no honest peer sends: random bytes, random MessagePack, and real messages gone wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgpack

from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import Message

_DEEP = b"\x91" * 3_000 + b"\x90"
_HUGE_CLAIMS = (
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
)


class Noise:
    """The same frames for the same seed."""

    def __init__(self, topic: str, kinds: Sequence[str], samples: Sequence[Message], seed: int = 7) -> None:
        self._random = random.Random(seed)
        self._topic = topic.encode()
        self._kinds = [kind.encode() for kind in kinds]
        self._samples = [wire.frames(topic, sample) for sample in samples]
        self._makers: list[Callable[[], list[bytes]]] = [
            self._bytes,
            self._body_of_bytes,
            self._body_of_anything,
            self._sample_cut,
            self._sample_changed,
            self._hostile_body,
            self._frames_missing,
        ]

    def next(self) -> list[bytes]:
        """The next message."""
        return self._random.choice(self._makers)()

    def _bytes(self) -> list[bytes]:
        return [self._any_bytes(200) for _ in range(self._random.randrange(1, 6))]

    def _body_of_bytes(self) -> list[bytes]:
        return [self._topic, self._random.choice(self._kinds), self._any_bytes(2_000)]

    def _body_of_anything(self) -> list[bytes]:
        body: bytes = msgpack.packb(self.anything(4), use_bin_type=True)
        return [self._topic, self._random.choice(self._kinds), body]

    def _sample_cut(self) -> list[bytes]:
        topic, kind, body = self._random.choice(self._samples)
        return [topic, kind, body[: self._random.randrange(len(body))]]

    def _sample_changed(self) -> list[bytes]:
        """A real message in which one field holds something else."""
        topic, kind, body = self._random.choice(self._samples)
        fields: dict[str, Any] = msgpack.unpackb(body)
        name = self._random.choice(sorted(fields))
        fields[name] = self.anything(3)
        return [topic, kind, msgpack.packb(fields, use_bin_type=True)]

    def _hostile_body(self) -> list[bytes]:
        return [
            self._topic,
            self._random.choice(self._kinds),
            self._random.choice((_DEEP, *_HUGE_CLAIMS, b"")),
        ]

    def _frames_missing(self) -> list[bytes]:
        return self._random.choice(self._samples)[: self._random.randrange(1, 3)]

    def anything(self, depth: int) -> Any:
        """Any value that MessagePack can say."""
        pick = self._random.randrange(10 if depth else 7)
        if pick == 0:
            return None
        if pick == 1:
            return self._random.random() < 0.5
        if pick == 2:
            return self._random.choice((0, -1, 1, 2**31, -(2**63), 2**63 - 1, 2**64 - 1))
        if pick == 3:
            return self._random.choice((0.0, -0.0, float("nan"), float("inf"), -1e308, 5e-324))
        if pick == 4:
            return "".join(chr(self._random.choice((0, 10, 46, 47, 65, 233, 8364, 128512))) for _ in range(8))
        if pick == 5:
            return self._any_bytes(40)
        if pick == 6:
            return ""
        if pick == 7:
            return {f"k{number}": self.anything(depth - 1) for number in range(self._random.randrange(4))}
        return [self.anything(depth - 1) for _ in range(self._random.randrange(5))]

    def _any_bytes(self, most: int) -> bytes:
        return self._random.randbytes(self._random.randrange(most))
