"""Who is not on the allow-list gets nothing; who is and sends nonsense changes nothing."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import zmq

from helm_sdk.client import HeartbeatUpdate, LinkUpdate, RunClient
from helm_sdk.keys import Keys, keys_folder, load_keys
from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import Attach
from helm_sdk.record.run import RunFolder
from helpers.fleet import app
from helpers.scripts import helmctl
from reliability import strangers

FRAMES = 5_000
MOST_GROWTH_MB = 16.0
OPEN_KEY = """
import helm_sdk
run = helm_sdk.init("open")
run.log({"x": 1.5}, step=3)
run.finish()
print(run.folder)
"""


def send_rate(home: Path, value: float) -> subprocess.CompletedProcess[str]:
    """Steer the run from the shell."""
    return helmctl(
        "send", "latest", "set_rate", f'{{"value": {value}}}', "--wait", "--timeout", "20", home=home
    )


def test_that_a_stranger_with_the_servers_key_hears_nothing_and_is_answered_nothing(home: Path) -> None:
    public, secret = zmq.curve_keypair()
    stranger = Keys(public.decode(), secret.decode(), home)
    with strangers.steered(home) as (_, run), RunClient(run, keys=load_keys()) as friend:
        address = strangers.address_of(home, run)
        with zmq.Context() as context:
            listens = strangers.a_socket(context, zmq.SUB, address.publish, stranger, address.public_key)
            asks = strangers.a_socket(context, zmq.DEALER, address.request, stranger, address.public_key)
            monitors = [socket.get_monitor_socket() for socket in (listens, asks)]
            asks.send_multipart(wire.frames(run.run_id, Attach(request="1", process="rank-0")))
            try:
                assert all(strangers.refused(monitor) for monitor in monitors)
                strangers.poll_until(friend, HeartbeatUpdate, times=2)  # so long there was something to hear
                assert listens.poll(0) == 0
                assert asks.poll(0) == 0
            finally:
                for socket in (listens, asks):
                    socket.disable_monitor()
                for socket in (*monitors, listens, asks):
                    socket.close(linger=0)


def test_that_a_client_whose_key_is_refused_says_so(home: Path) -> None:
    public, secret = zmq.curve_keypair()
    stranger = Keys(public.decode(), secret.decode(), home)
    with strangers.steered(home) as (_, run):
        address = strangers.address_of(home, run)
        with RunClient(address, keys=stranger, files=False) as client:
            told = strangers.poll_until(client, LinkUpdate, times=2)
    states = [update.state for update in told if isinstance(update, LinkUpdate)]
    assert states == ["connecting", "key refused"]
    assert all(isinstance(update, LinkUpdate) for update in told)


def test_that_the_app_and_the_shell_say_that_a_key_is_refused(home: Path, tmp_path: Path) -> None:
    other = {"HELM_CONFIG_HOME": str(tmp_path / "other")}
    with strangers.steered(home) as (_, run), app(home, run.path, tmp_path / "held.npz", other) as collector:
        collector.says("^link rank-0 key refused$")
        sent = helmctl(
            "send", "latest", "set_rate", '{"value": 2.0}', "--wait", "--timeout", "20", home=home, env=other
        )
    assert sent.returncode != 0
    (line,) = (sent.stdout + sent.stderr).splitlines()
    assert "key" in line


def test_that_an_app_whose_key_is_refused_still_follows_what_it_may_read(home: Path, tmp_path: Path) -> None:
    other = {"HELM_CONFIG_HOME": str(tmp_path / "other")}
    with strangers.steered(home) as (_, run), app(home, run.path, tmp_path / "held.npz", other) as collector:
        collector.says("^link rank-0 key refused$")
        held = collector.wait_holds(1)
        collector.wait_holds(held + 200)


def test_that_nonsense_from_a_trusted_client_neither_stops_nor_grows_a_run(home: Path) -> None:
    with strangers.steered(home) as (script, run):
        growth = strangers.flood_in_parts(home, run, script, FRAMES)

        done = send_rate(home, 0.25)

        assert done.returncode == 0, done.stdout + done.stderr
        with RunClient(run, keys=load_keys()) as client:
            assert strangers.rate_now(client) == 0.25
        check_unharmed(script.lines)
        script.wait_for_line("^folder")
    assert growth < MOST_GROWTH_MB


def check_unharmed(lines: list[str]) -> None:
    """Nothing was raised and nothing complained of."""
    assert not [line for line in lines if "Traceback" in line or "An error in the recorder" in line], lines


def test_that_the_secret_key_is_for_its_owner_alone() -> None:
    load_keys()
    secret = keys_folder() / "helm.key_secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600


def test_that_a_secret_key_open_to_others_is_refused_in_one_sentence(home: Path) -> None:
    with strangers.steered(home):  # something to send to
        secret = keys_folder() / "helm.key_secret"
        secret.chmod(0o644)

        sent = send_rate(home, 0.5)
        run = subprocess.run([sys.executable, "-c", OPEN_KEY], capture_output=True, text=True, timeout=60)

    assert sent.returncode != 0
    (line,) = sent.stderr.splitlines()
    assert "chmod 600" in line
    assert run.returncode == 0
    (line,) = run.stderr.splitlines()
    assert "chmod 600" in line
    (reader,) = RunFolder(Path(run.stdout.splitlines()[-1])).readers()
    with reader:
        assert [(step, value) for step, value, _ in reader.points("x")] == [(3, 1.5)]
