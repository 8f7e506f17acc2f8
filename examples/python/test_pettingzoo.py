"""The classes of this folder by the tests of PettingZoo and Gymnasium."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import gess_zero_env
from gess_server import GessError, GessServer
from gess_zero_gym import random_opponent

IDS = ["gess/Gess-v0", "gess/Gach-v0", "gess/Quess-v0", "gess/ConnectFour-v0"]

# What api_test says of every environment that shows a dict with an action mask, as PettingZoo's classic games do,
# but for those that it knows by name.
KNOWN_WARNINGS = [
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",
]


@pytest.fixture(scope="module")
def server():
    shared = GessServer()
    yield shared
    shared.close()


def play(env, rng, most=1000):
    """Plays at random; returns the actions and what each agent got."""
    actions = []
    totals = dict.fromkeys(env.possible_agents, 0)
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
@pytest.mark.parametrize("make", [gess_zero_env.env, gess_zero_env.raw_env])
def test_api(make, env_id, server):
    env = make(env_id, server=server)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=200)
    env.close()
    assert {str(warning.message) for warning in caught} <= set(KNOWN_WARNINGS)


@pytest.mark.parametrize("env_id", IDS)
def test_seed(env_id):
    seed_test(lambda: gess_zero_env.env(env_id), num_cycles=50)


def test_render(capsys):
    render_test(lambda render_mode: gess_zero_env.env("gess/Quess", render_mode=render_mode))
    shown = capsys.readouterr().out
    env = gess_zero_env.env("gess/Quess", render_mode="ansi")
    env.reset()
    assert env.render() in shown
    env.close()


def test_rewards_are_those_of_the_game(server):
    env = gess_zero_env.env("gess/ConnectFour", server=server)
    env.reset()
    for column in [0, 1, 0, 1, 0, 1, 0]:
        env.step(column)
    assert env.terminations == {"red_0": True, "yellow_0": True}
    assert env.rewards == {"red_0": 1, "yellow_0": -1}
    _, totals = play(env, np.random.default_rng(0))
    assert totals == {"red_0": 1, "yellow_0": -1}
    assert env.agents == []
    env.close()


def test_truncation_is_no_result(server):
    env = gess_zero_env.env("gess/Quess", plyLimit=3, server=server)
    env.reset(seed=1)
    actions, totals = play(env, np.random.default_rng(0))
    assert len(actions) == 3
    assert totals == {"light_0": 0, "dark_0": 0}
    env.close()


def test_illegal_action_loses_with_wrappers_and_raises_without(server):
    env = gess_zero_env.env("gess/ConnectFour", server=server)
    env.reset(options={"moves": "0 0 0 0 0 0"})
    env.step(0)
    assert env.terminations["red_0"] and env.rewards["red_0"] == -1
    env.close()
    raw = gess_zero_env.raw_env("gess/ConnectFour", server=server)
    raw.reset(options={"moves": "0 0 0 0 0 0"})
    with pytest.raises(GessError) as error:
        raw.step(0)
    assert error.value.code == "illegal-action"
    assert raw.last()[4]["ply"] == 6
    raw.close()


def test_a_saved_episode_goes_on(server):
    env = gess_zero_env.raw_env("gess/Quess", server=server)
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    play(env, rng, most=10)
    state = env.save()
    before = env.last()
    play(env, rng)
    env.restore(state)
    np.testing.assert_equal(env.last(), before)
    env.close()


def test_what_is_seen_is_a_copy(server):
    env = gess_zero_env.raw_env("gess/Quess", server=server)
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
def test_bad_requests_raise(server, method, params, code):
    with pytest.raises(GessError) as error:
        server.call(method, **params)
    assert error.value.code == code
    assert server.call("hello")["protocol"] == 1


def test_the_server_ends():
    env = gess_zero_env.raw_env("gess/ConnectFour")
    process = env._server._process
    env.close()
    env.close()
    assert process.poll() == 0


@pytest.mark.parametrize("side", [0, 1])
def test_gymnasium(side):
    env = gymnasium.make("gess/Quess-v0", side=side)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    rng = np.random.default_rng(side)
    observation, _ = env.reset(seed=3)
    done = False
    while not done:
        observation, reward, terminated, truncated, _ = env.step(random_opponent(observation, rng))
        done = terminated or truncated
        assert done or reward == 0
    assert reward in (-1, 0, 1)
    env.close()


@pytest.mark.parametrize("env_id", IDS)
def test_gymnasium_ids(env_id):
    env = gymnasium.make(env_id)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert env.unwrapped.spec.id == env_id
    env.close()
