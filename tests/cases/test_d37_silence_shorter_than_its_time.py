"""D37: a rule that waits for 5 minutes without data stays silent after 30 seconds of it."""

from __future__ import annotations

import time

import helm_sdk
from helm_sdk.client import BatchUpdate, HeartbeatUpdate, RunClient
from helm_sdk.keys import load_keys
from helm_sdk.record.run import RunFolder
from helm_sdk.rules import HoldFor, Rule, RuleEngine, state_words

FOR_SECONDS = 300.0


def test_that_thirty_seconds_without_data_do_not_fire_a_rule_for_five_minutes() -> None:
    """A real run and its sockets; the time that passes is the engine's clock, which a test can move."""
    passed = 0.0
    rule = Rule(id="r", metric="train/loss", when="no data", hold=HoldFor(seconds=FOR_SECONDS))
    engine = RuleEngine([rule], lambda: time.monotonic() + passed)
    with helm_sdk.init("p") as run:
        assert run.folder is not None
        with RunClient(RunFolder(run.folder), keys=load_keys()) as client:
            run.log({"train/loss": 1.0}, step=1)
            until = time.monotonic() + 20
            while not engine.states["r"].watches or engine.now() is None:
                assert time.monotonic() < until
                for update in client.poll(0.2):
                    if isinstance(update, BatchUpdate):
                        engine.apply(update.batch)
                    elif isinstance(update, HeartbeatUpdate):
                        engine.on_heartbeat(update.heartbeat.time)
            passed = 30.0
            engine.tick()
            assert engine.fired() == []
            passed = 250.0
            engine.tick()
            assert engine.fired() == []
            assert state_words(engine.states["r"], engine.now()).startswith("silent ")
            passed = FOR_SECONDS
            engine.tick()
            (firing,) = engine.fired()
            assert (firing.step, firing.value) == (1, None)
            run.log({"train/loss": 1.0}, step=2)
            run.flush()
            while engine.states["r"].status == "fired":
                assert time.monotonic() < until
                for update in client.poll(0.2):
                    if isinstance(update, BatchUpdate):
                        engine.apply(update.batch)
            assert engine.fired() == []
