"""The model and the names of the guide's part 5; STEPS and CAPTURES come from the environment."""

import os

import torch

import helm_sdk.torch as helm

STEPS = int(os.environ.get("STEPS", "41"))

torch.set_num_threads(1)
torch.manual_seed(0)
target = torch.randn(16, 1)
model = torch.nn.Sequential(
    torch.nn.Linear(16, 64),
    torch.nn.ReLU(),
    torch.nn.Linear(64, 64),
    torch.nn.ReLU(),
    torch.nn.Linear(64, 1),
)
layers = {index: part for index, part in enumerate(model) if isinstance(part, torch.nn.Linear)}
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
tr = helm.init("layers", name="layers")
tr.watch(model, optimizer, controls=["lr"], captures=os.environ.get("CAPTURES", "1") == "1")
for step in range(STEPS):
    x = torch.randn(64, 16)
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), x @ target)
    loss.backward()
    before = {index: layer.weight.detach().clone() for index, layer in layers.items()}
    optimizer.step()
    if step % 10 == 0:
        ratios = {
            f"health/layer{index}/update_ratio": float(
                (layer.weight.detach() - before[index]).norm() / before[index].norm()
            )
            for index, layer in layers.items()
        }
        tr.log(ratios, step=step)
    tr.step(step=step, loss=loss.item(), samples=64)
tr.finish()
