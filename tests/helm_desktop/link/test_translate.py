"""Updates made of what the client counts and the folder holds."""

from __future__ import annotations

from pathlib import Path

import helm_sdk
from helm_desktop.link.translate import about, losses_of
from helm_desktop.model.run.updates import LossUpdate
from helm_sdk.client import LinkUpdate, RunClient
from helm_sdk.record.runs import find_run
from helpers.fake_run import FakeRun, make_keys
from helpers.follow import follow, reach


def test_that_losses_are_told_of_the_process_that_sent_them() -> None:
    keys = make_keys()
    with FakeRun(keys.public) as run, RunClient(run.address, keys=keys, page_seconds=0.3) as client:
        told = follow(
            client,
            lambda told: any(isinstance(one, LinkUpdate) and one.state == "attached" for one in told),
            run,
        )
        run.write(3)
        follow(client, lambda told: reach(told) == 3, run, seen=told)
        assert losses_of(client) == LossUpdate(0, 0, 0, {"rank-0": (0, 0)})
        for _ in range(7):
            run.batch()  # never sent live
        run.write(2)
        follow(client, lambda told: reach(told) == 12, run, seen=told)
        assert losses_of(client) == LossUpdate(7, 7, 0, {"rank-0": (7, 7)})


def test_that_a_process_s_state_is_told_with_it(tmp_path: Path) -> None:
    with helm_sdk.init("p", home=tmp_path):
        folder = find_run(tmp_path, "latest")
        assert [facts.state for facts in about(folder.statuses(), folder).processes] == ["live"]
    assert [facts.state for facts in about(folder.statuses(), folder).processes] == ["finished"]
