"""Finds the program `gess`, which plays the rules."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from gess_zero.errors import GessStartError

#: The words that start the program, such as `npx gess`; `env-server` is appended.
VARIABLE = "GESS_COMMAND"
LAUNCHER = Path("scripts", "launch.mjs")


def gess_command() -> list[str]:
    """Returns the words that start `gess`, from the first of: $GESS_COMMAND; a clone that contains this file or the
    working folder; a `node_modules` in the working folder or above; `gess` on the path.

    Raises `GessStartError`: `node-missing` or `gess-missing`.
    """
    words = shlex.split(os.environ.get(VARIABLE, ""))
    if words:
        if shutil.which(words[0]) is None:
            raise GessStartError("gess-missing", f"expected a program in ${VARIABLE}, got {words[0]!r}")
        return words
    node = shutil.which("node")
    if node is None:
        raise GessStartError(
            "node-missing",
            "expected Node 20.19 or newer on the path: the rules of the games run in it (https://nodejs.org)",
        )
    for launcher in _launchers():
        if launcher.is_file():
            return [node, str(launcher)]
    program = shutil.which("gess")
    if program is not None:
        return [program]
    raise GessStartError(
        "gess-missing",
        "expected the program gess: run `npm install gess-zero` in this folder or above, work in a clone, or set "
        f"${VARIABLE} to the words that start it, such as 'node /path/to/gess-zero/scripts/launch.mjs'",
    )


def _launchers() -> Iterator[Path]:
    here = Path(__file__).resolve()
    working = Path.cwd()
    for folder in (*here.parents, working, *working.parents):
        # This file identifies a clone; other projects may have a scripts/launch.mjs.
        if (folder / "gess-zero.ts").is_file():
            yield folder / LAUNCHER
    for folder in (working, *working.parents):
        yield folder / "node_modules" / "gess-zero" / LAUNCHER
