"""How long a request has waited, for which safe point, and how often that comes by."""

from helm_desktop import format as fmt
from helm_sdk.protocol import commands
from helm_sdk.protocol.history import CommandRecord
from helm_sdk.protocol.messages import Heartbeat, SafePointRate


class SafePointRates:
    """By the run's own clock, so that two machines need not agree on the time."""

    def __init__(self) -> None:
        self._now: dict[str, float] = {}
        self._points: dict[tuple[str, str], SafePointRate] = {}

    def on_heartbeat(self, heartbeat: Heartbeat) -> None:
        """A sign of life of one process."""
        self._now[heartbeat.process] = heartbeat.time
        for point in heartbeat.safe_points:
            self._points[heartbeat.process, point.name] = point

    def text(self, record: CommandRecord, *, paused: bool = False) -> str:
        """ "2.1 s, comes every 0.4 s"; nothing for a request that does not wait, or has only just come."""
        now = self._now.get(record.process)
        if not record.open or now is None:
            return ""
        requested = record.track[-1].time
        waited = now - requested
        parts = [seconds_words(waited)] if waited >= 0.05 else []
        point = self._points.get((record.process, record.safe_point))
        if record.state == commands.WAITING and point is not None and not paused:
            every = point.seconds
            parts.append(f"comes every {seconds_words(every)}" if every is not None else "has come once")
        elif record.state == commands.WAITING and not paused and record.safe_point:
            parts.append("has not come yet")
        asked_for = record.began.body
        if asked_for.expires_step is not None:
            parts.append(f"expires at step {fmt.step(asked_for.expires_step)}")
        if asked_for.expires_at is not None and asked_for.expires_at > now:
            parts.append(f"expires in {seconds_words(asked_for.expires_at - now)}")
        return ", ".join(parts)


def seconds_words(seconds: float) -> str:
    """20 ms, 0.4 s, 2.1 s, 1 min 10 s."""
    if seconds < 0.1:
        return f"{max(1, round(seconds * 1000))} ms"
    return f"{seconds:.1f} s" if seconds < 59.95 else fmt.duration(seconds)
