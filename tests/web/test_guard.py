"""Who is let in, and what is refused, by a real server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from rubric_engine.errors import UsageError
from rubric_engine.web.access import Access, token_in
from rubric_engine.web.guard import HEADERS, MAX_BODY, Names
from rubric_engine.web.serving import is_loopback, listening
from tests.web.serving import Browser, served


async def _echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(await request.body())


APP = Starlette(
    routes=[
        Route("/", lambda request: PlainTextResponse("the page")),
        Route("/style.css", lambda request: PlainTextResponse("a static one")),
        Route("/api/echo", _echo, methods=["POST"]),
    ]
)


@pytest.fixture(scope="module")
def inside() -> Iterator[Browser]:
    """A browser that was let in."""
    with served(APP) as browser:
        browser.enter()
        yield browser


def test_the_first_address_gives_a_strict_cookie_and_is_void_then() -> None:
    with served(APP) as browser:
        assert browser.ask("/").status == 403
        assert browser.ask("/?token=wrong").status == 403
        answer = browser.enter()
        assert answer.status == 200
        cookie = answer.headers["set-cookie"]
        assert f"rubric-engine-{browser.port}=" in cookie
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
        assert browser.token not in answer.body.decode()
        assert browser.ask("/").body == b"the page"
        assert browser.enter().status == 200  # the same browser may load it again
        assert Browser(browser.port, browser.token).enter().status == 403


@pytest.mark.parametrize("path", ["/", "/style.css", "/api/echo", "/none", "/?token="])
def test_without_the_cookie_no_path_says_anything(inside: Browser, path: str) -> None:
    for cookie in (None, f"rubric-engine-{inside.port}=guessed", "other=1"):
        answer = inside.ask(path, headers={"Cookie": cookie})
        assert answer.status == 403
        assert b"token" in answer.body


@pytest.mark.parametrize("path", ["/", "/style.css", "/api/echo"])
@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "localhost:1", "", None]
)
def test_another_host_is_refused_on_every_path(
    inside: Browser, path: str, host: str | None
) -> None:
    named = None if host is None else host.format(port=inside.port)
    assert inside.ask(path, headers={"Host": named}).status in (400, 403)


def test_other_names_of_this_machine_are_ours(inside: Browser) -> None:
    assert inside.ask("/", headers={"Host": f"LocalHost:{inside.port}"}).status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}"])
def test_another_origin_is_refused_for_get_and_post(inside: Browser, origin: str) -> None:
    headers = {"Origin": origin.format(port=inside.port)}
    assert inside.ask("/", headers=headers).status == 403
    assert inside.ask("/api/echo", method="POST", body=b"{}", headers=headers).status == 403


def test_a_get_with_our_own_origin_is_fine(inside: Browser) -> None:
    assert inside.ask("/", headers={"Origin": inside.origin}).status == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Content-Type": "application/json; charset=utf-8"}, 200),
        ({"Origin": None}, 403),
        ({"Content-Type": None}, 415),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_a_post_is_json_from_our_own_page(
    inside: Browser, headers: dict[str, str | None], status: int
) -> None:
    answer = inside.ask("/api/echo", method="POST", body=b'{"a": 1}', headers=headers)
    assert answer.status == status
    assert answer.body == b'{"a": 1}' if status == 200 else "error" in answer.json


def test_a_body_has_a_bound(inside: Browser) -> None:
    assert inside.ask("/api/echo", method="POST", body=b"a" * MAX_BODY).status == 200
    assert inside.ask("/api/echo", method="POST", body=b"a" * (MAX_BODY + 1)).status == 413


@pytest.mark.parametrize("path", ["/api/echo?a=", "/"])
def test_an_address_has_a_bound(inside: Browser, path: str) -> None:
    assert inside.ask(path + "9" * 5_000).status == 414


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_other_methods_are_refused(inside: Browser, method: str) -> None:
    assert inside.ask("/", method=method).status == 405


def test_every_answer_carries_what_binds_a_browser(inside: Browser) -> None:
    for path, headers in (("/", {}), ("/none", {}), ("/", {"Host": "evil.example"})):
        answer = inside.ask(path, headers=headers)
        assert {name: answer.headers[name] for name in HEADERS} == dict(HEADERS)
        assert "server" not in answer.headers


def test_cookies_of_two_servers_do_not_get_in_each_others_way(inside: Browser) -> None:
    with served(APP) as other:
        other.enter()
        both = f"{inside.cookie}; {other.cookie}"
        assert inside.ask("/", headers={"Cookie": both}).status == 200
        assert other.ask("/", headers={"Cookie": both}).status == 200
        assert other.ask("/", headers={"Cookie": inside.cookie}).status == 403


@pytest.mark.parametrize(
    ("host", "asked", "fits"),
    [
        ("127.0.0.1", "127.0.0.1:80", True),
        ("127.0.0.1", "localhost", True),
        ("127.0.0.1", "192.168.0.4:80", False),
        ("0.0.0.0", "192.168.0.4:80", True),
        ("0.0.0.0", "evil.example:80", False),
        ("box.example", "box.example:80", True),
        ("::1", "[::1]:80", True),
        ("::", "[fe80::1]:80", True),
    ],
)
def test_the_names_of_a_server(host: str, asked: str, fits: bool) -> None:
    assert Names(host, 80).fits(asked) == fits


def test_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.8.0.1", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "10.0.0.1", "box.example")))


def test_the_token_of_a_file_lets_in_more_than_once(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("a1" * 16 + "\n")
    file.chmod(0o600)
    access = Access(1, token_in(file))
    assert access.token == "a1" * 16
    assert access.admit(access.token) != access.admit(access.token)


@pytest.mark.parametrize(
    ("content", "mode", "why"),
    [
        ("a1" * 16, 0o644, "other users"),
        ("short", 0o600, "no token"),
        ("no token at all, but words", 0o600, "no token"),
        ("ü" * 30, 0o600, "cannot be read"),
        (None, 0o600, "cannot be read"),
    ],
)
def test_a_token_file_that_keeps_nobody_out(
    tmp_path: Path, content: str | None, mode: int, why: str
) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_text(content)
        file.chmod(mode)
    with pytest.raises(UsageError, match=why) as caught:
        token_in(file)
    assert caught.value.code == "E024"


def test_a_port_that_is_taken() -> None:
    with listening("127.0.0.1", 0, exact=True) as first:
        port = first.getsockname()[1]
        with listening("127.0.0.1", port, exact=False) as second:
            assert second.getsockname()[1] != port
        with pytest.raises(UsageError, match=re.escape(f"127.0.0.1:{port}")) as caught:
            listening("127.0.0.1", port, exact=True)
        assert caught.value.code == "E022"


@pytest.mark.parametrize("path", ["/api/echo", "/style.css", "/none", "//", "/API/echo"])
@pytest.mark.parametrize("key", [None, "", "0" * 64, "é"])
def test_the_cookie_alone_gives_nothing_but_an_empty_page(
    inside: Browser, path: str, key: str | None
) -> None:
    lent = {"X-Rubric-Engine-Key": None if key is None else key.encode().decode("latin-1")}
    assert inside.ask(path, headers=lent).status == 403
    assert inside.ask(path, method="POST", body=b"{}", headers=lent).status == 403
    page = inside.ask("/", headers=lent)
    assert (page.status, inside.key in page.body.decode()) == (200, False)


@pytest.mark.parametrize("token", ["", "wrong", None])
def test_who_has_the_cookie_is_given_no_key(inside: Browser, token: str | None) -> None:
    thief = Browser(inside.port, inside.token if token is None else token, inside.cookie)
    assert (thief.enter().status, thief.key) == (200, "")


def test_a_key_goes_with_its_cookie_alone_and_a_token_that_stays_gives_it_again() -> None:
    access = Access(1, "a1" * 16)
    one, other = access.admit(access.token), access.admit(access.token)
    assert one is not None
    assert other is not None
    assert access.unlocks(one, access.key_of(one))
    assert not access.unlocks(other, access.key_of(one))
    assert not Access(1, "a1" * 16).unlocks(one, access.key_of(one))
    assert access.fits(access.token)
    assert not Access(1).fits(access.token)
