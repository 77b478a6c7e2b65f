"""`compare`: runs that were really graded, as a user reads them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from rubric_engine.comparing import compare
from rubric_engine.runs import load_report
from tests.cli.conftest import ROOT, RUBRIC, Command

FULL = ROOT / "judgeeval" / "heavy-ball-full" / "submission"
PARTIAL = ROOT / "judgeeval" / "heavy-ball-partial" / "submission"


def run_of(command: Command, submission: Path, *arguments: str | Path) -> str:
    """Grade without a sandbox; the path of the run."""
    done = command("grade", submission, *arguments, "--sandbox", "none", "--json")
    assert "run" in done.json, done.out
    return str(done.json["run"])


WANTED = {
    "rules": (FULL, "rules"),
    "partial": (PARTIAL, "rules"),
    "met": (FULL, "all-met"),
    "random": (FULL, "random"),
    "again": (FULL, "random"),
}


class Graded(dict[str, str]):
    """Paths of runs of a shipped submission, by names of `WANTED`; graded when asked for."""

    def __init__(self, command: Command) -> None:
        super().__init__()
        self._command = command

    def __missing__(self, name: str) -> str:
        submission, judge = WANTED[name]
        run = run_of(self._command, submission, "--task", "heavy-ball", "--judge", judge)
        self[name] = run
        return run


@pytest.fixture
def graded(command: Command) -> Graded:
    """Runs by judges that cost nothing."""
    return Graded(command)


def test_a_comparison_is_read_at_80_columns(command: Command, graded: Graded) -> None:
    done = command("compare", graded["random"], graded["met"])
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 100
    assert done.out.startswith("B less A  ")
    table = done.out[done.out.index("what happened") :]
    assert max(map(len, table.splitlines())) <= 80
    assert "B less A  +" in done.out
    assert "B is graded higher than A: +" in done.out
    assert "not met -> met" in done.out
    assert "differs  judge: random " in done.out
    assert "and 9 more" in done.out


def test_below_full_coverage_the_range_is_first(command: Command, graded: Graded) -> None:
    done = command("compare", graded["rules"], graded["met"])
    lines = done.out.splitlines()
    gap = next(at for at, line in enumerate(lines) if line.startswith("B less A  between "))
    assert "if ungraded leaves count as 0 (missing=zero)" in lines[gap + 1]
    head = next(at for at, line in enumerate(lines) if line.startswith("A  9.6% if "))
    assert lines[head].endswith("% if ungraded leaves count as 0 (missing=zero)")
    assert re.fullmatch(r"   coverage [\d.]+% of the weight is graded", lines[head + 1])
    assert max(map(len, lines[: gap + 2])) <= 80
    assert "got a grade" in done.out


def test_json_holds_what_the_library_says(command: Command, graded: Graded) -> None:
    done = command("compare", graded["random"], graded["met"], "--json")
    found = compare(load_report(Path(graded["random"])), load_report(Path(graded["met"])))
    assert done.json["gap"]["value"] == found.gap.value
    assert [row["points"] for row in done.json["kinds"]] == [row.points for row in found.kinds]
    total = sum(row["points"] for row in done.json["kinds"])
    assert total == pytest.approx(found.gap.value)
    assert sum(row["leaves"] for row in done.json["kinds"]) == len(found.leaves)
    assert done.json["test"]["exact_p"] == found.test.exact_p
    assert done.json["gate"] is None
    assert done.err == ""


def test_reasons_stand_side_by_side(command: Command, graded: Graded) -> None:
    done = command("compare", graded["random"], graded["met"], "--leaves")
    assert done.out.count("  A  not met: tossed, not judged") == 19
    assert done.out.count("  B  met: the same for every leaf") == 19


def test_hidden_places_are_counted_in_what_is_given_out(command: Command, graded: Graded) -> None:
    words = ["compare", graded["random"], graded["met"], "--redact", "tossed"]
    brief, every = command(*words), command(*words, "--leaves")
    assert "it stands nowhere in what is printed; --leaves has every change" in brief.err
    assert f"hidden  {every.out.count('***')} places that --redact names" in every.err
    whole = command(*words, "--json").json["hidden"]["redacted"]
    assert whole == every.out.count("***") == 19
    page = command(*words, "--html", "page.html")
    assert f"hidden  {whole} places that --redact names" in page.err


def test_a_gate_says_what_it_held(command: Command, graded: Graded) -> None:
    met, random = graded["met"], graded["random"]
    for names, limit, code, word in (
        ((met, random), "10", 1, "fails: the low end of the score fell by 36."),
        ((met, random), "40", 0, "holds: the low end of the score fell by 36."),
        ((random, met), "0", 0, "holds: the low end of the score rose by 36."),
    ):
        done = command("compare", *names, "--fail-on-regression", limit)
        assert done.code == code
        assert word in done.out
        as_json = command("compare", *names, "--fail-on-regression", limit, "--json").json
        assert as_json["exit_code"] == code
        assert as_json["ok"] is (code == 0)
        assert as_json["gate"]["failed"] is (code == 1)


def test_a_repeat_shows_a_judges_own_noise(command: Command, graded: Graded) -> None:
    done = command("compare", graded["random"], graded["met"], "--repeat", graded["again"])
    assert done.code == 0, done.err
    assert "random asked again gives another verdict on 0.0% of 59 leaves (2 runs;" in done.out
    assert "more than its own noise." in done.out
    refused = command("compare", graded["random"], graded["met"], "--repeat", graded["rules"])
    assert refused.code == 3
    assert "E574" in refused.err


def test_names_are_those_of_show(command: Command, graded: Graded) -> None:
    first, second = graded["partial"], graded["again"]
    done = command("compare", Path(first).name[-6:], "latest", "--json")
    assert done.json["b"]["id"] == Path(second).name
    unlike = {one["name"]: (one["a"], one["b"]) for one in done.json["unlike"]}
    assert unlike.keys() == {"submission", "submission's files", "judge"}
    assert unlike["submission"] == ("heavy-ball-partial", "heavy-ball-full")


def test_an_edited_rubric_is_compared_and_another_refused(
    command: Command, rubric: Path, submission: Path, graded: Graded
) -> None:
    edited = yaml.safe_load(RUBRIC)
    edited["root"]["sub_tasks"][0]["weight"] = 5
    edited["root"]["sub_tasks"].append(
        {"id": "more", "requirements": "more", "task_category": "Code Development"}
    )
    path = rubric.with_name("edited.yaml")
    path.write_text(yaml.safe_dump(edited))
    first, second = (
        run_of(command, submission, "--rubric", one, "--judge", "rules") for one in (rubric, path)
    )
    done = command("compare", first, second)
    assert done.code == 0, done.err
    assert "weight changed" in done.out
    assert "added" in done.out
    refused = command("compare", first, graded["rules"])
    assert refused.code == 3
    assert "error[E571] the runs are of unlike rubrics" in refused.err
    assert "A: task small, rubric " in refused.err


def test_a_run_that_did_not_finish_decides_nothing(
    command: Command, graded: Graded, tmp_path: Path
) -> None:
    cut = tmp_path / "cut"
    shutil.copytree(graded["met"], cut)
    (cut / "report.json").unlink()
    lines = (cut / "grades.jsonl").read_text().splitlines(keepends=True)
    (cut / "grades.jsonl").write_text("".join(lines[:10]) + lines[10][:20])
    done = command("compare", graded["met"], cut, "--fail-on-regression", "0", "--html", "c.html")
    said = "B has 49 leaves that could not be graded (49 cancelled)"
    assert done.code == 5
    assert f"{said}\n" in done.out
    assert f"gate    --fail-on-regression 0 is not decided: {said}" in done.out
    assert said in Path("c.html").read_text()
    (cut / "grades.jsonl").unlink()
    (cut / "run.json").unlink()
    assert command("compare", graded["met"], cut).code == 3


def test_a_copy_of_a_run_differs_in_nothing(
    command: Command, graded: Graded, tmp_path: Path
) -> None:
    shutil.copytree(graded["met"], tmp_path / "copy")
    done = command("compare", graded["met"], tmp_path / "copy", "--fail-on-regression", "0")
    assert done.code == 0
    assert "B less A  0.0 points" in done.out
    assert "No grade differs on the 59 leaves that both runs graded." in done.out


def test_one_run_and_no_run_are_mistakes(command: Command, graded: Graded) -> None:
    assert command("compare", graded["met"], graded["met"]).code == 2
    assert command("compare", graded["met"], "nowhere").code == 3
    assert (
        command("compare", graded["met"], graded["rules"], "--fail-on-regression", "nan").code == 2
    )


def test_what_a_judge_says_is_escaped(
    command: Command, rubric: Path, submission: Path, tmp_path: Path
) -> None:
    labels, runs = tmp_path / "labels.yaml", []
    for verdict in ("met", "not_met"):
        said = {"verdict": verdict, "reason": "\x1b[31m\u202eevil\x07\nsecond"}
        every = dict.fromkeys(("code", "prose", "run"), said)
        labels.write_text(json.dumps({"annotator": "a", "labels": every}))
        runs.append(run_of(command, submission, "--rubric", rubric, "--labels", labels))
    done = command("compare", *runs, "--leaves")
    assert done.code == 0, done.err
    assert "\x1b" not in done.out
    assert "\\u{1b}[31m\\u{202e}evil\\u{7}" in done.out
    assert "     second" in done.out


def test_a_page_is_written_beside_what_is_printed(command: Command, graded: Graded) -> None:
    pair = graded["random"], graded["met"]
    done = command("compare", *pair, "--html", "page.html")
    assert done.code == 0, done.err
    assert done.err == "page    page.html\n"
    assert done.out == command("compare", *pair).out
    text = Path("page.html").read_text()
    assert 'data-entry="comparison"' in text
    assert command("compare", *pair, "--html", "page.html", "--json").json["page"] == "page.html"
    refused = command("compare", *pair, "--html", "nowhere/page.html")
    assert refused.code == 9
    for kept in ("report.json", "judge/judge.yaml"):
        assert command("compare", *pair, "--html", f"{pair[0]}/{kept}").code == 2
