"""A scripted server in a process of its own: `python -m rubric_engine.testing.server`.

It prints its port, alone on the first line, and serves until it is stopped.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence

from rubric_engine.errors import UsageError
from rubric_engine.testing.faults import OF_CHAT
from rubric_engine.testing.scripted_server import ScriptedServer
from rubric_engine.testing.values import FAULT_KINDS
from rubric_engine.testing.vendors import VENDORS


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until SIGINT or SIGTERM; the exit code."""
    options = vars(_parser().parse_args(arguments))
    faults = dict(options.pop("fault"))
    verdicts = {text: said == "true" for text, said in options.pop("verdict")}
    refuses = tuple(options.pop("refuse"))
    models = tuple(options.pop("model"))
    try:
        server = ScriptedServer(
            faults=faults, verdicts=verdicts, refuses=refuses, models=models, **options
        )
        asyncio.run(_serve(server))
    except UsageError as error:
        lines = [*error.looked, *(f"fix: {each}" for each in error.fix)]
        sys.stderr.write("\n  ".join([f"error{error}", *lines]) + "\n")
        return error.exit_code
    return 0


async def _serve(server: ScriptedServer) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with server:
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        await stop.wait()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m rubric_engine.testing.server", description=__doc__)
    add = parser.add_argument
    add("--host", default="127.0.0.1")
    add("--port", type=int, default=0, help="0 takes a free one")
    add("--latency", type=float, default=0.0, help="seconds")
    add("--jitter", type=float, default=0.0, help="share of the latency, either way")
    add("--seed", type=int, default=0)
    add("--vendor", choices=sorted(VENDORS), default="openai")
    add("--context-tokens", type=int, help="window; endless where left out")
    add("--any-earlier", action="store_true", help="cache prefixes of unanswered requests too")
    add("--model", action="append", default=[], help="any name is taken where left out")
    add("--refuse", action="append", default=[], metavar="PARAMETER", help="unknown to the server")
    kinds = f"share of the requests, 0 to 1, that a fault befalls: {', '.join(FAULT_KINDS)}; "
    kinds += f"answers of decision models are left alone by {', '.join(OF_CHAT)}"
    add("--fault", action="append", default=[], type=_rate, metavar="KIND=RATE", help=kinds)
    says = "verdict where the prompt holds the text; elsewhere the question decides, evenly"
    add("--verdict", action="append", default=[], type=_verdict, metavar="TEXT=BOOL", help=says)
    return parser


def _rate(text: str) -> tuple[str, float]:
    kind, _, rate = text.partition("=")
    try:
        share = float(rate)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 500=0.3, a share up to 1")
    return kind, share


def _verdict(text: str) -> tuple[str, str]:
    part, _, said = text.rpartition("=")
    if said not in ("true", "false"):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form TEXT=true or TEXT=false")
    return part, said


if __name__ == "__main__":
    sys.exit(main())
