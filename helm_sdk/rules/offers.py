"""Rules that are offered where a run logs what they need. None is ever set by itself."""

from __future__ import annotations

from collections.abc import Iterable

from helm_sdk.rules.spec import HoldFor, Rule

_LOSS = ("train/loss", "loss")
_DISK_BYTES = 5e9


def offers(streams: Iterable[str]) -> list[Rule]:
    """Non-finite loss, divergence, plateau, no data, GPU idle, disk filling: those that fit these streams."""
    names = list(streams)
    made: list[Rule] = []
    loss = _loss(names)
    if loss:
        made += [
            Rule(id="loss-not-finite", name="Loss is not finite", metric=loss, when="not finite"),
            Rule(
                id="divergence",
                name="Divergence",
                metric=loss,
                when="change",
                value=50.0,
                over=HoldFor(steps=100),
                hold=HoldFor(steps=10),
            ),
            Rule(
                id="plateau", name="Plateau", metric=loss, when="plateau", value=0.5, hold=HoldFor(steps=1000)
            ),
        ]
    if loss or names:
        first = loss or names[0]
        made.append(
            Rule(id="no-data", name="No data", metric=first, when="no data", hold=HoldFor(seconds=300.0))
        )
    gpu = "system/gpu{i}/utilization_percent"
    if any(Rule(id="g", metric=gpu, when="below").matches(name) for name in names):
        made.append(
            Rule(
                id="gpu-idle",
                name="GPU idle",
                metric=gpu,
                when="below",
                value=30.0,
                hold=HoldFor(seconds=300.0),
            )
        )
    if "system/disk_free_bytes" in names:
        disk = Rule(
            id="disk-filling",
            name="Disk filling",
            metric="system/disk_free_bytes",
            when="below",
            value=_DISK_BYTES,
        )
        made.append(disk)
    return made


def _loss(names: list[str]) -> str:
    for name in _LOSS:
        if name in names:
            return name
    return next((name for name in names if name.rsplit("/", 1)[-1] == "loss"), "")
