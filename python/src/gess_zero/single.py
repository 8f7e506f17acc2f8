"""The games as Gymnasium environments: one agent against an opponent.

    import gymnasium
    import gess_zero  # registers gess/Gess-v0 and the others

    env = gymnasium.make("gess/Quess-v0", opponent="alphabeta:depth=1", side="first")
    observation, info = env.reset(seed=1)
    done = False
    while not done:
        action = env.action_space.sample(observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated
    env.close()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gess_zero.batch import TERMINATED, TRUNCATED, Batch, Mask
from gess_zero.errors import GessError
from gess_zero.server import GessServer, PlanesType
from gess_zero.spaces import RENDER_MODES, Observation, Table, observation_space

#: Chooses a legal action from the opponent's observation; the generator is the environment's.
Opponent = Callable[[Observation, np.random.Generator], int]
#: The side of the agent: 0 and 1 mean the first and the second to move.
Side = Literal["first", "second", "random", 0, 1]
#: The opponent of an agent that plays both sides; rewards are then those of the player who moved.
SELF = "self"


def random_opponent(observation: Observation, rng: np.random.Generator) -> int:
    """Chooses a legal action, all with equal probability."""
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def server_side(side: Side, opponent: str) -> str | None:
    """The name of a side for the server. Raises `ValueError` for an unknown one."""
    names = {0: "first", 1: "second", "first": "first", "second": "second", "random": "random"}
    if side not in names:
        raise ValueError(f"expected a side 'first', 'second', 'random', 0 or 1, got {side!r}")
    return None if opponent == SELF else names[side]


class GessEnv(gymnasium.Env[Any, Any]):
    """The learner plays `side`; an illegal action loses.

    `opponent` is the text of an agent, which plays in the server (`random`, `careful`, `greedy`, `alphabeta:depth=1`,
    `solver` for Connect Four), `self`, or a function. `kwargs`, `server` and `planes` as in `raw_env`.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        env_id: str = "gess/Gess",
        opponent: str | Opponent = "random",
        side: Side = "first",
        render_mode: str | None = None,
        server: GessServer | None = None,
        planes: PlanesType = "float32",
        **kwargs: Any,
    ) -> None:
        self._opponent = None if isinstance(opponent, str) else opponent
        # For a function, the server's environment lets one agent play both sides; this class calls the function.
        name = opponent if isinstance(opponent, str) else SELF
        self._side = server_side(side, "function")
        params = {
            "id": env_id,
            "count": 1,
            "kwargs": kwargs,
            "opponent": name,
            "autoreset": "disabled",
        }
        if name != SELF:
            params["side"] = self._side
        self._table = Table("makeVector", server, render_mode, planes, params)
        self.render_mode = render_mode
        self.observation_space = observation_space(self._table.made)
        self.action_space = spaces.Discrete(self._table.made.num_actions)
        self._agent: int | None = None
        self._seen: Observation | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """`options` may have `position`, a text, and `moves` to play from there; others are ignored."""
        super().reset(seed=seed)
        known = {key: value for key, value in (options or {}).items() if key in ("position", "moves")}
        batch = self._table.server.reset(self._table.made, seed=seed, **known)
        if self._opponent is not None:
            first = int(batch.players[0])
            takes_first = self.np_random.integers(2) == 0 if self._side == "random" else self._side == "first"
            self._agent = first if takes_first else 1 - first
        observation, _, _, _, info = self._play_opponent(batch)
        return observation, info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._seen is None:
            raise GessError("reset-needed", "expected reset before a step")
        if self._seen["action_mask"][action] == 0:
            seen, self._seen = self._seen, None
            shown = {name: array.copy() for name, array in seen.items()}
            return shown, -1.0, True, False, {"illegal_action": int(action)}
        batch = self._table.server.step(self._table.made, [int(action)])
        return self._play_opponent(batch)

    def action_masks(self) -> NDArray[np.bool_]:
        """`[actions]` whether each action is legal; the method that MaskablePPO of SB3-contrib calls."""
        if self._seen is None:
            return np.zeros(self._table.made.num_actions, np.bool_)
        return self._seen["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        return self._table.render()

    def close(self) -> None:
        self._table.close()

    def _play_opponent(self, batch: Batch) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays the moves of an opponent that is a function, until the learner is to move or the game is over."""
        sign = 1.0
        while True:
            flags = int(batch.flags[0])
            mask: Mask = batch.mask(0, self._table.made.num_actions)
            seen: Observation = {"observation": batch.planes[0], "action_mask": mask}
            ended = bool(flags & (TERMINATED | TRUNCATED))
            if ended or self._opponent is None or int(batch.players[0]) == self._agent:
                break
            # Rewards are those of the player who moves.
            sign = -1.0
            action = self._opponent(seen, self.np_random)
            batch = self._table.server.step(self._table.made, [int(action)])
        self._seen = None if ended else seen
        info = {"ply": int(batch.plies[0]), "legal_actions": batch.legal_actions[0]}
        info["agent"] = self._table.made.players[int(batch.players[0])]
        reward = sign * float(batch.rewards[0]) + 0.0
        # A copy, because the next step reads the mask again.
        shown = {"observation": seen["observation"], "action_mask": mask.copy()}
        return shown, reward, bool(flags & TERMINATED), bool(flags & TRUNCATED), info
