"""What only looks like a secret, what takes long to look through, and what no text may keep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.report import Mask
from tests.report.keys import HEX, KEYS, UUID, Drawing

drawn = Drawing(9)
KEY = KEYS["openai"]

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
