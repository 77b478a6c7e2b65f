"""Secrets as they are written in code and settings, and names that begin as keys do."""

from __future__ import annotations

import pytest

from rubric_engine.report import Mask
from rubric_engine.report.masking import HIDDEN
from tests.report.keys import HEX, Drawing

drawn = Drawing(10)
VALUE = drawn(32)
NUMBER = drawn(40, HEX)


@pytest.mark.parametrize(
    "text",
    [
        'api_key: str = "{}"', 'api_key: str | None = "{}"', 'api_key: Optional[str] = "{}"',
        'apiKey: string = "{}"', 'let api_key: &\'static str = "{}";', 'hf_token      =      "{}"',
        'token = """{}"""', "token = '''{}'''", 'parser.add_argument("--api_key", default="{}")',
        'parser.add_argument(\n    "--api-key",\n    type=str,\n    default="{}",\n)',
        'api_key = ("{}")', 'api_key = (\n    "{}"\n)', 'api_key = str("{}")',
        '"api_key":\n    "{}"', 'api_keys = ["{}"]', "tokens:\n  - {}", '"${{API_KEY:-{}}}"',
        'API_KEY="${{API_KEY:-{}}}"', 'os.getenv("API_KEY") or "{}"',
        'os.getenv("API_KEY", default="{}")', "API_KEY ?= {}", 'def f(token: str = "{}"): ...',
        'headers = {{"Authorization": "{}"}}', '#define API_KEY "{}"', "export API_KEY {}",
    ],
)  # fmt: skip
def test_a_value_is_hidden_however_it_is_written(text: str) -> None:
    assert Mask().text(text.format(VALUE)) == text.format(HIDDEN)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f'wandb.login(key="{NUMBER}")', NUMBER),
        (f"wandb login --relogin {NUMBER}", NUMBER),
        (f'{{"username":"someone","key":"{NUMBER[:32]}"}}', NUMBER[:32]),
        (f'{{"key":"{NUMBER[:32]}","username":"someone"}}', NUMBER[:32]),
        ("postgres://user:p@ss:w0rd@host/db", "p@ss:w0rd"),
        ("password=48210593", "48210593"),
        ("DB_PASSWORD=hunter2hunter2", "hunter2hunter2"),
        ("SECRET_KEY = 'django-insecure-k9(z#q2@x7)w$p4&v1^n8*t3+r6_b5=m0'", "django-insecure-k9("),
    ],
)
def test_a_secret_of_its_own_look_is_hidden(text: str, secret: str) -> None:
    masked = Mask().text(text)
    assert secret not in masked
    assert masked.startswith(text[: text.index(secret)] + HIDDEN)


@pytest.mark.parametrize(
    "key",
    [
        f"wandb_v1_{drawn(60)}", f"KGAT_{drawn(32, HEX)}", f"pcsk_{drawn(6)}_{drawn(63)}",
        f"whsec_{drawn(32)}", f"lin_api_{drawn(40)}", f"ntn_{drawn(46)}", f"figd_{drawn(40)}",
        f"PMAK-{drawn(24, HEX)}-{drawn(34, HEX)}", f"NRAK-{drawn(27, 'ABCDEFGHJ123456789')}",
        f"tvly-dev-{drawn(32)}", f"jina_{drawn(60)}", f"rpa_{drawn(44)}", f"sbp_{drawn(40, HEX)}",
        f"dp.pt.{drawn(43)}", f"sntrys_eyJ{drawn(60)}_{drawn(43)}", f"ATBB{drawn(32)}",
        f"sqp_{drawn(40, HEX)}", f"1//0{drawn(60)}", f"{drawn(3)}8Q~{drawn(34)}",
    ],
    ids=lambda key: key[:8],
)  # fmt: skip
def test_a_key_of_more_kinds_is_known_by_how_it_begins(key: str) -> None:
    assert Mask().text(f"as {key} here") == f"as {HIDDEN} here"


@pytest.mark.parametrize(
    "text",
    [
        "fw_hidden_state_projection_layer_norm = nn.Linear(8, 8)",
        "fw_backward_pass_gradient_accumulator",
        "pip install xai-explainability-methods-benchmark",
        "glrt-generalized-likelihood-ratio, glft-graph-laplacian-fourier-transform",
        "glsa_global_local_spatial_attention(x)",
        "pplx-perplexity-evaluation-on-wikitext103",
        "nvapi-wrapper-for-python-bindings-v2",
        "dapi_controller_for_the_payment_service",
        "xoxo-gossip-girl-dataset, xox-style-noughts-and-crosses",
        "hf_ModelForSequenceClassificationWithHead, hf_transformersAutoModelForCausalLM1",
        "sk_test_adaptiveStepsize, rk_test_convergence4",
        "SG.some_long_module_name_x.other_long_module_name",
        "PWD=/home/user/Proj3ct/x",
        '"TheTokenEndpoint",\n    "CreateMcpOauthTokenEndpointAuthParamNone"',
        "password_min_length: 100000",
    ],
)
def test_a_name_that_begins_as_keys_do_stays(text: str) -> None:
    assert Mask().text(text) == text
