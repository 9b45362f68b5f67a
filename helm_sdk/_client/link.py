"""The sockets of one process of a run: subscribe, ask, and say why when it does not work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import zmq
from zmq.utils.monitor import parse_monitor_message

from helm_sdk._client.address import Address
from helm_sdk._client.losses import Losses
from helm_sdk.keys import Keys
from helm_sdk.protocol import wire
from helm_sdk.protocol.errors import WireError
from helm_sdk.protocol.messages import Message

DEFAULT_RCVHWM: Final = 4000
_REQUEST_HWM: Final = 4000
_MAX_MESSAGE_BYTES: Final = 64 << 20
_RECONNECT_MS: Final = 100
_RECONNECT_MAX_MS: Final = 2000
_DRAIN_SECONDS: Final = 0.05
_WATCHED: Final = (
    zmq.Event.HANDSHAKE_SUCCEEDED
    | zmq.Event.HANDSHAKE_FAILED_AUTH
    | zmq.Event.HANDSHAKE_FAILED_PROTOCOL
    | zmq.Event.HANDSHAKE_FAILED_NO_DETAIL
    | zmq.Event.DISCONNECTED
)

REFUSED: Final = "refused"
OPENED: Final = "opened"
CLOSED: Final = "closed"


class ProcessSockets:
    """SUB for what a process publishes, DEALER for what it is asked. Used by one thread, never blocks."""

    def __init__(
        self,
        context: zmq.Context[Any],
        address: Address,
        keys: Keys,
        *,
        rcvhwm: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.address = address
        self.losses = Losses()
        self._clock = clock
        self._published = self._socket(context, zmq.SUB, keys)
        self._published.setsockopt(zmq.RCVHWM, DEFAULT_RCVHWM if rcvhwm is None else rcvhwm)
        self._published.setsockopt(zmq.SUBSCRIBE, address.run_id.encode())
        self._requests = self._socket(context, zmq.DEALER, keys)
        self._requests.setsockopt(zmq.SNDHWM, _REQUEST_HWM)
        self._monitor = self._requests.get_monitor_socket(_WATCHED)
        try:
            self._published.connect(address.publish)
            self._requests.connect(address.request)
        except zmq.ZMQError:
            self.close()
            raise

    def sockets(self) -> list[zmq.Socket[Any]]:
        """Everything that may become readable."""
        return [self._published, self._requests, self._monitor]

    def published(self) -> Iterator[tuple[Message, int]]:
        """(message, bytes) of all that has come, until nothing is left; what does not fit is counted."""
        return self._drain(self._published, wire.read_published)

    def replies(self) -> Iterator[tuple[Message, int]]:
        """(reply, bytes) of all that was answered."""
        return self._drain(self._requests, wire.read_reply)

    def changes(self) -> list[str]:
        """Return what became of the connection since the last call: OPENED, CLOSED or REFUSED."""
        found = []
        while parts := _receive(self._monitor):
            event = parse_monitor_message(parts)["event"]
            if event == zmq.Event.HANDSHAKE_SUCCEEDED:
                found.append(OPENED)
            elif event == zmq.Event.DISCONNECTED:
                found.append(CLOSED)
            elif event == zmq.Event.HANDSHAKE_FAILED_AUTH:
                found.append(REFUSED)
        return found

    def send(self, request: Message) -> bool:
        """Send a request; False when the queue is full. Raises WireError for what cannot be packed."""
        parts = wire.frames(self.address.run_id, request)
        try:
            self._requests.send_multipart(parts, zmq.NOBLOCK)
        except zmq.Again:
            return False
        return True

    def close(self) -> None:
        """Close at once; nothing waits to be sent."""
        self._requests.disable_monitor()
        for socket in (self._published, self._requests, self._monitor):
            socket.close(linger=0)

    def _socket(self, context: zmq.Context[Any], kind: int, keys: Keys) -> zmq.Socket[Any]:
        socket: zmq.Socket[Any] = context.socket(kind)
        try:
            socket.setsockopt(zmq.LINGER, 0)
            socket.setsockopt(zmq.MAXMSGSIZE, _MAX_MESSAGE_BYTES)
            socket.setsockopt(zmq.RECONNECT_IVL, _RECONNECT_MS)
            socket.setsockopt(zmq.RECONNECT_IVL_MAX, _RECONNECT_MAX_MS)
            socket.setsockopt(zmq.CURVE_PUBLICKEY, keys.public.encode())
            socket.setsockopt(zmq.CURVE_SECRETKEY, keys.secret.encode())
            socket.setsockopt(zmq.CURVE_SERVERKEY, self.address.public_key.encode())
        except BaseException:
            socket.close(linger=0)
            raise
        return socket

    def _drain(
        self, socket: zmq.Socket[Any], read: Callable[[list[bytes]], tuple[str, Message] | None]
    ) -> Iterator[tuple[Message, int]]:
        until = self._clock() + _DRAIN_SECONDS  # a firehose must not keep the caller for ever
        while parts := _receive(socket):
            try:
                heard = read(parts)
            except WireError:
                self.losses.malformed += 1
                heard = None
            else:
                if heard is None:
                    self.losses.unknown += 1
                elif heard[0] != self.address.run_id:
                    self.losses.malformed += 1
                else:
                    yield heard[1], len(parts[2])
            if self._clock() > until:
                return


def _receive(socket: zmq.Socket[Any]) -> list[bytes] | None:
    try:
        return socket.recv_multipart(zmq.NOBLOCK)
    except zmq.Again:
        return None
