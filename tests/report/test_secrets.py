"""What is known for a secret by its look or its name, and what looks like one and is none."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.report import Mask
from rubric_engine.report.masking import HIDDEN

DRAW = random.Random(7)


def drawn(size: int, of: str = string.ascii_letters + string.digits) -> str:
    """Characters of a key; the same at every start."""
    return "".join(DRAW.choice(of) for _ in range(size))


HEX = "0123456789abcdef"
AWS = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

KEYS = {
    "openai": f"sk-proj-{drawn(48)}",
    "openai-old": f"sk-{drawn(48)}",
    "anthropic": f"sk-ant-api03-{drawn(93)}AA",
    "openrouter": f"sk-or-v1-{drawn(64, HEX)}",
    "gemini": f"AIza{drawn(35)}",
    "groq": f"gsk_{drawn(52)}",
    "xai": f"xai-{drawn(80)}",
    "replicate": f"r8_{drawn(37)}",
    "nvidia": f"nvapi-{drawn(64)}",
    "langsmith": f"lsv2_pt_{drawn(32, HEX)}_{drawn(10, HEX)}",
    "github": f"gho_{drawn(36)}",
    "github-fine": f"github_pat_{drawn(22)}_{drawn(59)}",
    "gitlab": f"glpat-{drawn(20)}",
    "slack": f"xoxp-1234567890-1234567890-{drawn(24)}",
    "slack-hook": f"hooks.slack.com/services/T0{drawn(8)}/B0{drawn(8)}/{drawn(24)}",
    "discord": f"discord.com/api/webhooks/{drawn(18, string.digits)}/{drawn(68)}",
    "telegram": f"123456789:AA{drawn(33)}",
    "hugging-face": f"hf_{drawn(34, string.ascii_letters)}",
    "npm": f"npm_{drawn(36)}",
    "pypi": f"pypi-AgEIcHlwaS5vcmc{drawn(80)}",
    "docker": f"dckr_pat_{drawn(27)}",
    "databricks": f"dapi{drawn(32, HEX)}",
    "aws-id": f"AKIA{drawn(16, string.ascii_uppercase)}",
    "stripe": f"sk_live_{drawn(24)}",
    "sendgrid": f"SG.{drawn(22)}.{drawn(43)}",
    "vault": f"hvs.{drawn(90)}",
    "grafana": f"glsa_{drawn(32)}_{drawn(8, HEX)}",
    "jwt": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{drawn(43)}",
    "age": f"AGE-SECRET-KEY-1{drawn(58, string.ascii_uppercase + string.digits)}",
}


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
UUID = "550e8400-e29b-41d4-a716-446655440000"


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


NO_SECRETS = [
    f'"integrity": "sha512-{drawn(86)}==",',
    f'{{file = "torch-2.1.0-cp311-cp311-manylinux1_x86_64.whl", hash = "sha256:{drawn(64, HEX)}"}}',
    f'checksum = "{drawn(64, HEX)}"',
    f"    --hash=sha256:{drawn(64, HEX)} \\",
    f"commit {drawn(40, HEX)}",
    f"Merge: {drawn(7, HEX)} {drawn(7, HEX)}",
    f"index {drawn(7, HEX)}..{drawn(7, HEX)} 100644",
    f"git+https://github.com/a/b.git@{drawn(40, HEX)}",
    f"run_id = '{UUID}'",
    f"cache_key: {drawn(64, HEX)}",
    f'"key": "{drawn(64, HEX)}"',
    f"data:image/png;base64,iVBORw0KGgo{drawn(4000)}",
    f'"image/png": "iVBORw0KGgo{drawn(4000)}+/=="',
    "tokenizer_name = 'Qwen2.5-7B-Instruct-1M'",
    "tokenizer: meta-llama/Llama-3.1-8B-Instruct",
    "token_model: gpt-4o-mini-2024-07-18",
    "key = jax.random.PRNGKey(42)",
    "rng_key, sub_key = jax.random.split(rng_key)",
    "key=lambda x: x.split('_')[1]",
    "keys = sorted(state_dict_v2.keys())",
    "max_tokens=4096, num_tokens: 128000000, eos_token_id=128009",
    "pad_token = '<|finetune_right_pad_id|>'",
    "secret = hashlib.sha256(data).hexdigest()",
    "password = getpass.getpass('Password: ')",
    "api_key = os.environ['OPENAI_API_KEY']",
    "api_key=${OPENAI_API_KEY} token=$TOKEN2024Abc",
    "api_key: YOUR_API_KEY_GOES_HERE_2024",
    "api_key = 'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'",
    "Authorization: Bearer {token}",
    "Authorization: Bearer $OPENAI_API_KEY",
    'headers={"Authorization": f"Bearer {self.api_key}"}',
    "Authorization: Basic authentication is required",
    "the bearer of this letter, and basic understanding of optimisation",
    "postgres://user:${DB_PASSWORD}@host/db",
    "sk-estimator-doc-link-2 sk-toggleable__content-1 sk-container-id-1",
    "sk-learn-is-a-name-and-not-a-key-at-all",
    "author = 'Müller2024', authors: ['A1B2']",
    "author: Vaswani2017Attention",
    "authentication: OAuth2",
    "the secret: AdamW beats SGD by 3.14",
    "foreign_key: users_v2.id",
    "key_path: /home/user/.ssh/id_ed25519",
    "public_key: ssh-ed25519",
    "monkey: Donkey2Kong3Country64Version12",
    "docker run -u 1000:1000 image",
    "user@example.org, git@github.com:owner/name.git, a://b@c",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQ",
    "privateKey = bufToB64Url(x), auth = _BedrockSigV4Auth(1)",
    r"token_pattern = r'[0-9]{1,3}(?:st|nd|rd|th)\s\b(\w{2,})\b'",
    "https://user:password@host, http://user:PASS@host",
    "conv1x1_bn3_relu2_layer4_block12",
    'metavar="TOKENS", min=1000',
    "x = 'a' + 'b', \"c\" . \"d\"\n'e' 'f'",
]


@pytest.mark.parametrize("text", NO_SECRETS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    mask = Mask()
    assert mask.text(text) == text
    assert mask.count.secrets == 0


PIECES = [
    "sk-", "token=", "password: '", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----",
    "://a:", "eyJaaaaaaaaa.", "Authorization: Bearer ", '" + "', "'\n'", '"' + " " * 39, "\u200b",
    "\n   ", " " * 50, "A" * 16, "AKIA" + "A" * 16, "MIIEpAIBAAK", "a1B2", "login x password ",
    "key=", "\\\n", "\x1b[", "=", "?sig=", "token=token:", "\0", "`",
    "aB3d\n", "aaaa\n", "\"\n\"", "_key=", "abcd ", "\\",
]  # fmt: skip


@pytest.mark.parametrize("size", [200_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("piece", PIECES)
def test_a_long_line_takes_no_longer_than_any(piece: str, size: int) -> None:
    text = piece * (size // len(piece))  # minutes if it were quadratic
    assert Mask().text(text).count("\n") == text.count("\n")
    begun = "sk-" + text
    assert Mask().text(begun).count("\n") == begun.count("\n")


@given(st.lists(st.sampled_from([*PIECES, KEY, KEY[:20], KEY[20:], "\ud800", "后"]), max_size=12))
def test_no_key_stays_and_no_line_goes(parts: list[str]) -> None:
    text = " ".join(parts)
    masked = Mask().text(text)
    assert masked.count("\n") == text.count("\n")
    assert KEY not in masked
    assert KEY not in Mask().text(f"{text}\n{KEY}")
