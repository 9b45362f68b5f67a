"""The sockets of a process: PUB for batches, ROUTER for requests, and ZAP, which checks keys for both."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from socket import socketpair

import zmq

from helm_sdk.keys import AllowList, Keys

DEFAULT_HWM = 512  # messages of at most 64 KB that wait for one slow reader: 32 MB
_REQUEST_BYTES = 1 << 20
_REPLIES_WAITING = 16
_LINGER_MS = 700
_DOMAIN = b"helm"
_ZAP_ENDPOINT = "inproc://zeromq.zap.01"


@dataclass(frozen=True)
class Request:
    """A request on ROUTER: the sender's key and name by ZAP, the route of the reply, and the frames."""

    route: bytes
    key: str
    name: str
    frames: list[bytes]


class Sockets:
    """Sockets on free ports of this host, used on the recorder's thread; keys are checked from the start."""

    def __init__(self, keys: Keys, hwm: int | None = None) -> None:
        self.allowed = AllowList(keys)
        self._keys = keys
        self._hwm = hwm if hwm is not None else hwm_setting()
        self.refused_keys = 0
        self.unsent = 0
        self._woken, self._waker = socketpair()
        for end in (self._woken, self._waker):
            end.setblocking(False)
        self._context = zmq.Context()
        try:
            self._zap = self._context.socket(zmq.REP)
            self._zap.linger = 0
            self._zap.bind(_ZAP_ENDPOINT)
            self._open()
        except BaseException:
            self._context.destroy(linger=0)
            raise

    def refresh_keys(self) -> bool:
        """Read the allow-list again. When a key was removed, bind new sockets and return True.

        ZeroMQ checks a key only when a client connects, so that every client has to connect again.
        """
        if not self.allowed.refresh():
            return False
        for socket in (self._publisher, self._router):
            socket.close(linger=0)
        self._open()
        return True

    def wait(self, timeout_s: float) -> bool:
        """Check keys of new connections; return True when a request came within the timeout."""
        ready = dict(self._poller.poll(max(0, round(timeout_s * 1000))))
        if self._zap in ready:
            self._answer_zap()
        if self._woken.fileno() in ready:
            with suppress(OSError):
                self._woken.recv(4096)
        return self._router in ready

    def wake(self) -> None:
        """End a `wait`, from any thread."""
        with suppress(OSError):  # a full pipe wakes as well
            self._waker.send(b"\0")

    def requests(self, limit: int = 64) -> list[Request]:
        """Return up to `limit` requests that have come."""
        found: list[Request] = []
        while len(found) < limit:
            try:
                parts = self._router.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.ZMQError:
                break
            key = _user_of(parts[-1])
            name = self.allowed.name_of(key)
            if name is not None:
                found.append(Request(parts[0].bytes, key, name, [part.bytes for part in parts[1:]]))
        return found

    def publish(self, frames: Sequence[bytes]) -> None:
        """Publish a message. A full queue drops it, and the client repairs the gap from history."""
        try:
            self._publisher.send_multipart(frames, zmq.NOBLOCK)
        except zmq.ZMQError:
            self.unsent += 1

    def reply(self, route: bytes, frames: Sequence[bytes]) -> None:
        """Send a message to one client; one that reads too slowly misses it and has to ask again."""
        try:
            self._router.send_multipart([route, *frames], zmq.NOBLOCK)
        except zmq.ZMQError:
            self.unsent += 1

    def close(self) -> None:
        """Close within a second, whatever a client does."""
        self._context.destroy(linger=_LINGER_MS)
        self._woken.close()
        self._waker.close()

    def _open(self) -> None:
        self._publisher = self._server_socket(zmq.PUB)
        self._publisher.sndhwm = self._hwm
        self._router = self._server_socket(zmq.ROUTER)
        self._router.sndhwm = _REPLIES_WAITING
        self._router.maxmsgsize = _REQUEST_BYTES
        self._router.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self.publish_endpoint = _bind(self._publisher)
        self.request_endpoint = _bind(self._router)
        self._poller = zmq.Poller()
        self._poller.register(self._zap, zmq.POLLIN)
        self._poller.register(self._router, zmq.POLLIN)
        self._poller.register(self._woken, zmq.POLLIN)

    def _server_socket(self, kind: int) -> zmq.Socket[bytes]:
        socket: zmq.Socket[bytes] = self._context.socket(kind)
        socket.linger = _LINGER_MS
        socket.curve_server = True
        socket.curve_secretkey = self._keys.secret.encode()
        socket.curve_publickey = self._keys.public.encode()
        socket.zap_domain = _DOMAIN
        return socket

    def _answer_zap(self) -> None:
        while True:
            try:
                parts = self._zap.recv_multipart(zmq.NOBLOCK)
            except zmq.ZMQError:
                return
            version, number = (parts[0], parts[1]) if len(parts) > 1 else (b"1.0", b"")
            name: str | None = None
            user = b""
            if len(parts) == 7 and version == b"1.0" and parts[5] == b"CURVE" and len(parts[6]) == 32:
                user = zmq.utils.z85.encode(parts[6])
                name = self.allowed.name_of(user.decode())
            if name is None:
                self.refused_keys += 1
                reply = [version, number, b"400", b"this key is not on the allow-list", b"", b""]
            else:
                reply = [version, number, b"200", b"OK", user, b""]
            self._zap.send_multipart(reply)


def hwm_setting() -> int:
    """Return HELM_RUN_HWM: how many messages wait for a slow client before it misses some."""
    try:
        return max(1, int(os.environ.get("HELM_RUN_HWM", "")))
    except ValueError:
        return DEFAULT_HWM


def _bind(socket: zmq.Socket[bytes]) -> str:
    socket.bind("tcp://127.0.0.1:*")
    endpoint = socket.getsockopt(zmq.LAST_ENDPOINT)
    return endpoint.decode().rstrip("\0") if isinstance(endpoint, bytes) else str(endpoint)


def _user_of(frame: zmq.Frame) -> str:
    try:
        return str(frame.get("User-Id"))
    except zmq.ZMQError:
        return ""
