"""What must reach the app whatever happens to it: short in `make test`, at full length in `make soak`."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass
from pathlib import Path

from helpers.fleet import Collector, Fleet, address_client, app, fleet, tell

PROCESSES = 4


@dataclass(frozen=True)
class Size:
    """How much of it: points a process, how many a second, and how long the app is stopped."""

    points: int
    rate: int
    stopped_seconds: float

    @property
    def half(self) -> int:
        """Where the second part begins."""
        return self.points // 2

    @property
    def patience(self) -> float:
        """How long to wait for what must come."""
        return 60 + self.points / self.rate


def all_arrive(fleet: Fleet, collector: Collector, size: Size) -> None:
    """The collector comes to hold every point of every process, bit for bit, and not one more."""
    collector.wait_holds(PROCESSES * size.points, size.patience)
    fleet.expect(collector.dump(), size.points)


def app_from_the_start(home: Path, out: Path, size: Size) -> None:
    """An app that is open before the first point."""
    with fleet(home, PROCESSES) as run, app(home, run.folder, out) as collector:
        run.log(0, size.points, size.rate)
        run.wait_logged(size.points, size.patience)
        all_arrive(run, collector, size)
        run.finish()
        collector.says(r"^state finished$")


def app_killed_and_started_anew(home: Path, out: Path, size: Size) -> None:
    """An app that comes halfway, dies while points come, and is opened again."""
    with fleet(home, PROCESSES) as run:
        run.log(0, size.half, size.rate)
        run.wait_logged(size.half, size.patience)
        with app(home, run.folder, out) as first:
            run.log(size.half, size.points, size.rate)
            first.wait_holds(PROCESSES * size.half + 1, size.patience)
            first.script.kill(signal.SIGKILL)
        with app(home, run.folder, out) as second:
            run.wait_logged(size.points, size.patience)
            all_arrive(run, second, size)
            run.finish()


def app_stopped_for_a_while(home: Path, out: Path, size: Size) -> None:
    """An app that is stopped while far more is published than any queue holds."""
    with (
        fleet(home, PROCESSES, {"HELM_RUN_HWM": "10"}) as run,
        app(home, run.folder, out) as collector,
    ):
        run.log(0, size.half, size.rate)
        collector.wait_holds(PROCESSES * size.half // 2, size.patience)
        _stop_while_it_logs(run, collector, size)
        all_arrive(run, collector, size)
        collector.says(r"^losses [1-9]")  # the user is told
        run.finish()
        collector.says(r"^state finished$")


def client_without_files(home: Path, out: Path, size: Size) -> None:
    """A client told an address and a key alone, which comes halfway and is stopped as well."""
    with fleet(home, PROCESSES, {"HELM_RUN_HWM": "10"}) as run:
        run.log(0, size.half, size.rate)
        run.wait_logged(size.half, size.patience)
        told = run.addresses(out.with_suffix(".json"))
        with address_client(home, told, out, rcvhwm=10) as collector:
            collector.wait_holds(1, size.patience)
            _stop_while_it_logs(run, collector, size)
            all_arrive(run, collector, size)
            missing, repaired = collector.losses
            assert missing > 0
            assert repaired == missing
        run.finish()


def _stop_while_it_logs(run: Fleet, collector: Collector, size: Size) -> None:
    """SIGSTOP; then the second half, and more bytes than the kernel keeps; then SIGCONT."""
    collector.script.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    try:
        tell(run.writers["rank-0"], f"ballast {_more_than_the_kernel_keeps()}")
        run.writers["rank-0"].wait_for_line("^ballasted$")
        run.log(size.half, size.points, size.rate)
        run.wait_logged(size.points, size.patience)
        time.sleep(max(0.0, began + size.stopped_seconds - time.monotonic()))
    finally:
        collector.script.process.send_signal(signal.SIGCONT)


def _more_than_the_kernel_keeps() -> int:
    """Messages of 60 KB that fill what both ends of a connection may buffer, and more."""
    kept = 0
    for name in ("tcp_rmem", "tcp_wmem"):
        limits = Path("/proc/sys/net/ipv4") / name
        kept += int(limits.read_text().split()[2]) if limits.exists() else 8 << 20
    return 100 + kept * 3 // 2 // 60_000
