"""Tests of the environments, including those of PettingZoo and Gymnasium."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

import gess_zero
from gess_zero import GessError, GessParallelEnv, GessServer, GessVectorEnv, random_opponent

IDS = ["gess/Gess-v0", "gess/Gach-v0", "gess/Quess-v0", "gess/ConnectFour-v0"]

# api_test warns about every environment whose observation is a dict with an action mask, as in PettingZoo's classic
# games, except for games that it knows by name.
KNOWN_WARNINGS = [
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",
]


@pytest.fixture(scope="module")
def server() -> Iterator[GessServer]:
    shared = GessServer()
    yield shared
    shared.close()


def play(env: Any, rng: np.random.Generator, most: int = 1000) -> tuple[list[int], dict[str, float]]:
    """Plays at random; returns the actions and the reward of each agent."""
    actions = []
    totals: dict[str, float] = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(most):
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        action = None
        if not (terminated or truncated):
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            actions.append(action)
        env.step(action)
    return actions, totals


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("make", [gess_zero.env, gess_zero.raw_env])
def test_api(make: Any, env_id: str, server: GessServer) -> None:
    env = make(env_id, server=server)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=200)
    env.close()
    assert {str(warning.message) for warning in caught} <= set(KNOWN_WARNINGS)


@pytest.mark.parametrize("env_id", IDS)
def test_seed(env_id: str) -> None:
    seed_test(lambda: gess_zero.env(env_id), num_cycles=20)


def test_render(capsys: pytest.CaptureFixture[str], server: GessServer) -> None:
    render_test(lambda render_mode: gess_zero.env("gess/Quess", render_mode=render_mode, server=server))
    shown = capsys.readouterr().out
    env = gess_zero.env("gess/Quess", render_mode="ansi", server=server)
    env.reset()
    text = env.render()
    assert isinstance(text, str) and text in shown
    env.close()


@pytest.mark.parametrize("env_id", IDS)
def test_pictures_show_the_position(env_id: str, server: GessServer) -> None:
    env = gymnasium.make(env_id, render_mode="rgb_array", server=server)
    env.reset(seed=1)
    before: Any = env.render()
    assert before.dtype == np.uint8 and max(before.shape) >= 400 and before.shape[2] == 3
    assert len(np.unique(before.reshape(-1, 3), axis=0)) > 3
    env.step(env.unwrapped.action_masks().argmax())  # type: ignore[attr-defined]
    assert (before != env.render()).any()
    env.close()


@pytest.mark.parametrize("env_id", IDS)
def test_parallel(env_id: str, server: GessServer) -> None:
    env = GessParallelEnv(env_id, server=server, plyLimit=20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(env, num_cycles=50)
    env.close()


def test_planes_of_moves_are_part_of_the_observation(server: GessServer) -> None:
    env = gess_zero.env("gess/Gess", movePlanes=True, server=server)
    env.reset(seed=1)
    assert env.observation_space("black_0")["observation"].shape == (20, 20, 24)
    assert env.observe("black_0")["observation"][:, :, 20:].sum() > 100
    env.close()


def test_rewards_are_those_of_the_game(server: GessServer) -> None:
    env = gess_zero.env("gess/ConnectFour", server=server)
    env.reset()
    for column in [0, 1, 0, 1, 0, 1, 0]:
        env.step(column)
    assert env.terminations == {"red_0": True, "yellow_0": True}
    assert env.rewards == {"red_0": 1, "yellow_0": -1}
    _, totals = play(env, np.random.default_rng(0))
    assert totals == {"red_0": 1, "yellow_0": -1}
    assert env.agents == []
    env.close()


def test_truncation_is_no_result(server: GessServer) -> None:
    env = gess_zero.env("gess/Quess", plyLimit=3, server=server)
    env.reset(seed=1)
    actions, totals = play(env, np.random.default_rng(0))
    assert len(actions) == 3
    assert totals == {"light_0": 0, "dark_0": 0}
    env.close()


def test_illegal_action_loses_with_wrappers_and_raises_without(server: GessServer) -> None:
    env = gess_zero.env("gess/ConnectFour", server=server)
    env.reset(options={"moves": "0 0 0 0 0 0"})
    env.step(0)
    assert env.terminations["red_0"] and env.rewards["red_0"] == -1
    env.close()
    raw = gess_zero.raw_env("gess/ConnectFour", server=server)
    raw.reset(options={"moves": "0 0 0 0 0 0"})
    with pytest.raises(GessError) as error:
        raw.step(0)
    assert error.value.code == "illegal-action"
    assert raw.last()[4]["ply"] == 6
    raw.close()


def test_a_saved_episode_continues(server: GessServer) -> None:
    env = gess_zero.raw_env("gess/Quess", server=server)
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    play(env, rng, most=10)
    state = env.save()
    before = env.last()
    play(env, rng)
    env.restore(state)
    np.testing.assert_equal(env.last(), before)
    env.close()


def test_observations_are_copies(server: GessServer) -> None:
    env = gess_zero.raw_env("gess/Quess", server=server)
    env.reset()
    env.last()[0]["observation"][:] = 7
    assert env.last()[0]["observation"].max() == 1
    env.close()


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("make", {"id": "gess/Ches"}, "env-unknown"),
        ("make", {"id": "gess/Gess", "kwargs": {"rules": "house"}}, "rules-unknown"),
        ("reset", {"env": 99}, "env-closed"),
        ("jump", {}, "request-syntax"),
    ],
)
def test_bad_requests_raise(server: GessServer, method: str, params: dict[str, Any], code: str) -> None:
    with pytest.raises(GessError) as error:
        server.call(method, **params)
    assert error.value.code == code
    assert server.call("hello")["protocol"] == 1


def test_environments_share_a_process(server: GessServer) -> None:
    first = gess_zero.env("gess/ConnectFour", server=server)
    second = gess_zero.env("gess/Quess", server=server)
    first.reset()
    second.reset()
    assert first.possible_agents == ["red_0", "yellow_0"]
    first.close()
    assert second.agents == ["light_0", "dark_0"]
    second.close()


@pytest.mark.parametrize("side", ["first", "second"])
@pytest.mark.parametrize("opponent", ["random", "alphabeta:depth=1", "self", random_opponent])
def test_gymnasium(side: str, opponent: Any, server: GessServer) -> None:
    env = gymnasium.make("gess/Quess-v0", opponent=opponent, side=side, server=server)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True, skip_close_check=True)
    rng = np.random.default_rng(5)
    observation, info = env.reset(seed=3)
    if opponent != "self":
        assert info["agent"] == ("light" if side == "first" else "dark")
    done = False
    reward = 0.0
    while not done:
        chosen = random_opponent(observation, rng)
        observation, given, terminated, truncated, _ = env.step(chosen)
        reward = float(given)
        done = terminated or truncated
        assert done or reward == 0
    assert reward in (-1, 0, 1)
    if opponent == "alphabeta:depth=1":
        assert reward == -1
    env.close()


@pytest.mark.parametrize("opponent", ["random", random_opponent])
def test_an_illegal_action_loses(opponent: Any, server: GessServer) -> None:
    env = gymnasium.make("gess/ConnectFour-v0", opponent=opponent, server=server)
    env.reset(seed=1, options={"moves": "0 0 0 0 0 0"})
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["illegal_action"]) == (-1, True, 0)
    with pytest.raises(GessError, match="reset"):
        env.unwrapped.step(1)
    env.close()


def test_an_opponent_that_wins_costs_the_reward(server: GessServer) -> None:
    def copies(observation: Any, _: np.random.Generator) -> int:
        return 1

    for opponent, loser in [(copies, -1.0), ("alphabeta:depth=2", -1.0)]:
        env = gymnasium.make("gess/ConnectFour-v0", opponent=opponent, side="first", server=server)
        env.reset(seed=1, options={"moves": "0 1 0 1 6 1"})
        assert env.step(5)[1] == loser
        env.reset(seed=1, options={"moves": "0 1 0 1 0 2"})
        assert env.step(0)[1] == 1.0
        env.close()


@pytest.mark.parametrize("bad", [{"opponent": "alphabeta:depth=x"}, {"opponent": "policy:model=quess"}, {"rules": "x"}])
def test_bad_arguments_raise(bad: dict[str, Any], server: GessServer) -> None:
    with pytest.raises(GessError):
        gymnasium.make("gess/Quess-v0", server=server, **bad)


@pytest.mark.parametrize("env_id", IDS)
def test_gymnasium_ids(env_id: str, server: GessServer) -> None:
    env = gymnasium.make(env_id, server=server)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert env.unwrapped.spec is not None and env.unwrapped.spec.id == env_id
    env.close()


def test_uint8_planes_are_the_same(server: GessServer) -> None:
    seen = []
    for planes in ("float32", "uint8"):
        env = gymnasium.make("gess/Gess-v0", planes=planes, server=server)
        observation, _ = env.reset(seed=1, options={"moves": "f6-f7 p15-m12"})
        assert env.observation_space.contains(observation)
        seen.append(observation)
        env.close()
    assert seen[1]["observation"].dtype == np.uint8
    np.testing.assert_array_equal(np.floor(255 * seen[0]["observation"] + 0.5), seen[1]["observation"])
    np.testing.assert_array_equal(seen[0]["action_mask"], seen[1]["action_mask"])


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_vector_plays_like_single_environments(mode: AutoresetMode, server: GessServer) -> None:
    singles = [gymnasium.make("gess/ConnectFour-v0", opponent="self", server=server) for _ in range(3)]
    envs = GessVectorEnv("gess/ConnectFour-v0", num_envs=3, autoreset_mode=mode, server=server)
    observations, infos = envs.reset(seed=[1, 1, 1])
    seen: list[Any] = [env.reset(seed=1)[0] for env in singles]
    rng = np.random.default_rng(2)
    over = [False] * 3
    ends = 0
    for _ in range(60):
        assert envs.observation_space.contains(observations)
        for index, one in enumerate(seen):
            np.testing.assert_array_equal(observations["observation"][index], one["observation"])
            np.testing.assert_array_equal(observations["action_mask"][index], one["action_mask"])
        if mode is AutoresetMode.DISABLED and any(over):
            observations, infos = envs.reset(options={"reset_mask": np.array(over)})
            seen = [singles[i].reset()[0] if over[i] else seen[i] for i in range(3)]
            over = [False] * 3
            continue
        actions = [int(rng.choice(legal)) if len(legal) else 0 for legal in infos["legal_actions"]]
        observations, rewards, terminations, _, infos = envs.step(np.array(actions))
        for index, env in enumerate(singles):
            if over[index]:
                seen[index], over[index] = env.reset()[0], False
                assert rewards[index] == 0 and not terminations[index]
                continue
            seen[index], reward, over[index], _, _ = env.step(actions[index])
            assert (rewards[index], terminations[index]) == (reward, over[index])
            if not over[index]:
                continue
            ends += 1
            if mode is AutoresetMode.SAME_STEP:
                final = infos["final_obs"][index]["observation"]
                np.testing.assert_array_equal(final, seen[index]["observation"])
                seen[index], over[index] = env.reset()[0], False
    assert ends > 3
    envs.close()
    for env in singles:
        env.close()


def test_gymnasium_makes_vectors() -> None:
    envs = gymnasium.make_vec("gess/Quess-v0", num_envs=2, opponent="greedy", render_mode="ansi")
    assert isinstance(envs.unwrapped, GessVectorEnv)
    envs.reset(seed=1)
    rendered = envs.render()
    assert rendered is not None and len(rendered) == 2
    with pytest.raises(GessError) as error:
        envs.step(np.array([0, 5_000_000]))
    assert error.value.code == "illegal-action"
    envs.close()
