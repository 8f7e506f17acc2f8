"""Measures random play here, in PettingZoo's chess, OpenSpiel's Go and pgx's Go, in turn in one run.

    python3 -m venv .venv
    .venv/bin/pip install -r scripts/benchmarks/peers/environments-requirements.txt
    npm run bench:peers [-- --rounds N --seconds S --json]

Rates are per second of processor time: other programs on the machine slow all of them down, but count for little. Every
round measures each once; the table has the medians and, in brackets, the least and the greatest.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median

import jax
import jax.numpy as jnp
import numpy as np
import pgx
import pyspiel
from pettingzoo.classic import chess_v6
from pgx.experimental import auto_reset

ROOT = Path(__file__).resolve().parents[3]
OURS = ROOT / "dist" / "scripts" / "benchmarks" / "peer-rates.js"
#: Positions whose legal actions are listed: after 0 to 31 random moves, like ours.
POSITIONS = 32
#: Number of pgx games stepped together, and of steps in one compiled call.
PGX_GAMES = 64
PGX_STEPS = 16


def rate(unit: Callable[[], int], seconds: float) -> float:
    """Work per second of processor time, as counted by `unit`, after a warm-up."""
    unit()
    count = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        count += unit()
    return count / (time.process_time() - start)


def chess_steps(make: Callable[[], object], sample: Callable[[object, np.ndarray], int]) -> Callable[[], int]:
    """Plays a random game of PettingZoo's chess; counts its moves."""
    env = make()
    seeds = iter(range(1_000_000))

    def play() -> int:
        env.reset(seed=next(seeds))
        moves = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(sample(env.action_space(agent), observation["action_mask"]))
            moves += 1
        return moves

    return play


def go_positions(rng: np.random.Generator) -> list[pyspiel.State]:
    state = pyspiel.load_game("go").new_initial_state()
    positions = []
    for _ in range(POSITIONS):
        positions.append(state.clone())
        state.apply_action(int(rng.choice(state.legal_actions())))
    return positions


def go_legal_actions(positions: list[pyspiel.State]) -> Callable[[], int]:
    """Lists the legal actions of positions of OpenSpiel's Go, 19 x 19; counts them."""
    return lambda: sum(len(state.legal_actions()) for state in positions)


def go_steps(rng: np.random.Generator) -> Callable[[], int]:
    """Plays a random game of OpenSpiel's Go with the observation of each position; counts its moves."""
    game = pyspiel.load_game("go")

    def play() -> int:
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            state.observation_tensor()
            state.legal_actions_mask()
            legal = state.legal_actions()
            state.apply_action(legal[rng.integers(len(legal))])
            moves += 1
        return moves

    return play


def pgx_steps() -> Callable[[], int]:
    """Plays random moves in a batch of pgx's Go, 19 x 19, compiled for the processor; counts them. Ended games start again."""
    env = pgx.make("go_19x19")

    def step(carry: tuple[pgx.State, jax.Array], _: None) -> tuple[tuple[pgx.State, jax.Array], jax.Array]:
        state, key = carry
        key, chance = jax.random.split(key)
        action = jax.random.categorical(chance, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
        keys = jax.random.split(chance, PGX_GAMES)
        state = jax.vmap(auto_reset(env.step, env.init))(state, action, keys)
        return (state, key), state.observation.sum()

    play_all = jax.jit(lambda state, key: jax.lax.scan(step, (state, key), None, length=PGX_STEPS))
    key = jax.random.PRNGKey(1)
    held = [jax.jit(jax.vmap(env.init))(jax.random.split(key, PGX_GAMES)), key]

    def play() -> int:
        (held[0], held[1]), seen = play_all(held[0], held[1])
        seen.block_until_ready()
        return PGX_GAMES * PGX_STEPS

    return play


def measure_ours() -> dict[str, float]:
    answer = subprocess.run(["node", str(OURS)], check=True, capture_output=True, text=True)
    return {f"gess-zero, {what}": rate for what, rate in json.loads(answer.stdout).items()}


def sample_masked(space: object, mask: np.ndarray) -> int:
    return space.sample(mask)


def sample_quickly(rng: np.random.Generator) -> Callable[[object, np.ndarray], int]:
    def sample(_space: object, mask: np.ndarray) -> int:
        legal = np.flatnonzero(mask)
        return int(legal[rng.integers(len(legal))])

    return sample


def measure(rounds: int, seconds: float) -> dict[str, list[float]]:
    rng = np.random.default_rng(1)
    positions = go_positions(rng)
    peers = {
        "PettingZoo chess, steps": chess_steps(chess_v6.env, sample_masked),
        "PettingZoo chess without wrappers, steps": chess_steps(chess_v6.raw_env, sample_quickly(rng)),
        "OpenSpiel Go from Python, steps": go_steps(rng),
        f"pgx Go, batches of {PGX_GAMES}, steps": pgx_steps(),
        "OpenSpiel Go from Python, legal actions": go_legal_actions(positions),
    }
    rates: dict[str, list[float]] = {}
    for _ in range(rounds):
        measured = {name: rate(unit, seconds) for name, unit in peers.items()}
        for name, value in {**measure_ours(), **measured}.items():
            rates.setdefault(name, []).append(value)
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3, help="duration of each measurement of a peer")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    # Compiles changed sources.
    subprocess.run(["node", str(ROOT / "scripts" / "launch.mjs"), "--version"], check=True, stdout=subprocess.DEVNULL)
    rates = measure(options.rounds, options.seconds)
    if options.json:
        versions = {name: version(name) for name in ("pettingzoo", "open_spiel", "pgx", "jax", "chess", "numpy")}
        print(json.dumps({"versions": versions, "perSecond": rates}))
        return
    for name, values in rates.items():
        kind = name.rsplit(", ", 1)[1].split(" with ")[0]
        ratio = median(rates[f"gess-zero, {kind}"]) / median(values)
        spread = f"({min(values):,.0f} to {max(values):,.0f})"
        print(f"{name:42} {median(values):14,.0f}/s  {spread:32} ours / this: {ratio:.2f}")


if __name__ == "__main__":
    main()
