"""Solves positions of Connect Four from shards, and writes the JSON lines that `gess accuracy --solved` reads.

    python solve_connect_four.py runs/c4/data/gen-000010 --positions 500 --seed 1 > solved.jsonl

Samples distinct positions uniformly, and asks BitBully (a perfect solver) for the score of every legal move.
"""

import argparse
import json
import pathlib
import random

import pyarrow.dataset
from bitbully import BitBully, Board

ROWS = 6


def columns_of(packed):
    """The stones of each column from the bottom up, 0 for the first player's: a column's bits after its first 1."""
    return [[int(bit) for bit in f"{code:b}"[1:]] for code in packed]


def text_of(columns):
    """Six rows from the top down, as gess reads them."""
    stones = [[("ry"[stone]) for stone in column] + ["."] * (ROWS - len(column)) for column in columns]
    return "/".join("".join(column[row] for column in stones) for row in reversed(range(ROWS)))


def board_of(columns):
    """A board for BitBully: rows from the top down, 1 for the first player's stones and 2 for the second's."""
    cells = [[stone + 1 for stone in column] + [0] * (ROWS - len(column)) for column in columns]
    return Board.from_array([[column[row] for column in cells] for row in reversed(range(ROWS))])


def sign(score):
    return (score > 0) - (score < 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="+", help="folders of shards")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    shards = [str(path) for folder in options.folder for path in sorted(folder.glob("*.arrow"))]
    column = pyarrow.dataset.dataset(shards, format="arrow").to_table(columns=["position"])["position"]
    packed = sorted(set(column.to_pylist()))
    solver = BitBully()
    for position in random.Random(options.seed).sample(packed, min(options.positions, len(packed))):
        columns = columns_of(position)
        scores = solver.score_all_moves(board_of(columns))
        values = {str(move): sign(score) for move, score in sorted(scores.items())}
        print(json.dumps({"position": text_of(columns), "values": values}))


main()
