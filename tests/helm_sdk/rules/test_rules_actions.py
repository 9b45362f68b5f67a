"""What is done when a rule fires: real programs, a real server on loopback, budgets."""

from __future__ import annotations

import json
import math
import queue
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helm_sdk.protocol.messages import Command
from helm_sdk.rules import Notify, Program, Rule, Send, Webhook
from helm_sdk.rules.actions import ActionResult, ActionRunner, RunFacts
from helm_sdk.rules.budget import Budget
from helm_sdk.rules.firing import Firing
from helm_sdk.rules.offers import offers
from helm_sdk.rules.spec import Action, problem_of
from helm_sdk.rules.store import read_fired, read_rules, record_firing, rules_path, used, write_rules
from helpers.hooks import listening


def firing(*then: Action, step: int = 37, value: float | None = math.nan) -> Firing:
    """The rule of the drawing fires at a step."""
    rule = Rule(id="r", name="Loss is not finite", metric="train/loss", when="not finite", then=then)
    return Firing(rule, "rank-0", 1, step, 12.0, ("train/loss",), value)


class Desk:
    """Collects what an actor sends, says and tells."""

    def __init__(self, folder: Path, **more: Any) -> None:
        self.sent: list[tuple[Command, str]] = []
        self.notes: list[tuple[str, str, bool]] = []
        self.done: queue.Queue[ActionResult] = queue.Queue()
        facts = RunFacts("20260101-000000-abcdef", "quickstart", "p", folder)
        self.actor = ActionRunner(
            facts,
            self._send,
            lambda *note: self.notes.append(note),
            self.done.put,
            **more,
        )

    def _send(self, command: Command, via: str, settled: Callable[[str], None]) -> None:
        self.sent.append((command, via))
        settled("")

    def result(self) -> ActionResult:
        """The next that was told."""
        return self.done.get(timeout=20)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """One whose threads end."""
    made = Desk(tmp_path)
    yield made
    made.actor.close()


def test_that_a_program_learns_what_happened(desk: Desk, tmp_path: Path) -> None:
    code = "import os; print(os.environ['HELM_RULE_TEXT'], os.environ['HELM_RULE_FOLDER'])"
    desk.actor.act(firing(Program(command=(sys.executable, "-c", code))))
    done = desk.result()
    assert done.ok, done.text
    assert f"train/loss is nan at step 37 {tmp_path}" in done.text


def test_that_a_program_that_fails_or_hangs_is_told_and_ended(desk: Desk) -> None:
    desk.actor.act(firing(Program(command=(sys.executable, "-c", "import sys; print('no'); sys.exit(3)"))))
    assert desk.result().text.endswith("exit 3: no")
    hang = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    desk.actor.act(firing(Program(command=(sys.executable, "-c", hang), timeout_s=1.0)))
    done = desk.result()
    assert not done.ok
    assert "longer than 1 s" in done.text
    desk.actor.act(firing(Program(command=("/no/such/program",))))
    assert "No such file" in desk.result().text


def test_that_a_webhook_is_called(desk: Desk) -> None:
    with listening() as (url, bodies):
        desk.actor.act(firing(Webhook(url=url)))
        assert desk.result().ok
        desk.actor.act(firing(Webhook(url=f"{url}/broken")))
        assert "500" in desk.result().text
    assert (bodies[0]["rule"], bodies[0]["value"], bodies[0]["step"]) == ("Loss is not finite", "nan", 37)


def test_that_what_is_not_wanted_is_left_out_and_said(tmp_path: Path) -> None:
    desk = Desk(tmp_path, refuses=lambda action: "not done: no" if isinstance(action, Program) else "")
    marker = tmp_path / "ran"
    touch = f"import pathlib; pathlib.Path({str(marker)!r}).touch()"
    desk.actor.act(firing(Program(command=(sys.executable, "-c", touch)), Send(control="lr")))
    done = [desk.result(), desk.result()]
    assert [(one.ok, one.text) for one in done] == [(False, "not done: no"), (True, "sent lr")]
    assert not marker.exists()


def test_that_a_notification_is_not_repeated_at_once(desk: Desk) -> None:
    for step in (37, 38):
        desk.actor.act(firing(Notify(beep=True), step=step))
    assert desk.notes == [("Loss is not finite · quickstart", "train/loss is nan at step 37", True)]
    assert [desk.result().ok, desk.result().ok] == [True, False]


