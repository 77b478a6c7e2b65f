"""`rubric-engine expbench grade`: answers to questions of EXP-Bench, graded side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli import pay_options, run_options

if TYPE_CHECKING:
    from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome

_WHAT, _RUN, _OUTPUT = "What is graded", run_options.PANEL, "Output"

REMARK = "files that running an answer makes are not in it: nobody knows them before"


def _option(panel: str, help: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


def grade(
    answers: Annotated[
        Path, typer.Argument(help="Folder of the answers, each called as its task.")
    ],
    tasks: Annotated[
        Path, _option(_WHAT, "Folder that `import` wrote tasks to.", "--tasks")
    ] = Path("tasks"),
    tau: Annotated[
        float,
        _option(_WHAT, "Share of its leaves from which a part holds.", "--tau", min=0.01, max=1),
    ] = 1.0,
    sample: Annotated[
        int | None,
        _option(_WHAT, "Only so many questions, the same ones each time.", "--sample", min=1),
    ] = None,
    judge: Annotated[
        str, _option(_WHAT, "Judge: a card's path, or a name.", "--judge", "-j")
    ] = "simple",
    repos: Annotated[
        Path | None,
        _option(_RUN, "Folder of masked repositories, each called as its task.", "--repos"),
    ] = None,
    sandbox: Annotated[
        str, _option(_RUN, "auto (Docker, where it answers), docker, or none.", "--sandbox")
    ] = "auto",
    engine: run_options.Engine = None,
    recipe: run_options.Recipe = None,
    gpus: run_options.Gpus = None,
    network: run_options.NetworkPolicy = None,
    time_limit: run_options.TimeLimit = None,
    memory: run_options.Memory = None,
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
    concurrency: Annotated[
        int, _option(_OUTPUT, "Answers graded at a time.", "--concurrency", min=1)
    ] = 4,
    runs: Annotated[
        Path, _option(_OUTPUT, "Folder for runs and the ledger of paid calls.", "--runs")
    ] = Path("runs"),
    output: Annotated[Path, _option(_OUTPUT, "Folder for results.", "--output", "-o")] = Path(
        "results/expbench"
    ),
    csv: Annotated[
        Path | None, _option(_OUTPUT, "Write the figures as CSV.", "--csv", metavar="FILE")
    ] = None,
    quiet: Annotated[bool, _option(_OUTPUT, "Print one line.", "--quiet", "-q")] = False,
    as_json: Annotated[bool, _option(_OUTPUT, "Print one JSON document.", "--json")] = False,
) -> int:
    """Grade answers: design, implementation, conclusion, execution, monitor."""
    from rubric_engine.benchmarks.expbench.grading.foreseeing import foresee_grading
    from rubric_engine.benchmarks.expbench.grading.questions import read_questions, strangers
    from rubric_engine.benchmarks.expbench.grading.results_folder import ExpFolder
    from rubric_engine.benchmarks.expbench.grading.running import grade_answers
    from rubric_engine.benchmarks.expbench.grading.summary import summarise
    from rubric_engine.cli.consent import ask
    from rubric_engine.cli.dry_run import print_foresight
    from rubric_engine.cli.expbench_tables import print_graded, write_figures
    from rubric_engine.cli.inputs import model_settings
    from rubric_engine.cli.judgeeval_setting import command_line
    from rubric_engine.cli.output import note, printable
    from rubric_engine.cli.sandboxing import Wanted, find_box, gpu_ids, spec_with
    from rubric_engine.connection import Spending

    pace = {"max_wait": max_wait, "max_connections": max_connections}
    settings = model_settings(model, base_url, context_window, **pace)
    spending = Spending(max_cost, max_tokens, fresh, retry_failed)
    if not dry_run:
        _find_keys(judge, settings)
    silent, agreed = quiet or as_json, yes or max_cost is not None
    questions = read_questions(tasks, repos, sample)
    strangers(answers, questions)  # told before anything is asked
    ExpFolder.require_free(output)
    if dry_run or not (silent and agreed):
        foresight = foresee_grading(
            questions, answers, judge=judge, model=settings, runs=runs, spending=spending
        )
        if dry_run:
            print_foresight(foresight, as_json=as_json, remark=REMARK)
            return 0
        if foresight.priced:
            ask(foresight, above=None if agreed else confirm_above, silent=silent)
    wanted = Wanted(sandbox, engine, recipe, gpu_ids(gpus), network, time_limit, memory)
    box = find_box(wanted, answers, needed=lambda: repos is not None)
    if box.why and not silent:
        note(f"nothing is run: {printable(box.why)}")
    results = grade_answers(
        answers,
        tasks,
        judge=judge,
        model=settings,
        repos=repos,
        sandbox=box.sandbox,
        spec=lambda spec: spec_with(spec, wanted),
        tau=tau,
        sample=sample,
        spending=spending,
        concurrency=concurrency,
        runs=runs,
        out=output,
        command=command_line(),
        told=None if silent else _tell,
    )
    if csv is not None:
        write_figures(summarise(results.answers, tau), csv)
    return print_graded(results, tau, output, quiet=quiet, as_json=as_json)


def _find_keys(judge: str, settings: dict[str, Any]) -> None:
    """Make sure that there is a key for every model that may be asked.

    Raises:
        CredentialsError: There is none.
        JudgeCardError: There is no such judge, or its card is wrong.
    """
    from rubric_engine.benchmarks.expbench.grading.asked import card_for
    from rubric_engine.candidate import load_candidate
    from rubric_engine.models.credentials import find_key

    for config in load_candidate(card_for(judge), model=settings).models:
        find_key(config)


def _tell(found: AnswerOutcome, done: int, many: int) -> None:
    """Say what came of an answer, in one line on stderr."""
    from rubric_engine.cli.output import note, percent, printable

    shares = {part: found.share(part).value for part in ("D", "I", "C")}
    told = [f"{part} {percent(v) if v is not None else '-'}" for part, v in shares.items()]
    signs = {True: "yes", False: "no", None: "-"}
    told += [f"E {signs[found.execution.value]}", f"M {signs[found.monitor.value]}"]
    trouble = f"   {printable(found.trouble, 60)}" if found.trouble else ""
    note(f"{done}/{many}  {printable(found.task, 40)}  {'  '.join(told)}{trouble}")
