"""A small training script in numbered parts, each between `# part N` and `# end N`, for tests to remove.

STEPS and PAUSE come from the environment, so that a test can make it quick or slow.
"""

import os
import time

import torch

import helm_sdk.torch as helm
from helm_sdk.models import Capability, CommandContext, opaque_schema

STEPS = int(os.environ.get("STEPS", "60"))
PAUSE = float(os.environ.get("PAUSE", "0.01"))
SOURCES = ["web", "code", "math", "books"]
shares = {"web": 0.4, "code": 0.3, "math": 0.2, "books": 0.1}

torch.set_num_threads(1)
torch.manual_seed(7)
centres = {name: torch.randn(8) for name in SOURCES}
model = torch.nn.Sequential(
    torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Dropout(0.0), torch.nn.Linear(16, 4)
)
linear = {index: module for index, module in enumerate(model) if isinstance(module, torch.nn.Linear)}
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=STEPS)


def batch(size: int = 64) -> tuple[torch.Tensor, torch.Tensor]:
    """Points around the centres of the sources, as often as the shares say."""
    picks = torch.multinomial(torch.tensor([shares[name] for name in SOURCES]), size, replacement=True)
    points = torch.stack([centres[SOURCES[int(pick)]] for pick in picks]) + torch.randn(size, 8)
    return points, picks


def evaluate() -> dict[str, float]:
    """How often each source is told apart from the others."""
    with torch.no_grad():
        return {
            f"accuracy/{name}": float(
                (model(centres[name] + torch.randn(32, 8)).argmax(1) == index).float().mean()
            )
            for index, name in enumerate(SOURCES)
        }


def mix(value: dict, context: CommandContext) -> dict:
    """Draw by the weights that were sent, scaled to sum to one."""
    weights = {name: float(weight) for name, weight in value["weights"]["weights"].items()}
    total = sum(weights.values())
    shares.update({name: weight / total for name, weight in weights.items()})
    return {name: round(share, 4) for name, share in shares.items()}


def broken(value: dict, context: CommandContext) -> None:
    """A handler that always raises."""
    raise RuntimeError("the loader has no shard 7")


tr = helm.init(
    "parts",
    # part 1
    name="in-parts",
    config={"lr": 3e-3, "batch_size": 64, "nested": {"depth": 2}},
    system_metrics=True,
    # end 1
)
# part 2
tr.watch(
    model,
    optimizer,
    scheduler=scheduler,
    controls=["lr", "weight_decay", "grad_clip", "checkpoint", "pause", "resume", "dropout"],
    eval_fn=evaluate,
    # part 3
    captures=True,
    # end 3
)
tr.plan(step=STEPS)
# end 2
# part 4
tr.run.on(
    "after_step",
    Capability(
        name="set_mixture",
        provider="script",
        version="1.0.0",
        input_schema={
            "revision": "1",
            "root": {
                "kind": "record",
                "renderer": "form",
                "fields": [
                    {
                        "name": "weights",
                        "type": {"kind": "mixture", "components": SOURCES, "sampled": "data/mix/{component}"},
                    }
                ],
            },
        },
        output_schema=opaque_schema(),
        safe_points=("after_step",),
        starting={"weights": {"weights": {name: str(share) for name, share in shares.items()}}},
    ),
    mix,
)
tr.run.on(
    "after_step",
    Capability(
        name="reload_data",
        input_schema={"revision": "1", "root": {"kind": "record", "fields": []}},
        output_schema=opaque_schema(),
        safe_points=("after_step",),
    ),
    broken,
)
# end 4
for step in range(STEPS):
    points, labels = batch()
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(points), labels)
    loss.backward()
    tr.clip_grad_norm_()
    before = {index: layer.weight.detach().clone() for index, layer in linear.items()}
    optimizer.step()
    scheduler.step()
    # part 5
    ratios = {
        f"health/layer{index}/update_ratio": float(
            (layer.weight.detach() - before[index]).norm() / before[index].norm()
        )
        for index, layer in linear.items()
    }
    tr.log(
        ratios
        | {f"data/mix/{name}": float((labels == index).float().mean()) for index, name in enumerate(SOURCES)},
        step=step,
    )
    # end 5
    # part 6
    tr.step(step=step, loss=loss.item(), samples=len(points))
    tr.run.sync("after_step", step=step)
    # end 6
    time.sleep(PAUSE)
tr.finish()
print("run finished:", tr.run.run_id)
