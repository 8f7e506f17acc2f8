"""Tests of the server's process: how it is found, how it ends, and when it is refused."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gess_zero
from gess_zero import GessError, GessServer, GessServerEnded, GessStartError
from gess_zero.batch import read_batch
from gess_zero.command import gess_command

HELLO = '{"id": 0, "result": {"protocol": 1, "frames": 1}}'
#: A server that agrees on frames, reads one, and answers it with the bytes in its second argument.
FALSE_SERVER = """
import sys
sys.stdin.buffer.readline()
sys.stdout.buffer.write(sys.argv[1].encode() + b"\\n")
sys.stdout.buffer.flush()
sys.stdin.buffer.read(20)
sys.stdout.buffer.write(bytes.fromhex(sys.argv[2]))
"""


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def false_server(hello: str, answer: bytes = b"") -> GessServer:
    return GessServer([sys.executable, "-c", FALSE_SERVER, hello, answer.hex()])


def test_the_package_has_types() -> None:
    assert Path(gess_zero.__file__).with_name("py.typed").is_file()


def test_closing_ends_the_process() -> None:
    env = gess_zero.raw_env("gess/ConnectFour")
    process = env._table.server._process
    env.close()
    env.close()
    assert process.returncode == 0
    with pytest.raises(GessServerEnded):
        env.reset()


def test_a_dead_process_raises() -> None:
    env = gess_zero.raw_env("gess/ConnectFour")
    env.reset()
    server = env._table.server
    os.kill(server.pid, signal.SIGKILL)
    for _ in range(2):
        with pytest.raises(GessServerEnded) as error:
            env.step(3)
        assert error.value.code == "server-ended"
    assert server._process.returncode == -signal.SIGKILL
    env.close()


def test_an_interrupt_ends_the_process_and_nothing_hangs() -> None:
    program = """
import gess_zero
env = gess_zero.raw_env("gess/Quess")
env.reset()
print(env._table.server.pid, flush=True)
while True:
    env.reset()
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    server = int(child.stdout.readline())
    child.send_signal(signal.SIGINT)
    _, message = child.communicate(timeout=60)
    assert b"KeyboardInterrupt" in message
    # Its input is closed, so it ends even if the interrupted call did not end it.
    deadline = time.monotonic() + 30
    while is_running(server):
        assert time.monotonic() < deadline


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\x01",
        struct.pack("<IB3xI", 2**32 - 1, 2, 1),
        struct.pack("<IB3xI", 4, 2, 7) + b"1234",
        struct.pack("<IB3xI", 100, 1, 1) + b"{}",
        struct.pack("<IB3xI", 4, 77, 1) + b"1234",
    ],
)
def test_forged_answers_end_the_server(answer: bytes) -> None:
    server = false_server(HELLO, answer)
    with pytest.raises(GessServerEnded):
        server.call("hello")
    with pytest.raises(GessServerEnded):
        server.call("hello")
    server.close()


@pytest.mark.parametrize(
    "payload",
    [b"", struct.pack("<4I", 1, 2**31, 0, 0), struct.pack("<4I", 1, 1, 2**31, 0), struct.pack("<4I", 1, 1, 0, 9)],
)
def test_forged_batches_are_errors(payload: bytes) -> None:
    with pytest.raises(GessError) as error:
        read_batch(bytearray(payload), (6, 7, 2), "float32")
    assert error.value.code == "protocol"


@pytest.mark.parametrize("hello", ["", "{", '{"id": 0, "result": {"protocol": 1}}', HELLO.replace("1, ", "2, ")])
def test_another_server_is_refused(hello: str) -> None:
    with pytest.raises(GessStartError) as error:
        false_server(hello)
    assert error.value.code == "protocol"


def test_a_program_that_ends_at_once_is_refused() -> None:
    with pytest.raises(GessStartError, match="exit code 3"):
        GessServer([sys.executable, "-c", "raise SystemExit(3)"])


def test_a_missing_node_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GESS_COMMAND", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GessStartError, match="Node 20") as error:
        gess_zero.env("gess/Gess")
    assert error.value.code == "node-missing"


def test_the_program_is_found_by_variable_or_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GESS_COMMAND", f"{sys.executable} 'a b'")
    assert gess_command() == [sys.executable, "a b"]
    monkeypatch.setenv("GESS_COMMAND", "no-such-program x")
    with pytest.raises(GessStartError) as error:
        gess_command()
    assert error.value.code == "gess-missing"
    monkeypatch.delenv("GESS_COMMAND")
    # Simulates an installation of this package elsewhere.
    monkeypatch.setattr("gess_zero.command.__file__", str(tmp_path / "command.py"))
    launcher = tmp_path / "node_modules" / "gess-zero" / "scripts" / "launch.mjs"
    launcher.parent.mkdir(parents=True)
    launcher.touch()
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert gess_command()[1:] == [str(launcher)]
