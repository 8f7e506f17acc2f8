"""Plays a random game of Quess with PettingZoo's loop: python random_play.py [ID]"""

import sys

import gess_zero


def main(env_id: str = "gess/Quess") -> None:
    env = gess_zero.env(env_id, render_mode="ansi")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            print(f"{agent}: {reward}")
            env.step(None)
        else:
            assert observation is not None
            env.step(env.action_space(agent).sample(observation["action_mask"]))
    print(env.render())
    env.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
