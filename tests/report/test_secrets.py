"""What is known for a secret by its look, in pieces too, or by its name."""

from __future__ import annotations

import pytest

from rubric_engine.report import Mask
from rubric_engine.report.masking import HIDDEN
from tests.report.keys import HEX, KEYS, UUID, Drawing

drawn = Drawing(8)
AWS = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_a_key_is_known_by_its_look_wherever_it_stands(key: str) -> None:
    for before, after in (
        ("", ""),
        ("as ", " here"),
        ('{"a": "', '"}'),
        ("后", "。"),
        ("$x=", "\n"),
    ):
        assert Mask().text(f"{before}{key}{after}") == f"{before}{HIDDEN}{after}"


KEY = KEYS["openai"]


@pytest.mark.parametrize(
    "joint",
    [
        "\u200b", "\u2060", "\ufeff", "\u00ad", "\u202e", "\0", "\x1b[1m", "\u200d\u200b",
        '" + "', "' +\n    '", '" . "', "` + `", '" \\\n  "', '" & "', '" ~ "', "\\\n",
        '"\n  "', "' '", '", "', "\n", "\r\n", "\n    ", "\n# ", "\n> ", "\n    // ",
        '".concat("', " |\n| ", "\n- ",
    ],
)  # fmt: skip
@pytest.mark.parametrize("at", [9, 20, 32])
@pytest.mark.parametrize("name", ["openai", "jwt", "github", "gemini"])
def test_a_key_in_pieces_is_one(name: str, at: int, joint: str) -> None:
    key = KEYS[name]
    masked = Mask().text(f'key: "{key[:at]}{joint}{key[at:]}" and more')
    assert key[:at] not in masked
    assert key[at:] not in masked
    assert masked.startswith(f'key: "{HIDDEN}')
    assert masked.endswith(f'{HIDDEN}" and more')
    assert masked.count("\n") == joint.count("\n")


def test_a_key_in_many_pieces_is_one() -> None:
    pieces = [KEY[at : at + 8] for at in range(0, len(KEY), 8)]
    for joint in ('" +\n"', "\u200b", "\n  "):
        masked = Mask().text(f'"{joint.join(pieces)}"')
        assert not any(piece in masked for piece in pieces)


@pytest.mark.parametrize(
    "text",
    [
        f"see {KEY}\ndef solve(): return 1",
        f"see {KEY}\nThe next line says Table 3",
        f"see {KEY}\n# A comment follows",
        f'-H "x: {KEY}" "https://example.org/v1"',
        f'["{KEY}", "second", "third"]',
        f'["{KEY}",\n "{KEYS["openai-old"]}"]',
    ],
)
def test_what_follows_a_key_stays(text: str) -> None:
    assert Mask().text(text) == text.replace(KEY, HIDDEN).replace(KEYS["openai-old"], HIDDEN)


VALUE = drawn(24)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"OPENAI_KEY={VALUE}", VALUE),
        (f"export WANDB_API_KEY={(h := drawn(40, HEX))}", h),
        (f"MY_SERVICE_KEY={(k := drawn(32, HEX))}", k),
        (f'os.environ["SOME_TOKEN"] = "{VALUE}"', VALUE),
        (f"apiKey: '{VALUE}',", VALUE),
        (f'{{"client_secret":"{VALUE}"}}', VALUE),
        (f'"{{\\"api_key\\": \\"{VALUE}\\"}}"', VALUE),
        (f"secret => '{VALUE}'", VALUE),
        (f"set SECRET_KEY := {VALUE}", VALUE),
        (f"api-key: {UUID}", UUID),
        (f"key = '{VALUE}'", VALUE),
        (f"AccountKey={(a := drawn(84) + '+/==')};End", a),
        ("password = 'p(ss{w0rd}!X'", "p(ss{w0rd}!X"),
        ("DB_PASS=Summer2024!", "Summer2024!"),
        ("spring.datasource.password=Tr0ub4dor&3x", "Tr0ub4dor"),
        (f"aws_secret_access_key = {AWS}", AWS),
        (f'"SecretAccessKey": "{AWS}"', AWS),
        (f"Authorization: Bearer {VALUE}", VALUE),
        ("Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
        (f"authorization: token {(t := drawn(40, HEX))}", t),
        (f'headers = {{"Authorization": f"Bearer {VALUE}"}}', VALUE),
        (f"curl -H 'Authorization: ApiKey {VALUE}'", VALUE),
        (f"sent bearer {VALUE}.", VALUE),
        ("https://user:s3cr3t@host/x", "s3cr3t"),
        ("redis://:s3cr3t@host:6379/0", "s3cr3t"),
        (f"https://{VALUE}@host/x", VALUE),
        (f"https://host/x?api_key={VALUE}&page=2", VALUE),
        (f"https://host/x?page=2&X-Amz-Signature={(s := drawn(64, HEX))}", s),
        ("curl -u admin:S3cret!pass https://host", "S3cret!pass"),
        ("machine host login me password pl41n-word", "pl41n-word"),
        (f"//registry.example/:_authToken={VALUE}", VALUE),
        (f"<apiKey>{VALUE}</apiKey>", VALUE),
        (f'<add key="ApiKey" value="{VALUE}"/>', VALUE),
        (f"api_key&quot;: &quot;{VALUE}&quot;", VALUE),
        (f"run --api-key {VALUE} --fast", VALUE),
        (f"ENV API_TOKEN {VALUE}", VALUE),
        (f"client.set('secret', '{VALUE}')", VALUE),
        (f"password: |\n  {VALUE}", VALUE),
        (f"wandb login {(w := drawn(40, HEX))}", w),
    ],
)
def test_a_value_is_known_by_what_stands_beside_it(text: str, secret: str) -> None:
    masked = Mask().text(text)
    assert secret not in masked
    assert masked.startswith(text[: text.index(secret)])
    assert masked.replace(HIDDEN, secret).startswith(text[: text.index(secret) + len(secret)])


def test_both_halves_of_a_key_of_aws_go() -> None:
    one = KEYS["aws-id"]
    for text in (f"{one},{AWS}", f"id {one}\nsecret {AWS}", f"('{one}', '{AWS}')"):
        masked = Mask().text(text)
        assert (one in masked, AWS in masked) == (False, False)


BODY = "\n".join(["MIIEpAIBAAKCAQEA" + drawn(48), *(drawn(64) for _ in range(6)), drawn(30) + "=="])
HEAD, END = ("-----%s RSA PRIVATE KEY-----" % word for word in ("BEGIN", "END"))  # noqa: UP031


@pytest.mark.parametrize(
    "shown",
    [
        f"{HEAD}\n{BODY}\n{END}",
        f"{HEAD}\n{BODY[:200]}",
        BODY[100:] + f"\n{END}",
        BODY[:300],
        f"{HEAD}\\n{BODY}\\n{END}".replace("\n", "\\n"),
        "\n".join(f'    "{line}\\n"' for line in f"{HEAD}\n{BODY}\n{END}".split("\n")),
        "\n".join(f"# {line}" for line in f"{HEAD}\n{BODY}\n{END}".split("\n")),
    ],
    ids=["whole", "no end", "no beginning", "neither", "one line", "strings", "comments"],
)
def test_a_private_key_is_known_where_it_is_cut(shown: str) -> None:
    masked = Mask().text(f"before\n{shown}\nafter")
    assert masked.startswith("before\n")
    assert masked.endswith("\nafter")
    assert masked.count("\n") == shown.count("\n") + 2
    lines = BODY.split("\n")
    assert not any(line[len(line) // 2 :][:16] in masked for line in lines[:-1])
