"""Connections that break off, and runs that fall silent or are resumed, lose nothing and need no restart."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from helm_sdk.record.run import RunFolder
from helpers.cable import Cable
from helpers.fleet import Collector, Fleet, address_client, app, fleet
from helpers.scripts import start

CUTS = 5
EACH = 1_000


@pytest.fixture
def pulled(home: Path, tmp_path: Path) -> Iterator[tuple[Fleet, Collector, list[Cable]]]:
    """A client without files whose connections to two processes can be cut."""
    with ExitStack() as stack:
        run = stack.enter_context(fleet(home, 2))
        told = json.loads(run.addresses(tmp_path / "direct.json").read_text())
        cables = []
        for address in told:
            for name in ("publish", "request"):
                cable = stack.enter_context(Cable(address[name]))
                address[name] = cable.endpoint
                cables.append(cable)
        addresses = tmp_path / "cables.json"
        addresses.write_text(json.dumps(told))
        collector = stack.enter_context(address_client(home, addresses, tmp_path / "held.npz"))
        yield run, collector, cables


def test_that_broken_connections_are_made_again_and_nothing_is_lost(
    pulled: tuple[Fleet, Collector, list[Cable]],
) -> None:
    run, collector, cables = pulled
    for number in range(CUTS):
        run.log(number * EACH, (number + 1) * EACH, 4_000)
        collector.wait_holds(number * EACH * 2 + 1)
        for cable in cables if number % 2 else cables[:1]:
            cable.cut()
        run.wait_logged((number + 1) * EACH)
        collector.wait_holds((number + 1) * EACH * 2)
    run.expect(collector.dump(), CUTS * EACH)
    assert min(cable.connections for cable in cables) > 1


def test_that_an_open_app_has_every_point_of_a_run_that_is_killed_and_resumed(
    home: Path, tmp_path: Path
) -> None:
    script = """
import sys, time, helm_sdk
run = helm_sdk.init("resumed", resume=sys.argv[1] or None)
print("folder", run.folder, flush=True)
for step in range(int(sys.argv[2]), 10**9):
    run.log({"points": step / 8}, step=step)
    time.sleep(0.001)
"""
    running = start(_with(script, "", 0), home=home)
    folder = Path(running.wait_for_line(r"^folder (.+)$")[1])
    with app(home, folder, tmp_path / "held.npz") as collector:
        held = 0
        for attempt in (1, 2, 3):
            held = collector.wait_holds(held + 500)
            running.kill(signal.SIGKILL)
            if attempt < 3:
                running = start(_with(script, folder.name, 400 * attempt), home=home)
        collector.says("^state killed$")
        on_disk = _points(folder)
        collector.wait_holds(sum(map(len, on_disk.values())))
        found = {each.attempt: each for each in collector.dump()}
    assert found.keys() == on_disk.keys() == {1, 2, 3}
    for attempt, points in on_disk.items():
        np.testing.assert_array_equal(found[attempt].steps, [step for step, _ in points])
        np.testing.assert_array_equal(found[attempt].bits, np.array([v for _, v in points]).view(np.uint64))


def _with(script: str, run_id: str, first: int) -> str:
    return f"import sys\nsys.argv[1:] = [{run_id!r}, {str(first)!r}]\n" + script


def _points(folder: Path) -> dict[int, list[tuple[int, float]]]:
    found = {}
    for reader in RunFolder(folder).readers():
        with reader:
            found[reader.record.attempt] = [(step, value) for step, value, _ in reader.points("points")]
    return found
