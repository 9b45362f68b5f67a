"""A small character GPT on text that ships with Python: Muon with AdamW, WSD, mixed sources, evaluation."""

import argparse
import inspect
import os
import unicodedata
from collections.abc import Mapping
from importlib import import_module
from pydoc_data import topics
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

import helm_sdk.torch as helm
from helm_sdk.models import Capability, CommandContext, field, mixture, record_schema
from helm_sdk.torch.schedule import WSDScheduler

ALPHABET = "\n" + "".join(map(chr, range(32, 127)))
CONTEXT = 64
WIDTH, HEADS, LAYERS = 64, 4, 3
MICRO_BATCH, ACCUMULATE = 16, 2
MUON_LR, ADAMW_LR, DECAY = 0.02, 3e-3, 0.05
STARTING_MIXTURE = {"manual": 0.4, "code": 0.3, "help": 0.2, "names": 0.1}


def texts() -> dict[str, str]:
    """What Python brings along: its manual, its library's code, that code's help, the names of characters."""
    modules = [
        import_module(name) for name in ("argparse", "ast", "dataclasses", "inspect", "typing", "json")
    ]
    members = [member for module in modules for member in vars(module).values() if callable(member)]
    names = (unicodedata.name(chr(code), "") for code in range(0x20, 0x3000))
    return {
        "manual": "\n".join(topics.topics[name] for name in sorted(topics.topics)),
        "code": "\n".join(inspect.getsource(module) for module in modules),
        "help": "\n".join(
            filter(None, (inspect.getdoc(member) for member in [*vars(str).values(), *members]))
        ),
        "names": "\n".join(filter(None, names)),
    }


class Corpus:
    """Four sources, the last tenth of each kept for evaluation, drawn from by a mixture that can change."""

    def __init__(self) -> None:
        self.mixture = dict(STARTING_MIXTURE)
        index = {character: place for place, character in enumerate(ALPHABET)}
        self._train: dict[str, Tensor] = {}
        self._held_out: dict[str, Tensor] = {}
        for name, text in texts().items():
            symbols = torch.tensor([index[character] for character in text if character in index])
            cut = len(symbols) * 9 // 10
            self._train[name], self._held_out[name] = symbols[:cut], symbols[cut:]

    def batch(self) -> tuple[Tensor, dict[str, int]]:
        """Windows of CONTEXT + 1 characters by the mixture, and how many each source gave."""
        weights = torch.tensor(list(self.mixture.values()))
        drawn = torch.multinomial(weights, MICRO_BATCH, replacement=True).bincount(minlength=len(weights))
        counts = dict(zip(self.mixture, drawn.tolist(), strict=True))
        return torch.cat([_windows(self._train[name], count) for name, count in counts.items()]), counts

    def held_out(self, source: str) -> Tensor:
        """The same 32 windows each time, spread over what is kept back."""
        symbols = self._held_out[source]
        starts = torch.linspace(0, len(symbols) - CONTEXT - 2, 32).long()
        return torch.stack([symbols[start : start + CONTEXT + 1] for start in starts.tolist()])


def _windows(symbols: Tensor, count: int) -> Tensor:
    starts = torch.randint(len(symbols) - CONTEXT - 1, (count,)).tolist()
    none = torch.empty((0, CONTEXT + 1), dtype=torch.long)
    return torch.stack([symbols[start : start + CONTEXT + 1] for start in starts]) if starts else none


