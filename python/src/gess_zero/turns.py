"""The games as PettingZoo environments, agent by agent (AEC).

    import gess_zero

    env = gess_zero.env("gess/Quess")
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
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from gess_zero.batch import TERMINATED, TRUNCATED, Batch
from gess_zero.server import LEAVE, GessServer, PlanesType
from gess_zero.spaces import RENDER_MODES, Observation, Table, observation_space


def env(env_id: str = "gess/Gess", **kwargs: Any) -> AECEnv[str, Any, Any]:
    """Makes an environment with PettingZoo's usual wrappers: an illegal action loses, and order is enforced."""
    wrapped: AECEnv[str, Any, Any] = raw_env(env_id, **kwargs)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv[str, Any, Any]):
    """The environment itself: an illegal action raises `GessError` and changes nothing.

    `env_id` is one of `gess/Gess-v0`, `gess/Gach-v0`, `gess/Quess-v0`, `gess/ConnectFour-v0`; without a version, the
    highest. `kwargs` are those of the environment, such as `plyLimit=100`. `server` lets environments share a process;
    without it, each starts its own. `planes` is the type of observations: `float32`, or `uint8` with 255 for 1.
    """

    metadata: dict[str, Any] = {
        "render_modes": RENDER_MODES,
        "name": "gess_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        env_id: str = "gess/Gess",
        render_mode: str | None = None,
        server: GessServer | None = None,
        planes: PlanesType = "float32",
        **kwargs: Any,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._table = Table("make", server, render_mode, planes, {"id": env_id, "kwargs": kwargs})
        made = self._table.made
        self._made = made
        self.spec_json = made.spec
        # PettingZoo's names of agents end in a number: black_0, white_0.
        self.possible_agents = [f"{name}_0" for name in made.players]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(made) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(made.num_actions) for agent in self.possible_agents}
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._seen: dict[str, Observation] = {}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """`options` may have `position`, a text, and `moves` to play from there; others are ignored."""
        known = {key: value for key, value in (options or {}).items() if key in ("position", "moves")}
        batch = self._table.server.reset(self._made, seed=None if seed is None else int(seed), **known)
        self._begin(self.possible_agents, batch)

    def observe(self, agent: str) -> Observation:
        if agent not in self._seen:
            batch = self._table.server.look(self._made, self.possible_agents.index(agent))
            self._seen[agent] = self._observation(batch)
        return {name: array.copy() for name, array in self._seen[agent].items()}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        batch = self._table.server.step(self._made, [LEAVE if action is None else int(action)])
        if action is None:
            for values in (
                self.rewards,
                self.terminations,
                self.truncations,
                self.infos,
                self._cumulative_rewards,
            ):
                del values[agent]
            self.agents = [other for other in self.agents if other != agent]
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._select(batch)
            return
        self._show(batch)
        # Rewards come only at the end, so an agent's cumulative reward is its reward.
        self._cumulative_rewards = dict(self.rewards)

    def render(self) -> str | NDArray[np.uint8] | None:
        return self._table.render()

    def save(self) -> dict[str, Any]:
        """Returns the complete state as plain JSON, for `restore` of an environment with the same settings."""
        state: dict[str, Any] = self._table.server.call("save", env=self._made.number)["state"]
        return state

    def restore(self, state: dict[str, Any]) -> None:
        status = self._table.server.call("restore", env=self._made.number, state=state)
        self._begin([f"{name}_0" for name in status["agents"]], self._table.server.look(self._made))
        self.rewards = {f"{name}_0": float(value) for name, value in status["rewards"].items()}
        self._cumulative_rewards = {
            f"{name}_0": float(value) for name, value in status["cumulativeRewards"].items()
        }

    def close(self) -> None:
        self._table.close()

    def _observation(self, batch: Batch) -> Observation:
        return {"observation": batch.planes[0], "action_mask": batch.mask(0, self._made.num_actions)}

    def _begin(self, agents: list[str], batch: Batch) -> None:
        self.agents = list(agents)
        self._show(batch)
        self._cumulative_rewards = dict(self.rewards)

    def _show(self, batch: Batch) -> None:
        """Takes the state of the episode from a batch."""
        flags = int(batch.flags[0])
        reward = float(batch.rewards[0])
        first = self.possible_agents[0]
        self.rewards = {agent: reward if agent == first else 0.0 - reward for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, bool(flags & TERMINATED))
        self.truncations = dict.fromkeys(self.agents, bool(flags & TRUNCATED))
        ply = int(batch.plies[0])
        self._select(batch)
        self.infos = {agent: {"ply": ply, "legal_actions": batch.legal_actions[0][:0]} for agent in self.agents}
        if self.agent_selection in self.infos:
            self.infos[self.agent_selection]["legal_actions"] = batch.legal_actions[0]

    def _select(self, batch: Batch) -> None:
        self.agent_selection = self.possible_agents[int(batch.players[0])]
        self._seen = {self.agent_selection: self._observation(batch)}
