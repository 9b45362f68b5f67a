"""How long a command has waited, and how often its safe point is reached."""

from helm_desktop import format as fmt
from helm_sdk.protocol import commands
from helm_sdk.protocol.history import CommandRecord
from helm_sdk.protocol.messages import Heartbeat, SafePointRate


class SafePointRates:
    """The safe points of all processes, by the clock of the run: the clock of this machine may differ."""

    def __init__(self) -> None:
        self._now: dict[str, float] = {}
        self._points: dict[tuple[str, str], SafePointRate] = {}

    def on_heartbeat(self, heartbeat: Heartbeat) -> None:
        """Store the time and the safe points of one process."""
        self._now[heartbeat.process] = heartbeat.time
        for point in heartbeat.safe_points:
            self._points[heartbeat.process, point.name] = point

    def text(self, record: CommandRecord, *, paused: bool = False) -> str:
        """Return a text such as "2.1 s, comes every 0.4 s"; empty for a command that does not wait."""
        now = self._now.get(record.process)
        if not record.open or now is None:
            return ""
        requested = record.track[-1].time
        waited = now - requested
        parts = [seconds_text(waited)] if waited >= 0.05 else []
        point = self._points.get((record.process, record.safe_point))
        if record.state == commands.WAITING and point is not None and not paused:
            every = point.seconds
            parts.append(f"comes every {seconds_text(every)}" if every is not None else "has come once")
        elif record.state == commands.WAITING and not paused and record.safe_point:
            parts.append("has not come yet")
        command = record.began.body
        if command.expires_step is not None:
            parts.append(f"expires at step {fmt.step(command.expires_step)}")
        if command.expires_at is not None and command.expires_at > now:
            parts.append(f"expires in {seconds_text(command.expires_at - now)}")
        return ", ".join(parts)


def seconds_text(seconds: float) -> str:
    """Return a duration as "20 ms", "0.4 s", "2.1 s" or "1 min 10 s"."""
    if seconds < 0.1:
        return f"{max(1, round(seconds * 1000))} ms"
    return f"{seconds:.1f} s" if seconds < 59.95 else fmt.duration(seconds)
