"""`rubric-engine judgeeval run`: measure judges on labelled cases."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli import output_options, pay_options, run_options
from rubric_engine.cli.options import finite, option

if TYPE_CHECKING:
    pass

_WHAT = "What is measured"
_PLANTED = "Judges made of the labels"
_RUN = run_options.PANEL
_OUTPUT = output_options.PANEL


def _rate(help: str, name: str) -> Any:
    more: dict[str, Any] = {"metavar": "PERCENT", "min": 0, "max": 100, "callback": finite}
    return option(_PLANTED, help, name, **more)


def run(
    judge: Annotated[
        list[str],
        option(
            _WHAT,
            "Judge: a card's path, or a name; majority and replay are made of the labels. Several"
            " are measured one after the other.",
            "--judge",
        ),
    ],
    cases: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders of labelled cases; the shipped ones by default."),
    ] = None,
    name: Annotated[str | None, option(_WHAT, "What tables call it.")] = None,
    sample: Annotated[
        int | None,
        option(_WHAT, "Ask about so many labelled leaves only.", metavar="LEAVES", min=1),
    ] = None,
    seed: Annotated[int, option(_WHAT, "Seed of the sample and of planted errors.")] = 0,
    threshold: Annotated[
        float, option(_WHAT, "Score from which on a leaf counts as met.", min=0, max=1)
    ] = 0.5,
    model: pay_options.Model = None,
    base_url: pay_options.BaseUrl = None,
    context_window: pay_options.ContextWindow = None,
    max_connections: pay_options.MaxConnections = None,
    max_wait: pay_options.MaxWait = None,
    max_cost: pay_options.MaxCost = None,
    max_tokens: pay_options.MaxTokens = None,
    dry_run: pay_options.DryRun = False,
    confirm_above: pay_options.ConfirmAbove = 5.0,
    yes: pay_options.Yes = False,
    fresh: pay_options.Fresh = False,
    retry_failed: pay_options.RetryFailed = False,
    miss: Annotated[float, _rate("replay: met leaves that it calls not met.", "--miss")] = 0.0,
    false_alarm: Annotated[
        float, _rate("replay: leaves not met that it calls met.", "--false-alarm")
    ] = 0.0,
    hole: Annotated[float, _rate("replay: leaves that it fails to grade.", "--hole")] = 0.0,
    sandbox: Annotated[
        str,
        option(
            _RUN,
            "Where submissions run that were not run elsewhere: docker, local (NOT isolated), none,"
            " or auto: docker if it answers.",
        ),
    ] = "auto",
    engine: run_options.Engine = None,
    recipe: run_options.Recipe = None,
    time_limit: run_options.TimeLimit = None,
    memory: run_options.Memory = None,
    runs: output_options.Runs = Path("runs"),
    output: Annotated[
        Path | None,
        option(
            _OUTPUT,
            "Folder for the result, or for those of several judges; results/NAME by default.",
            "--output",
            "-o",
        ),
    ] = None,
    quiet: output_options.Quiet = False,
    as_json: output_options.AsJson = False,
) -> int:
    """Measure judges on labelled cases; the same command goes on where it was stopped."""
    from rubric_engine.cli.dry_run import print_foresight
    from rubric_engine.cli.inputs import model_settings, warn
    from rubric_engine.cli.judgeeval_outcome import print_evaluations
    from rubric_engine.cli.judgeeval_setting import box_of, folder_of, limited, warn_of_cases
    from rubric_engine.cli.judgeeval_several import folders_of, judges_of
    from rubric_engine.cli.judgeeval_watch import Watching
    from rubric_engine.cli.measuring import Measuring
    from rubric_engine.cli.sandboxing import Wanted
    from rubric_engine.connection import Spending
    from rubric_engine.judgeeval.cases import load_cases

    found = limited(load_cases(*(cases or ())), time_limit, memory)
    settings = model_settings(
        model, base_url, context_window, max_wait=max_wait, max_connections=max_connections
    )
    rates = {"miss": miss / 100, "false_alarm": false_alarm / 100, "hole": hole / 100}
    judges = judges_of(
        judge, found, rates, seed=seed, threshold=threshold, model=settings, dry=dry_run
    )
    place = partial(folder_of, places=cases or (), sample=sample, seed=seed)
    folders = folders_of(judges, name, output, place)
    spending = Spending(max_cost, max_tokens, fresh, retry_failed)
    silent, agreed = quiet or as_json, yes or max_cost is not None
    warn_of_cases(found, silent=silent)
    watching = Watching(max_cost=max_cost, silent=silent)
    box = box_of(Wanted(sandbox, engine, recipe), found, judges, watching.tell)
    measuring = Measuring(
        found, folders, settings, box.sandbox, sample, seed, threshold, spending, runs
    )
    if dry_run:
        print_foresight(measuring.foresight(), as_json=as_json)
        return 0
    measuring.confirm(above=None if agreed else confirm_above, silent=silent)
    warn(box)
    measuring.require_places()
    results = measuring.carry_out(name, watching)
    return print_evaluations(results, quiet=quiet, as_json=as_json)
