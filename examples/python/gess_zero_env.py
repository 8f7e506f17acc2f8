"""Gess and its kin as PettingZoo environments, agent by agent (AEC).

    import gess_zero_env

    env = gess_zero_env.env("gess/Quess")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        done = terminated or truncated
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
    env.close()
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from gess_server import GessServer, decode_observation


def env(env_id: str = "gess/Gess", **kwargs: Any) -> AECEnv:
    """The environment with PettingZoo's usual wrappers: an illegal action loses, order is enforced."""
    wrapped = raw_env(env_id, **kwargs)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):
    """The environment itself: an illegal action raises `GessError` and changes nothing.

    `env_id` is one of `gess/Gess-v0`, `gess/Gach-v0`, `gess/Quess-v0`, `gess/ConnectFour-v0`; without a version, the
    highest. `kwargs` are those of the environment, such as `plyLimit=100`. `server` lets environments share a process;
    without it each has its own.
    """

    metadata = {
        "render_modes": ["ansi", "human"],
        "name": "gess_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        env_id: str = "gess/Gess",
        render_mode: str | None = None,
        server: GessServer | None = None,
        **kwargs: Any,
    ):
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"expected a render mode of {self.metadata['render_modes']}, got {render_mode!r}")
        self.render_mode = render_mode
        self._owns_server = server is None
        self._server = GessServer() if server is None else server
        self._closed = False
        try:
            made = self._server.call(
                "make", id=env_id, kwargs=kwargs, renderMode=None if render_mode is None else "ansi"
            )
        except BaseException:
            if self._owns_server:
                self._server.close()
            raise
        self._number = made["env"]
        self.spec_json = made["spec"]
        # PettingZoo's names of agents end in a number: black_0, white_0.
        self._names = {name: f"{name}_0" for name in made["possibleAgents"]}
        self._server_names = {agent: name for name, agent in self._names.items()}
        self.possible_agents = list(self._names.values())
        self.agents = []
        self.observation_spaces = {}
        self.action_spaces = {}
        for name, agent in self._names.items():
            shape = made["observationSpaces"][name]["spaces"]["observation"]["shape"]
            num_actions = made["actionSpaces"][name]["n"]
            self.observation_spaces[agent] = spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, tuple(shape), np.float32),
                    "action_mask": spaces.Box(0, 1, (num_actions,), np.int8),
                }
            )
            self.action_spaces[agent] = spaces.Discrete(num_actions)
        self._seen: dict[str, dict[str, np.ndarray]] = {}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """`options` may have `position`, a text, and `moves` that are played from there; others mean nothing."""
        known = {key: value for key, value in (options or {}).items() if key in ("position", "moves")}
        if seed is not None:
            known["seed"] = int(seed)
        self._take(self._server.call("reset", env=self._number, observe=True, **known))

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        if agent not in self._seen:
            encoded = self._server.call("observe", env=self._number, agent=self._server_names[agent])
            self._seen[agent] = self._decode(agent, encoded)
        return {name: array.copy() for name, array in self._seen[agent].items()}

    def step(self, action: int | None) -> None:
        number = None if action is None else int(action)
        self._take(self._server.call("step", env=self._number, action=number, observe=True))

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        text = self._server.call("render", env=self._number)["text"]
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None

    def save(self) -> dict[str, Any]:
        """All that the environment goes on from, plain JSON: `restore` of an equal one takes it."""
        return self._server.call("save", env=self._number)["state"]

    def restore(self, state: dict[str, Any]) -> None:
        self._take(self._server.call("restore", env=self._number, state=state, observe=True))

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._owns_server:
            self._server.close()
        else:
            self._server.call("close", env=self._number)

    def _decode(self, agent: str, encoded: dict[str, Any]) -> dict[str, np.ndarray]:
        return decode_observation(encoded, int(self.action_spaces[agent].n))

    def _take(self, status: dict[str, Any]) -> None:
        def by_agent(values: dict[str, Any]) -> dict[str, Any]:
            return {self._names[name]: value for name, value in values.items()}

        self.agents = [self._names[name] for name in status["agents"]]
        self.agent_selection = self._names[status["agentSelection"]]
        self.rewards = by_agent(status["rewards"])
        self._cumulative_rewards = by_agent(status["cumulativeRewards"])
        self.terminations = by_agent(status["terminations"])
        self.truncations = by_agent(status["truncations"])
        self.infos = by_agent(status["infos"])
        self._seen = {self.agent_selection: self._decode(self.agent_selection, status["observation"])}
