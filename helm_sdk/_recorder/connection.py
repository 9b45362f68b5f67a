"""How others reach a process: its sockets, where it has any, and its entry in the index of live runs."""

from __future__ import annotations

import time

from helm_sdk._recorder.identity import RecorderIdentity
from helm_sdk._recorder.live import REFRESH_SECONDS, LiveFile, live_entry
from helm_sdk._recorder.sockets import Request, Sockets
from helm_sdk._shared.notice import print_notice
from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import Message


class RecorderConnection:
    """Without keys or sockets every call does nothing: the app reads the files then.

    Belongs to the recorder's thread; others may only call `wake`.
    """

    def __init__(self, place: RecorderIdentity) -> None:
        self._place = place
        self._run_id = place.run.run_id
        self.sockets: Sockets | None = None
        if place.keys is not None:
            try:
                self.sockets = Sockets(place.keys)
            except Exception as error:
                print_notice(f"no sockets, so the app reads the files and controls cannot be used: {error}")
        self._next_refresh = 0.0

    def enter(self) -> None:
        """Write the entry in the index of live runs."""
        sockets = self.sockets
        publish = "" if sockets is None else sockets.publish_endpoint
        request = "" if sockets is None else sockets.request_endpoint
        self._live = LiveFile(self._place.home, live_entry(self._place, publish, request))
        self._live.write(time.time())

    def wake(self) -> None:
        """End a `wait`, from any thread."""
        sockets = self.sockets  # the thread may be letting go of them
        if sockets is not None:
            sockets.wake()

    def wait(self, seconds: float, without: float) -> list[Request]:
        """Wait for requests, and return those that came.

        Without sockets nothing ends the wait, which lasts `without` seconds at most then.
        """
        if self.sockets is None:
            time.sleep(min(seconds, without))
        elif self.sockets.wait(seconds):
            return self.sockets.requests()
        return []

    def readmit(self) -> None:
        """Read the allow-list again; where a key was taken off it the endpoints are new ones."""
        if self.sockets is not None and self.sockets.readmit():
            self.enter()

    def refresh(self, now: float) -> None:
        """Write the entry again when that is due."""
        if now >= self._next_refresh:
            self._next_refresh = now + REFRESH_SECONDS
            self._live.write(time.time())

    def publish(self, message: Message) -> None:
        """Hand a message to whoever listens."""
        if self.sockets is not None:
            self.sockets.publish(wire.frames(self._run_id, message))

    def reply(self, route: bytes, message: Message) -> None:
        """Answer one client."""
        if self.sockets is not None:
            self.sockets.reply(route, wire.frames(self._run_id, message))

    def leave(self) -> None:
        """Take the entry out of the index of live runs."""
        self._live.remove()

    def close(self) -> None:
        """Close the sockets."""
        if self.sockets is not None:
            sockets, self.sockets = self.sockets, None
            sockets.close()
