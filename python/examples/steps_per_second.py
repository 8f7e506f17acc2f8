"""Measures random play of Gess through this package, and of PettingZoo's chess, in turn in one run.

    pip install ./python 'pettingzoo[classic]'
    python python/examples/steps_per_second.py [--rounds 5] [--seconds 2]

Rates are per second of processor time, of this process and of the server together, which run on at most two cores: other
programs on the machine hardly change them. Every step includes its planes and its mask.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from pettingzoo.classic import chess_v6

from gess_zero import GessServer, GessVectorEnv, raw_env

VECTOR = 64
TICKS = 100


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    given = parser.parse_args()
    rng = np.random.default_rng(1)
    server = GessServer()

    def cpu() -> float:
        fields = Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return time.process_time() + (int(fields[11]) + int(fields[12])) / TICKS

    def turns(env) -> Callable[[], int]:
        """Plays a game, at most 100 plies; counts its moves."""

        def play() -> int:
            env.reset(seed=int(rng.integers(2**31)))
            for ply in range(100):
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    return ply
                env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            return 100

        return play

    def vector(planes: str) -> Callable[[], int]:
        envs = GessVectorEnv("gess/Gess", num_envs=VECTOR, planes=planes, server=server)
        infos = envs.reset(seed=1)[1]

        def step() -> int:
            nonlocal infos
            lists = infos["legal_actions"]
            infos = envs.step([legal[rng.integers(len(legal))] if len(legal) else 0 for legal in lists])[4]
            return VECTOR

        return step

    subjects = {
        f"Gess, {VECTOR} in a vector, uint8": vector("uint8"),
        f"Gess, {VECTOR} in a vector, float32": vector("float32"),
        "Gess, raw_env, float32": turns(raw_env("gess/Gess", server=server)),
        "PettingZoo chess, raw_env": turns(chess_v6.raw_env()),
    }
    rates: dict[str, list[float]] = {name: [] for name in subjects}
    clocks: dict[str, list[float]] = {name: [] for name in subjects}
    for unit in subjects.values():
        unit()
    for _ in range(given.rounds):
        for name, unit in subjects.items():
            count, start, began = 0, cpu(), time.perf_counter()
            while cpu() - start < given.seconds:
                count += unit()
            rates[name].append(count / (cpu() - start))
            clocks[name].append(count / (time.perf_counter() - began))
    print("steps a second: of processor time (median, least, greatest), by the clock (median)")
    for name in subjects:
        of = rates[name]
        print(f"{name:38} {median(of):8.0f} {min(of):8.0f} {max(of):8.0f} {median(clocks[name]):8.0f}")
    server.close()


if __name__ == "__main__":
    main()
