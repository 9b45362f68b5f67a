"""Two ranks under torchrun in transformers' and Lightning's own loops: one run, steered as one."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from helm_sdk.record.runs import find_run
from helpers.scripts import helmctl, shown, start

HF = """
import sys, time, torch, transformers
from helm_sdk.torch.hf import HelmCallback
torch.set_num_threads(1)
class Texts(torch.utils.data.Dataset):
    def __len__(self): return 4000
    def __getitem__(self, place):
        ids = torch.full((8,), place % 32)
        return {"input_ids": ids, "labels": ids}
class Slow(transformers.TrainerCallback):
    def on_step_end(self, *_, **__): time.sleep(0.03)
config = transformers.GPT2Config(vocab_size=32, n_positions=8, n_embd=16, n_layer=1, n_head=2)
arguments = transformers.TrainingArguments(
    output_dir=sys.argv[1], max_steps=4000, per_device_train_batch_size=2, report_to=[], use_cpu=True,
    disable_tqdm=True, save_strategy="no", logging_steps=10_000, dataloader_pin_memory=False)
trainer = transformers.Trainer(model=transformers.GPT2LMHeadModel(config), args=arguments,
                               train_dataset=Texts(), callbacks=[HelmCallback("ranks"), Slow()])
trainer.train()
print("ended at", trainer.state.global_step, flush=True)
"""
LIGHTNING = """
import sys, time, torch, lightning.pytorch as pl
from helm_sdk.torch.lightning import HelmCallback
torch.set_num_threads(1)
class Module(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
    def training_step(self, batch, place):
        time.sleep(0.03)
        return self.layer(batch[0]).square().mean()
    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-2)
data = torch.utils.data.TensorDataset(torch.randn(4000, 4))
trainer = pl.Trainer(max_steps=4000, accelerator="cpu", devices=2, strategy="ddp", logger=False,
                     enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
                     default_root_dir=sys.argv[1], callbacks=[HelmCallback("ranks")])
trainer.fit(Module(), torch.utils.data.DataLoader(data, batch_size=2))
print("ended at", trainer.global_step, flush=True)
"""


@pytest.mark.parametrize(("framework", "text"), [("transformers", HF), ("lightning", LIGHTNING)])
def test_that_two_ranks_in_a_framework_are_steered_as_one(framework: str, text: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(framework) is None:
        pytest.skip(f"{framework} is not installed")
    home, path = tmp_path / "home", tmp_path / "train.py"
    path.write_text(text)
    arguments = ["--standalone", "--nproc-per-node", "2", str(path), str(tmp_path / "out")]
    script = start(f"from torch.distributed.run import main; main({arguments!r})", home=home)
    try:
        script.wait_for_line("helm: run ")
        for control, value in (("lr", {"scale": 0.5}), ("grad_clip", {"max_norm": 0.01}), ("stop", None)):
            sent = ("send", "latest", control, json.dumps(value), "--wait", "--timeout", "60")
            done = helmctl(*sent, home=home, timeout=90)
            while "have not joined yet" in done.stdout and script.process.poll() is None:
                done = helmctl(*sent, home=home, timeout=90)
            assert done.returncode == 0, done.stdout + done.stderr + "\n".join(script.lines)
        assert script.finish() == 0, "\n".join(script.lines)
    finally:
        script.kill()

    ended = [int(line.rsplit(" ", 1)[1]) for line in script.lines if line.startswith("ended at ")]
    assert len(ended) == 2
    assert ended[0] == ended[1] < 4000
    assert {process["process"] for process in shown(home=home)["processes"]} == {"rank-0", "rank-1"}
    (reader,) = [one for one in find_run(home, "latest").readers() if one.record.process == "rank-0"]
    with reader:
        states = [event for event in reader.events("command") if event.body["state"] == "applied"]
        (halved,) = [event.step for event in states if event.body["capability"] == "lr"]
        rates = {step: value for step, value, _ in reader.points("optim/lr/group0")}
    assert halved is not None
    before, after = rates[halved - 1], rates[halved]
    assert after == pytest.approx(0.5 * before, rel=0.01)  # transformers' own schedule falls a little
