"""Connections have a bound, and one that says nothing goes."""

from __future__ import annotations

import asyncio
import gc
import http.client
import socket
import threading
from contextlib import ExitStack

import pytest
import uvicorn
from uvicorn.server import ServerState

from rubric_engine.web.connections import MOST, Connection, quieten
from tests.web.serving import Browser, served
from tests.web.test_guard import APP


def test_many_that_say_nothing_keep_nobody_out() -> None:
    with served(APP) as browser, ExitStack() as stack:
        browser.enter()
        for _ in range(MOST + 20):
            idle = stack.enter_context(socket.create_connection(("127.0.0.1", browser.port), 20))
            idle.sendall(b"GET / HTTP/1.1\r\nHo")
        assert browser.ask("/").status == 200


def test_a_server_that_dies_while_it_is_asked_leaves_no_open_socket() -> None:
    def die(listener: socket.socket) -> None:
        asked, _ = listener.accept()
        with asked:
            asked.recv(1 << 16)
            asked.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        dying = threading.Thread(target=die, args=(listener,))
        dying.start()
        with pytest.raises(http.client.IncompleteRead):
            Browser(listener.getsockname()[1], "").ask("/")
        dying.join()
    gc.collect()  # a socket that nobody closed would warn here


class Hasty(Connection):
    """Waits for nobody."""

    silence = 0.05


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHo"])
def test_one_that_says_nothing_goes(said: bytes) -> None:
    async def run() -> bytes:
        config, state = uvicorn.Config(APP, http=Hasty, log_config=None), ServerState()
        config.load()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Hasty(config, state, {}), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        try:
            return await asyncio.wait_for(reader.read(), 20)
        except ConnectionResetError:
            return b""
        finally:
            writer.close()
            server.close()

    assert asyncio.run(run()) == b""


def test_trouble_of_connections_is_told_once_on_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    loop = asyncio.new_event_loop()
    quieten(loop)
    for _ in range(1000):
        error = OSError(24, "Too many open files")
        loop.call_exception_handler({"message": "accept", "exception": error})
    loop.close()
    assert capsys.readouterr().err == "warning: a connection failed: Too many open files\n"
