"""The connection of a process to its clients: its sockets, and its entry in the index of live processes."""

from __future__ import annotations

import time

from helm_sdk._recorder.identity import RecorderIdentity
from helm_sdk._recorder.live import REFRESH_SECONDS, LiveFile, live_entry
from helm_sdk._recorder.sockets import Request, Sockets
from helm_sdk._shared.notice import print_notice
from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import Message


class RecorderConnection:
    """Sockets and live entry of a process.

    Without keys there are no sockets, and the app follows the files instead. It is used on the recorder's
    thread; other threads may only call `wake`.
    """

    def __init__(self, place: RecorderIdentity) -> None:
        self._place = place
        self._run_id = place.run.run_id
        self.sockets: Sockets | None = None
        if place.keys is not None:
            try:
                self.sockets = Sockets(place.keys)
            except Exception as error:
                print_notice(
                    f"Controls cannot be used, and the app reads the files instead: no sockets: {error}"
                )
        self._next_refresh = 0.0

    def enter(self) -> None:
        """Write the entry in the index of live processes."""
        sockets = self.sockets
        publish = "" if sockets is None else sockets.publish_endpoint
        request = "" if sockets is None else sockets.request_endpoint
        self._live = LiveFile(self._place.home, live_entry(self._place, publish, request))
        self._live.write(time.time())

    def wake(self) -> None:
        """End a `wait`, from any thread."""
        sockets = self.sockets  # the thread may be closing them
        if sockets is not None:
            sockets.wake()

    def wait(self, seconds: float, without: float) -> list[Request]:
        """Wait up to `seconds` for requests, and return those that came.

        Without sockets nothing can end the wait early, so that it lasts at most `without` seconds.
        """
        if self.sockets is None:
            time.sleep(min(seconds, without))
        elif self.sockets.wait(seconds):
            return self.sockets.requests()
        return []

    def refresh_keys(self) -> None:
        """Read the allow-list again. When a key was removed, the sockets get new endpoints."""
        if self.sockets is not None and self.sockets.refresh_keys():
            self.enter()

    def refresh(self, now: float) -> None:
        """Write the entry again when it is due; `now` is a monotonic time."""
        if now >= self._next_refresh:
            self._next_refresh = now + REFRESH_SECONDS
            self._live.write(time.time())

    def publish(self, message: Message) -> None:
        """Publish a message to all clients."""
        if self.sockets is not None:
            self.sockets.publish(wire.frames(self._run_id, message))

    def reply(self, route: bytes, message: Message) -> None:
        """Send a message to one client."""
        if self.sockets is not None:
            self.sockets.reply(route, wire.frames(self._run_id, message))

    def leave(self) -> None:
        """Remove the entry from the index of live processes."""
        self._live.remove()

    def close(self) -> None:
        """Close the sockets."""
        if self.sockets is not None:
            sockets, self.sockets = self.sockets, None
            sockets.close()
