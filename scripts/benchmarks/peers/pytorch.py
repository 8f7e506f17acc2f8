"""Measures a training step here and in PyTorch on the same processor, in turn in one run.

    python3 -m venv .venv
    .venv/bin/pip install -r scripts/benchmarks/peers/pytorch-requirements.txt
    npm run bench:pytorch [-- --rounds N --seconds S --json]

Both train a residual network of 4 blocks of 32 channels without normalisation on random positions of Gess, batch 256, 2
threads: 250 legal moves a position, policy head of one logit a move, win-draw-loss head. PyTorch has its channels last,
which is its quickest layout here, and computes all 57,600 logits, of which it gathers the legal ones; ours computes those
only. The loss is the same. Both optimise by Adam.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from pathlib import Path
from statistics import median

import torch
import torch.nn.functional as F
from torch import nn

ROOT = Path(__file__).resolve().parents[3]
OURS = ROOT / "dist" / "scripts" / "benchmarks" / "learning-process.js"
CHANNELS, BLOCKS, BATCH, THREADS = 32, 4, 256, 2
SIDE, PLANES, MOVE_PLANES, LEGAL = 20, 20, 144, 250


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1)
        self.second = nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return F.relu(features + self.second(F.relu(self.first(features))))


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(PLANES, CHANNELS, 3, padding=1)
        self.blocks = nn.Sequential(*(Block() for _ in range(BLOCKS)))
        self.policy = nn.Conv2d(CHANNELS, MOVE_PLANES, 1)
        self.hidden = nn.Linear(CHANNELS, 64)
        self.outcome = nn.Linear(64, 3)

    def forward(self, boards: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.blocks(F.relu(self.stem(boards)))
        pooled = features.mean((2, 3))
        return self.policy(features).flatten(1), self.outcome(F.relu(self.hidden(pooled)))


class Step:
    """A training step on the same random batch each time, like ours."""

    def __init__(self) -> None:
        self.network = Network().to(memory_format=torch.channels_last)
        self.optimizer = torch.optim.Adam(self.network.parameters(), 1e-3)
        boards = torch.rand(BATCH, PLANES, SIDE, SIDE)
        self.boards = boards.to(memory_format=torch.channels_last)
        self.legal = torch.randint(0, MOVE_PLANES * SIDE * SIDE, (BATCH, LEGAL))
        self.target = torch.full((BATCH, LEGAL), 1 / LEGAL)
        self.outcome = torch.randint(0, 3, (BATCH,))

    def __call__(self) -> None:
        self.optimizer.zero_grad()
        logits, outcome = self.network(self.boards)
        logarithms = F.log_softmax(logits.gather(1, self.legal), 1)
        loss = F.cross_entropy(outcome, self.outcome) - (logarithms * self.target).sum(1).mean()
        loss.backward()
        self.optimizer.step()
        # Reading the loss waits for the end of the step.
        loss.item()


def measure_pytorch(step: Step, seconds: float) -> float:
    """Samples per second of wall-clock time."""
    step()
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        step()
        steps += 1
    return steps * BATCH / (time.perf_counter() - start)


def measure_ours(precision: str) -> float:
    answer = subprocess.run(["node", str(OURS), precision], check=True, capture_output=True, text=True)
    return json.loads(answer.stdout)["samplesPerSecond"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8, help="duration of each measurement of PyTorch; ours take 8")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    # Compiles changed sources.
    subprocess.run(["node", str(ROOT / "scripts" / "launch.mjs"), "--version"], check=True, stdout=subprocess.DEVNULL)
    torch.set_num_threads(THREADS)
    step = Step()
    pytorch = f"PyTorch {torch.__version__}"
    rates: dict[str, list[float]] = {}
    for _ in range(options.rounds):
        rates.setdefault(pytorch, []).append(measure_pytorch(step, options.seconds))
        for precision in ("float32", "bfloat16"):
            rates.setdefault(f"gess-zero, {precision}", []).append(measure_ours(precision))
    if options.json:
        print(json.dumps({"samplesPerSecond": rates}))
        return
    for name, values in rates.items():
        ratio = median(values) / median(rates[pytorch])
        spread = f"({min(values):,.0f} to {max(values):,.0f})"
        print(f"{name:28} {median(values):8,.0f} samples/s  {spread:18} of PyTorch's: {ratio:.2f}")


if __name__ == "__main__":
    main()