class Block(nn.Module):
    """Attention, then two layers, each on a normalised input and added to it."""

    def __init__(self) -> None:
        super().__init__()
        self.before_attention, self.before_layers = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)
        self.up = nn.Linear(WIDTH, 4 * WIDTH, bias=False)
        self.down = nn.Linear(4 * WIDTH, WIDTH, bias=False)
        self.dropout = nn.Dropout(0.05)

    def forward(self, x: Tensor) -> Tensor:
        """x: batch × time × WIDTH."""
        batch, time, _ = x.shape
        heads = self.qkv(self.before_attention(x)).view(batch, time, 3, HEADS, WIDTH // HEADS)
        q, k, v = heads.permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.dropout(self.out(seen.transpose(1, 2).reshape(batch, time, WIDTH)))
        moved: Tensor = self.dropout(self.down(functional.gelu(self.up(self.before_layers(x)))))
        return x + moved


class GPT(nn.Module):
    """Scores each next character; the output weights are those of the embedding."""

    def __init__(self) -> None:
        super().__init__()
        self.characters = nn.Embedding(len(ALPHABET), WIDTH)
        self.places = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.last = nn.RMSNorm(WIDTH)
        nn.init.normal_(self.characters.weight, std=0.02)
        nn.init.normal_(self.places.weight, std=0.02)

    def forward(self, symbols: Tensor) -> Tensor:
        """symbols: batch × time; scores: batch × time × len(ALPHABET)."""
        x = self.characters(symbols) + self.places.weight[: symbols.shape[1]]
        for block in self.blocks:
            x = block(x)
        scores: Tensor = functional.linear(self.last(x), self.characters.weight)
        return scores


class Health:
    """How far a step moved each block's widest matrix against its size, and the size of its gradient."""

    def __init__(self, model: GPT) -> None:
        self._matrices = [block.up.weight for block in model.blocks if isinstance(block, Block)]
        self._before: list[Tensor] = []

    def before_step(self) -> None:
        """Keep the weights as they are."""
        self._before = [matrix.detach().clone() for matrix in self._matrices]

    def after_step(self) -> dict[str, Tensor]:
        """A value a layer, by the name of its stream."""
        found = {}
        for layer, (matrix, old) in enumerate(zip(self._matrices, self._before, strict=True)):
            found[f"health/layer{layer}/update_ratio"] = (matrix.detach() - old).norm() / old.norm()
            if matrix.grad is not None:
                found[f"health/layer{layer}/grad_norm"] = matrix.grad.norm()
        return found


def loss_of(model: nn.Module, windows: Tensor) -> Tensor:
    """Mean cross-entropy of every next character, in nats."""
    scores = model(windows[:, :-1])
    return functional.cross_entropy(scores.flatten(0, 1), windows[:, 1:].flatten())


def gradients(model: nn.Module, corpus: Corpus) -> tuple[Tensor, dict[str, int]]:
    """Gradients of the mean loss over the micro-batches; that loss, and how many windows each source gave."""
    counts = dict.fromkeys(corpus.mixture, 0)
    loss = torch.zeros(())
    model.zero_grad()
    for _ in range(ACCUMULATE):
        windows, drawn = corpus.batch()
        part = loss_of(model, windows) / ACCUMULATE
        part.backward()
        loss += part.detach()
        counts = {name: counts[name] + drawn[name] for name in counts}
    return loss, counts


def optimizers_of(model: GPT) -> list[torch.optim.Optimizer]:
    """Muon for the matrices inside the blocks; AdamW for embeddings, and without decay for vectors."""
    matrices = [weight for weight in model.blocks.parameters() if weight.ndim == 2]
    vectors = [weight for weight in model.parameters() if weight.ndim < 2]
    embeddings = [model.characters.weight, model.places.weight]
    groups: list[dict[str, Any]] = [
        {"params": embeddings, "weight_decay": DECAY},
        {"params": vectors, "weight_decay": 0.0},
    ]
    if not hasattr(torch.optim, "Muon"):  # before torch 2.9
        groups.append({"params": matrices, "weight_decay": DECAY})
        return [torch.optim.AdamW(groups, lr=ADAMW_LR)]
    return [
        torch.optim.Muon(matrices, lr=MUON_LR, weight_decay=DECAY),
        torch.optim.AdamW(groups, lr=ADAMW_LR),
    ]


def mixture_control(corpus: Corpus) -> Capability:
    """A card with the mixture: its sources, and the streams that show what was really drawn."""
    weights = mixture(list(corpus.mixture), sampled="data/mix/{component}")
    return Capability(
        name="set_mixture",
        input_schema=record_schema(field("weights", weights)),
        safe_points=("after_step",),
        starting={"weights": {"weights": {name: str(share) for name, share in corpus.mixture.items()}}},
        help="How much of each source the next batches take.",
    )


def sample(model: GPT, length: int = 160) -> str:
    """Text that the model goes on with from a line's end, at temperature 0.8."""
    generator = torch.Generator().manual_seed(0)
    symbols = torch.zeros((1, 1), dtype=torch.long)
    model.eval()
    with torch.no_grad():
        for _ in range(length):
            scores = model(symbols[:, -CONTEXT:])[:, -1] / 0.8
            drawn = torch.multinomial(scores.softmax(1), 1, generator=generator)
            symbols = torch.cat([symbols, drawn], dim=1)
    model.train()
    return "".join(ALPHABET[place] for place in symbols[0].tolist())


def arguments() -> argparse.Namespace:
    """The length of the run, from the command line, else from the environment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=int(os.environ.get("HELM_EXAMPLE_STEPS", "600")))
    parser.add_argument("--evaluate-every", type=int, default=50)
    parser.add_argument("--threads", type=int, default=0, help="of torch; 0 leaves it the choice")
    return parser.parse_args()


def main() -> None:
    """Train, show, and take changes."""
    options = arguments()
    if options.threads:
        torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    corpus, model = Corpus(), GPT()
    health = Health(model)
    optimizers = optimizers_of(model)
    scheduler = WSDScheduler(optimizers, options.steps, warmup_frac=0.05, stable_frac=0.65)

    def evaluate() -> dict[str, float]:
        """Loss on what is kept back of each source."""
        model.eval()
        with torch.no_grad():
            losses = {f"loss/{name}": loss_of(model, corpus.held_out(name)).item() for name in corpus.mixture}
        model.train()
        return losses

    def set_mixture(value: Mapping[str, Any], context: CommandContext) -> dict[str, float]:
        """The next batches follow these weights; returns them as shares of 1."""
        asked = {name: float(weight) for name, weight in value["weights"]["weights"].items()}
        total = sum(asked.values())
        corpus.mixture = {name: asked[name] / total for name in corpus.mixture}
        return {name: round(share, 4) for name, share in corpus.mixture.items()}

    config = {
        "steps": options.steps,
        "width": WIDTH,
        "layers": LAYERS,
        "context": CONTEXT,
        "muon_lr": MUON_LR,
    }
    trainer = helm.init(
        "quickstart", name="tiny-gpt-muon", config=config, system_metrics=True, on_nonfinite="skip"
    )
    trainer.watch(model, *optimizers, scheduler=scheduler, eval_fn=evaluate)
    trainer.plan(step=options.steps)
    trainer.run.fact("parameters", sum(weight.numel() for weight in model.parameters()))
    trainer.run.on("after_step", mixture_control(corpus), set_mixture)

    tokens = ACCUMULATE * MICRO_BATCH * CONTEXT
    for step in range(options.steps):
        loss, counts = gradients(model, corpus)
        trainer.clip_grad_norm_(1.0)
        looked_at = step % 10 == 0
        if looked_at:
            health.before_step()
        for optimizer in optimizers:
            optimizer.step()
        scheduler.step()

        metrics: dict[str, Any] = {
            f"data/mix/{name}": count / (ACCUMULATE * MICRO_BATCH) for name, count in counts.items()
        }
        if looked_at:
            metrics |= health.after_step()
        if (step + 1) % options.evaluate_every == 0:
            with trainer.run.span("eval"):
                trainer.log({f"eval/{name}": value for name, value in evaluate().items()}, step=step)
                trainer.text("samples", sample(model), step=step)
        trainer.step(step, loss=loss, samples=ACCUMULATE * MICRO_BATCH, tokens=tokens, metrics=metrics)
        trainer.run.sync("after_step", step=step)

    trainer.finish()
    print("run finished:", trainer.run.run_id)


if __name__ == "__main__":
    main()
