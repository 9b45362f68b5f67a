"""A small next-symbol model on four synthetic sources: everything a script can show and be asked for."""

import argparse
import os
import time
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

import helm_sdk.torch as helm
from helm_sdk.models import Capability, CommandContext, opaque_schema

SYMBOLS = 24
CONTEXT = 3
BATCH = 96
BASE_LR = 4e-3
DECAY = 0.05
STARTING_MIXTURE = {"web": 0.4, "code": 0.3, "math": 0.2, "books": 0.1}
SHARPNESS = {"web": 1.5, "code": 3.0, "math": 4.0, "books": 2.0}  # the sharper, the more predictable


class Corpus:
    """Four Markov chains over the same symbols, drawn from by a mixture that can change."""

    def __init__(self) -> None:
        self.mixture = dict(STARTING_MIXTURE)
        noise = torch.Generator().manual_seed(7)
        self._chains = {
            name: torch.softmax(sharpness * torch.randn(SYMBOLS, SYMBOLS, generator=noise), dim=1)
            for name, sharpness in SHARPNESS.items()
        }

    def windows(self, source: str, count: int) -> Tensor:
        """`count` windows of CONTEXT + 1 symbols of one source."""
        symbols = [torch.randint(SYMBOLS, (count,))]
        for _ in range(CONTEXT):
            symbols.append(torch.multinomial(self._chains[source][symbols[-1]], 1).squeeze(1))
        return torch.stack(symbols, dim=1)

    def batch(self) -> tuple[Tensor, dict[str, float]]:
        """One batch, and the share of it that each source really got."""
        weights = torch.tensor(list(self.mixture.values()))
        drawn = torch.multinomial(weights, BATCH, replacement=True).bincount(minlength=len(weights)).tolist()
        counts = dict(zip(self.mixture, drawn, strict=True))
        windows = torch.cat([self.windows(name, count) for name, count in counts.items()])
        return windows, {name: count / BATCH for name, count in counts.items()}


def build_model() -> nn.Sequential:
    """Reads CONTEXT symbols and scores the one that follows."""
    width = 32
    return nn.Sequential(
        nn.Embedding(SYMBOLS, width),
        nn.Flatten(),
        nn.Linear(CONTEXT * width, 96),
        nn.GELU(),
        nn.Dropout(0.05),
        nn.Linear(96, 96),
        nn.GELU(),
        nn.Linear(96, SYMBOLS),
    )


def next_symbol_loss(model: nn.Module, windows: Tensor) -> Tensor:
    """Mean cross-entropy of the last symbol of each window, in nats."""
    return functional.cross_entropy(model(windows[:, :-1]), windows[:, -1])


def mixture_control(corpus: Corpus) -> Capability:
    """What the app needs to know in order to offer the mixture: its type, and the streams that show it."""
    sources = list(corpus.mixture)
    weights = {"kind": "mixture", "components": sources, "sampled": "data/mix/{component}"}
    form = {"kind": "record", "renderer": "form", "fields": [{"name": "weights", "type": weights}]}
    return Capability(
        name="set_mixture",
        provider="script",
        version="1.0.0",
        input_schema={"revision": "1", "root": form},
        output_schema=opaque_schema(),
        safe_points=("after_step",),
        starting={"weights": {"weights": {name: str(share) for name, share in corpus.mixture.items()}}},
    )


def arguments() -> argparse.Namespace:
    """The length and the pace of the run, from the command line, else from the environment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=int(os.environ.get("HELM_EXAMPLE_STEPS", "600")))
    parser.add_argument(
        "--step-seconds",
        type=float,
        default=float(os.environ.get("HELM_EXAMPLE_STEP_SECONDS", "0.1")),
        help="pause after each step, so that there is time to look and to change things",
    )
    return parser.parse_args()


def main() -> None:
    """Train, show, and take changes."""
    options = arguments()
    torch.manual_seed(0)
    corpus = Corpus()
    model = build_model()
    layers = {place: module for place, module in enumerate(model) if isinstance(module, nn.Linear)}
    optimizer = torch.optim.AdamW(model.parameters(), lr=BASE_LR, weight_decay=DECAY)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=options.steps)

    def evaluate() -> dict[str, float]:
        """Loss on fresh windows of each source; dropout is off meanwhile."""
        model.eval()
        with torch.no_grad():
            losses = {name: next_symbol_loss(model, corpus.windows(name, 512)) for name in SHARPNESS}
        model.train()
        return {f"loss/{name}": float(loss) for name, loss in losses.items()}

    def set_mixture(value: Mapping[str, Any], context: CommandContext) -> dict[str, float]:
        """The next batches follow these weights; returns them as shares of 1."""
        asked = {name: float(weight) for name, weight in value["weights"]["weights"].items()}
        total = sum(asked.values())
        corpus.mixture = {name: asked[name] / total for name in corpus.mixture}
        return {name: round(share, 4) for name, share in corpus.mixture.items()}

    # The run is a folder on this machine, and tells the host's load from the start.
    trainer = helm.init(
        "quickstart",
        name="script-to-screen",
        config={"lr": BASE_LR, "weight_decay": DECAY, "batch_size": BATCH, "steps": options.steps},
        system_metrics=True,
    )
    # Five cards (eval comes with eval_fn), the model's tensors, and the rate planned ahead.
    trainer.watch(
        model,
        optimizer,
        scheduler=scheduler,
        controls=["lr", "weight_decay", "grad_clip", "checkpoint"],
        eval_fn=evaluate,
        captures=True,
    )
    trainer.plan(step=options.steps)
    # A control of this script's own: it runs where the loop says `sync("after_step")`.
    trainer.run.on("after_step", mixture_control(corpus), set_mixture)

    for step in range(options.steps):
        windows, shares = corpus.batch()
        optimizer.zero_grad()
        loss = next_symbol_loss(model, windows)
        loss.backward()
        trainer.clip_grad_norm_()
        looked_at = step % 10 == 0
        before = {place: layer.weight.detach().clone() for place, layer in layers.items() if looked_at}
        optimizer.step()
        scheduler.step()

        if looked_at:
            # How far the step moved each layer, against its size: a line, or a heatmap row, per layer.
            ratios = {
                f"health/layer{place}/update_ratio": (layers[place].weight.detach() - old).norm() / old.norm()
                for place, old in before.items()
            }
            trainer.log(ratios | {f"data/mix/{name}": share for name, share in shares.items()}, step=step)

        trainer.step(step=step, loss=loss.detach(), samples=len(windows), tokens=CONTEXT * len(windows))
        trainer.run.sync("after_step", step=step)
        time.sleep(options.step_seconds)

    trainer.finish()
    print("run finished:", trainer.run.run_id)


if __name__ == "__main__":
    main()
