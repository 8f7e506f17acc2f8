"""Registers the environments with Gymnasium."""

from __future__ import annotations

from gymnasium.envs import registration

NAMES = ("Gess", "Gach", "Quess", "ConnectFour")


def register() -> None:
    """Registers `gess/Gess-v0`, `gess/Gach-v0`, `gess/Quess-v0`, `gess/ConnectFour-v0`, and their vectors."""
    for name in NAMES:
        env_id = f"gess/{name}-v0"
        if env_id in registration.registry:
            continue
        registration.register(
            env_id,
            entry_point="gess_zero.single:GessEnv",
            vector_entry_point="gess_zero.vector:GessVectorEnv",
            kwargs={"env_id": env_id},
            # Tests run the checker (tests/); at run time it would double the cost of a step.
            disable_env_checker=True,
        )
