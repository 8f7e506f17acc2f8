"""Chooses moves of Gess with an exported model, without search: choose_move.py models/gess "f6-f7 p15-m12"

Each further argument is a game, whose next move is printed; without one, the first move.
The rules run in Node (`gess env-server`).
"""

import base64
import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime

from gess_zero import GessServer

# N NE E SE S SW W NW, as (rows, columns); N is towards rank 20.
DIRECTIONS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]


def parts(action: int) -> tuple[int, int, int, int]:
    """Row, column, direction and distance of an action (docs/reference/formats.md, "Actions")."""
    rest, distance = divmod(action, 18)
    rest, direction = divmod(rest, 8)
    return *divmod(rest, 20), direction, distance + 1


def policy_index(action: int, player: str) -> int:
    """The network's number of an action: White sees the board with its ranks mirrored."""
    if player == "black":
        return action
    row, column, direction, distance = parts(action)
    return (((19 - row) * 20 + column) * 8 + (4 - direction) % 8) * 18 + distance - 1


def move_text(action: int) -> str:
    row, column, direction, distance = parts(action)
    rows, columns = DIRECTIONS[direction]
    squares = (row, column), (row + rows * distance, column + columns * distance)
    return "-".join(f"{chr(ord('a') + file)}{rank + 1}" for rank, file in squares)


def main(folder: str, *games: str) -> None:
    spec = json.loads(Path(folder, "spec.json").read_text())
    session = onnxruntime.InferenceSession(Path(folder, "model-legal.onnx"))
    server = GessServer()
    kwargs = {"rules": spec["rules"], "movePlanes": spec["network"].get("movePlanes", False)}
    env = server.call("make", id="gess/Gess", kwargs=kwargs)["env"]
    for moves in games or [""]:
        status = server.call("reset", env=env, moves=moves, observe=True)
        planes, actions = status["observation"]["observation"], status["observation"]["legalActions"]
        observation = np.frombuffer(base64.b64decode(planes["base64"]), "<f4").reshape(1, *planes["shape"])
        legal = np.array([[policy_index(action, status["agentSelection"]) for action in actions]], "int32")
        (logits,) = session.run(["legalLogits"], {"observation": observation, "legal": legal})
        print(move_text(actions[int(logits[0].argmax())]))
    server.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