def test_that_a_command_says_which_rule_sent_it_and_has_the_same_id_everywhere(
    desk: Desk, tmp_path: Path
) -> None:
    other = Desk(tmp_path)
    action = Send(control="pause", input={})
    for one in (desk, other):
        one.actor.act(firing(action))
    other.actor.close()
    (command, via), (again, _) = desk.sent[0], other.sent[0]
    assert via == "rule Loss is not finite"
    assert command.reason == "rule Loss is not finite: train/loss is nan at step 37"
    assert command.id == again.id
    desk.actor.act(firing(action, step=38))
    assert len(desk.sent) == 1
    desk.result()
    assert "rests 60 s" in desk.result().text


def test_that_a_budget_holds_over_a_restart(tmp_path: Path) -> None:
    now = 0.0
    action = Send(control="lr", input={"scale": 0.5}, budget=2, per_s=3600.0, cool_down_s=0.0)
    first = Desk(tmp_path, clock=lambda: now)
    first.actor.act(firing(action))
    record_firing(tmp_path, firing(action), (first.result(),))
    second = Desk(tmp_path, clock=lambda: now, used=used(read_fired(tmp_path)))
    for step in (38, 39):
        second.actor.act(firing(action, step=step))
    assert len(second.sent) == 1
    now = 3700.0
    second.actor.act(firing(action, step=40))
    assert len(second.sent) == 2
    first.actor.close()
    second.actor.close()


@given(
    st.lists(st.floats(0.0, 400.0), max_size=60),
    st.integers(1, 5),
    st.floats(1.0, 1000.0),
    st.floats(0.0, 200.0),
    st.lists(st.floats(0.0, 2000.0), max_size=5),
)
def test_that_no_budget_is_ever_exceeded(
    gaps: list[float], budget: int, per_s: float, cool_down_s: float, ago: list[float]
) -> None:
    now = 10_000.0
    action = Send(control="lr", budget=budget, per_s=per_s, cool_down_s=cool_down_s)
    one = Budget(action, ago, lambda: now)
    taken: list[float] = []
    for gap in gaps:
        now += gap
        if not one.use():
            taken.append(now)
    assert all(later - earlier >= cool_down_s for earlier, later in pairwise(taken))
    before = [10_000.0 - past for past in ago]
    for at in taken:
        assert sum(at - per_s < other <= at for other in (*taken, *before)) <= max(budget, 1) + len(
            [past for past in before if at - per_s < past]
        )
        fresh = [other for other in taken if at - per_s < other <= at]
        assert len(fresh) <= budget


def test_that_what_fired_is_kept_once_with_all_that_came_of_it(tmp_path: Path) -> None:
    fired = firing(Notify())
    record_firing(tmp_path, fired)
    record_firing(tmp_path, fired, (ActionResult(fired, Notify(), True, "told"),))
    record_firing(tmp_path, firing(Notify(), step=38))
    records = read_fired(tmp_path)
    assert [(record.step, len(record.done)) for record in records] == [(37, 1), (38, 0)]
    assert records[0].text == "train/loss is nan at step 37"


def test_that_rules_are_kept_by_project() -> None:
    rules = (
        Rule(id="a", metric="x", when="above", value=1.5, then=(Send(control="lr", input={"scale": "0.5"}),)),
        Rule(
            id="b", metric="y*", when="not finite", then=(Program(command=("true",)), Webhook(url="http://h"))
        ),
    )
    path = rules_path("my project")
    assert read_rules(path) == ()
    write_rules(path, rules)
    assert read_rules(path) == rules
    assert json.loads(path.read_text())["rules"][1]["then"][0]["do"] == "run"


def test_that_offers_fit_what_a_run_logs() -> None:
    named = [
        "train/loss",
        "system/gpu0/utilization_percent",
        "system/disk_free_bytes",
    ]
    made = offers(named)
    assert [rule.name for rule in made] == [
        "Loss is not finite",
        "Divergence",
        "Plateau",
        "No data",
        "GPU idle",
        "Disk filling",
    ]
    assert not any(problem_of(rule) for rule in made)
    assert [rule.name for rule in offers(["a"])] == ["No data"]
    assert offers([]) == []
