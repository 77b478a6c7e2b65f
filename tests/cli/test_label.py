"""`label`: from the plan to gold, as people do it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from rubric_engine.judgeeval import load_labels
from rubric_engine.rubric_file import load_grades
from tests.cli.conftest import Command, Outcome

FOLDER = Path("labels/small-sub")

Fill = Callable[[str, Mapping[str, str]], Outcome]


@pytest.fixture
def assigned(command: Command, rubric: Path, submission: Path) -> Command:
    """The command, with three leaves that a1 and a2 are to label."""
    how = ("--rubric", rubric, "--annotators", "a1,a2", "--overlap", "100%")
    assert command("label", "assign", submission, *how).code == 0
    return command


@pytest.fixture
def fill(assigned: Command) -> Fill:
    """Fill a work file in and import it."""

    def go(name: str, verdicts: Mapping[str, str]) -> Outcome:
        kind = "todo" if name in ("a1", "a2") else "adjudicate"
        file = FOLDER / f"{kind}-{name}.jsonl"
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        for row in rows:
            row |= {"verdict": verdicts.get(row["key"]), "reason": f"seen by {name}"}
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return assigned("label", "import", file, "--as", name)

    return go


ONE = {"code": "met", "prose": "met", "run": "not_met"}
OTHER = {"code": "met", "prose": "not_met", "run": "cannot_judge"}


def test_from_the_plan_to_gold(assigned: Command, fill: Fill) -> None:
    assert fill("a1", {"code": "met"}).out.startswith("a1: 1 new label, 0 corrected, 0 unchanged")
    assert fill("a1", ONE).out.startswith("a1: 2 new labels, 0 corrected, 1 unchanged")
    assert "gold: 1 of 3 leaves, 2 to decide, 0 waiting" in fill("a2", OTHER).out
    status = assigned("label", "status", "--json").json
    assert [row["done"] for row in status["annotators"]] == [3, 3]
    assert (status["both"], status["to_decide"]) == (3, 2)
    outcome = assigned("label", "adjudicate", "--as", "a3")
    assert outcome.out.startswith("2 leaves to decide")
    texts = (FOLDER / "adjudicate-a3.jsonl").read_text()
    assert [json.loads(line)["key"] for line in texts.splitlines()] == ["prose", "run"]
    assert '"a1"' not in texts
    fill("a3", {"prose": "met", "run": "met"})
    gold = load_labels(FOLDER / "gold.jsonl")
    assert {key: label.verdict for key, label in gold.labels.items()} == dict.fromkeys(ONE, "met")
    assert gold.labels["run"].annotator == "a3"
    assert gold.labels["run"].votes == {"a1": "not_met", "a2": "cannot_judge"}
    assert assigned("label", "adjudicate", "--as", "a3").out.startswith("0 leaves to decide")


def test_a_correction_is_another_line_and_the_later_one_counts(fill: Fill) -> None:
    fill("a1", ONE)
    assert "1 corrected, 2 unchanged" in fill("a1", ONE | {"run": "met"}).out
    assert len((FOLDER / "a1.jsonl").read_text().splitlines()) == 4
    assert load_labels(FOLDER / "a1.jsonl").labels["run"].verdict == "met"


@pytest.mark.parametrize(
    "torn", ['{"key": "code", "verd', '{"key": "code", "citations": [{"a": 1}']
)
def test_what_a_crash_tore_is_told_and_does_no_harm(fill: Fill, torn: str) -> None:
    fill("a1", ONE)
    with (FOLDER / "a1.jsonl").open("a") as file:
        file.write(torn)
    assert "warning: labels/small-sub/a1.jsonl:4: the last line" in fill("a1", OTHER).err
    assert load_labels(FOLDER / "a1.jsonl").warnings == ()


def test_agreement_as_a_table_and_as_a_gate(assigned: Command, fill: Fill) -> None:
    assert "holds labels of 0 of 2 annotators" in assigned("label", "agreement").err
    fill("a1", ONE | {"prose": "not_met"})
    fill("a2", ONE)
    outcome = assigned("label", "agreement", "--min", "0.6")
    assert outcome.code == 1
    assert "--min 0.6: kappa is 0.400" in outcome.err
    assert max(map(len, outcome.out.splitlines()[:5])) == 80
    row = next(line for line in outcome.out.splitlines() if line.startswith("all "))
    assert row.split()[:4] == ["all", "3", "66.7%", "0.40"]
    assert assigned("label", "agreement", "--min", "0.4").code == 0
    found = assigned("label", "agreement", "--json").json["pairs"][-1]
    assert (found["both"], found["cannot_judge"]) == (3, 0)
    fill("a2", ONE | {"run": "cannot_judge"})
    outcome = assigned("label", "agreement", "--min", "0")
    assert "could not judge (in no figure): a1 0, a2 1" in outcome.out
    assert "one of them gave one verdict only" in outcome.out
    assert (outcome.code, "kappa is undefined" in outcome.err) == (1, True)


@pytest.mark.parametrize("format", ["yaml", "jsonl", "csv"])
def test_what_is_exported_is_imported_unchanged(
    assigned: Command, fill: Fill, tmp_path: Path, format: str
) -> None:
    fill("a1", ONE)
    file = tmp_path / f"out.{format}"
    assert assigned("label", "export", "--as", "a1", "--format", format, "-o", file).code == 0
    printed = assigned("label", "export", "--as", "a1", "--format", format).out
    assert printed.split() == file.read_text().split()
    assert (
        "0 new labels, 0 corrected, 3 unchanged"
        in assigned("label", "import", file, "--as", "a1").out
    )


def test_a_graded_tree_out_and_in(assigned: Command, fill: Fill, tmp_path: Path) -> None:
    fill("a1", {"code": "met", "run": "cannot_judge"})
    file = tmp_path / "expected_result.json"
    outcome = assigned("label", "export", "--as", "a1", "--format", "paperbench", "-o", file)
    assert "1 leaf without a label" in outcome.err
    assert "the root's score is null: by the leaves that have one it lies in" in outcome.err
    root = json.loads(file.read_text())
    assert (root["score"], root["valid_score"]) == (None, False)
    grades = load_grades(file)
    assert [grades[key].score for key in ("code", "prose", "run")] == [1.0, None, None]
    assert "2 new labels" in assigned("label", "import", file, "--as", "a2").out


def test_labels_move_to_a_rubric_with_other_keys(
    assigned: Command, fill: Fill, rubric: Path
) -> None:
    fill("a1", ONE)
    changed = rubric.with_name("later.yaml")
    text = rubric.read_text().replace("id: code", "id: solver").replace("out.csv\n", "o.csv\n")
    changed.write_text(text)
    outcome = assigned("label", "export", "--as", "a1", "--rubric", changed)
    assert [json.loads(line)["key"] for line in outcome.out.splitlines()] == ["solver", "prose"]
    assert "1 label moved to the leaf that has their text now: 'code'" in outcome.err
    assert "1 label not used: the text of the leaf, or one above it, has changed" in outcome.err
    outcome = assigned("label", "export", "--as", "a1", "--rubric", "heavy-ball")
    assert (outcome.code, outcome.out) == (3, "")


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"verdict": "not_met"}, "not_met wants a reason"),
        ({"verdict": "cannot_judge", "reason": " "}, "cannot_judge wants a reason"),
        ({"verdict": "met"}, "mine.jsonl:1 label of 'code': met wants a reason or a citation"),
        ({"verdict": "met", "citations": ["a.py:1-2"]}, ""),
    ],
)
def test_reasons_are_asked_for(assigned: Command, row: dict[str, object], says: str) -> None:
    Path("mine.jsonl").write_text(json.dumps({"key": "code"} | row))
    outcome = assigned("label", "import", "mine.jsonl", "--as", "a1")
    assert says in outcome.err
    assert outcome.code == (3 if says else 0)


def test_labels_that_do_not_fit_are_told(assigned: Command) -> None:
    rows = [
        {"key": "code", "verdict": "met", "reason": "r", "leaf": "0" * 64},
        {"key": "prose\x1b[31m", "verdict": "met", "reason": "r"},
        {"key": "run", "verdict": "met", "reason": "r"},
    ]
    Path("mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    outcome = assigned("label", "import", "mine.jsonl", "--as", "a1")
    assert "1 new label" in outcome.out
    assert "has changed: 'code'" in outcome.err
    assert "no leaf has their key or their text" in outcome.err
    assert "\x1b" not in outcome.err
    Path("mine.jsonl").write_text(json.dumps(rows[0]))
    assert assigned("label", "import", "mine.jsonl", "--as", "a1").code == 3


def test_a_share_of_the_leaves_and_labels_outside_of_it(
    command: Command, rubric: Path, submission: Path
) -> None:
    how = ("--rubric", rubric, "--annotators", "a1,a2", "--sample", "2", "--overlap", "0")
    outcome = command("label", "assign", submission, *how, "-o", "mine")
    assert outcome.out.startswith("2 of 3 leaves")
    plan = json.loads(Path("mine/plan.json").read_text())
    assert sorted(row["inclusion"] for row in plan["leaves"]) == [0.5, 1.0]
    rows = [{"key": key, "verdict": "met", "reason": "r"} for key in ("code", "prose", "run")]
    Path("all.jsonl").write_text("\n".join(map(json.dumps, rows)))
    outcome = command("label", "import", "all.jsonl", "mine", "--as", "a1")
    assert "1 label not taken: of leaves not drawn" in outcome.err
    assert "1 label taken of leaves that were given to others" in outcome.err


def test_wrong_calls_say_what_mends_them(assigned: Command, rubric: Path, submission: Path) -> None:
    def assign(*more: str | Path) -> Outcome:
        return assigned("label", "assign", submission, "--rubric", rubric, *more)

    assert assign("--annotators", "../x").code == 2
    assert assign("--annotators", "a1", "--overlap", "half").code == 2
    inside = assign("--annotators", "a1", "-o", submission / "labels")
    assert (inside.code, "lies in the submission" in inside.err) == (2, True)
    assert not (submission / "labels").exists()
    taken = assign("--annotators", "a1")
    assert (taken.code, "error[E557]" in taken.err) == (3, True)
    assert "its plan: 3 leaves of " in taken.err
    assert " sub, for a1, a2" in taken.err
    assert assigned("label", "adjudicate", "--as", "A1").code == 2
    assert assigned("label", "export", "--as", "nobody").code == 2
    assert assigned("label", "export", "--format", "xml").code == 2
    assert assigned("label", "export").code == 3
    assert assigned("label", "import", rubric, "--as", "a3").code == 2
    assert assigned("label", "import", "none.jsonl", "--as", "a1").code == 3
    assert assign("--annotators", "a1", "-o", "labels/second").code == 0
    several = assigned("label", "status")
    assert (several.code, "2 labellings" in several.err) == (3, True)
    (FOLDER / "plan.json").write_text("{}")
    assert "damaged" in assigned("label", "status", FOLDER).err
    assert assigned("label", "status", "nowhere").code == 3


def test_json_is_one_document_everywhere(command: Command, rubric: Path, submission: Path) -> None:
    how = ("--rubric", rubric, "--annotators", "a1", "--json")
    plan = command("label", "assign", submission, *how).json
    assert (plan["drawn"], plan["annotators"][0]["leaves"]) == (3, 3)
    Path("mine.jsonl").write_text('{"key": "code", "verdict": "cannot_judge", "reason": "r"}')
    taken = command("label", "import", "mine.jsonl", "--as", "a1", "--json").json
    assert (taken["new"], taken["gold"], taken["gone"]) == (1, 0, [])
    decide = command("label", "adjudicate", "--as", "a2", "--json").json
    assert (decide["to_decide"], decide["waiting"]) == (1, 2)
    wrong = command("label", "agreement", "--json")
    assert (wrong.code, wrong.json["error"]["code"]) == (3, "E555")


def test_what_an_adjudicator_filled_in_is_never_written_over(assigned: Command, fill: Fill) -> None:
    fill("a1", ONE)
    fill("a2", OTHER)
    assigned("label", "adjudicate", "--as", "a3")
    file = FOLDER / "adjudicate-a3.jsonl"
    first, second = map(json.loads, file.read_text().splitlines())
    assert first["annotator"] == "a3"
    begun = json.dumps(first | {"verdict": "met", "reason": "clear"})
    file.write_text(f"{begun}\n{json.dumps(second)}\n")
    assigned("label", "adjudicate", "--as", "a3")
    assert [json.loads(line) for line in file.read_text().splitlines()] == [
        json.loads(begun),
        second,
    ]
    fill("a2", ONE)  # nothing is disputed any more, and what was decided stays in the file
    assigned("label", "adjudicate", "--as", "a3")
    assert [json.loads(line) for line in file.read_text().splitlines()] == [json.loads(begun)]
    for damage in (f"{begun}\n{{oops\n", f'{begun}\n{{"key": "run", "verd'):
        file.write_text(damage)
        assert assigned("label", "adjudicate", "--as", "a3").code == 3
        assert file.read_text() == damage


def test_a_plan_that_was_lost_costs_no_filled_line(
    assigned: Command, rubric: Path, submission: Path
) -> None:
    file = FOLDER / "todo-a1.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    rows[0]["reason"] = "half a thought"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (FOLDER / "plan.json").unlink()
    how = ("--rubric", rubric, "--annotators", "a1,a2", "--overlap", "100%")
    assert assigned("label", "assign", submission, *how).code == 0
    assert [json.loads(line) for line in file.read_text().splitlines()] == rows


def test_an_export_does_not_replace_a_file_of_the_labelling(assigned: Command, fill: Fill) -> None:
    fill("a1", ONE)
    before = (FOLDER / "todo-a2.jsonl").read_text()
    refused = assigned("label", "export", "--as", "a1", "-o", FOLDER / "todo-a2.jsonl")
    assert (refused.code, (FOLDER / "todo-a2.jsonl").read_text()) == (2, before)


def test_the_work_file_of_another_is_not_taken_under_a_second_name(
    assigned: Command, fill: Fill
) -> None:
    fill("a1", ONE)
    refused = assigned("label", "import", FOLDER / "todo-a1.jsonl", "--as", "a2")
    assert (refused.code, "E556" in refused.err) == (3, True)
    assert "--as a1" in refused.err
    assert not (FOLDER / "a2.jsonl").exists()
    for suffix in ("csv", "yaml"):
        assigned("label", "export", "--as", "a1", "--format", suffix, "-o", f"out.{suffix}")
        assert assigned("label", "import", f"out.{suffix}", "--as", "a2").code == 3


def test_labels_that_are_the_same_word_by_word_are_told(assigned: Command, fill: Fill) -> None:
    fill("a1", ONE)
    text = (FOLDER / "todo-a1.jsonl").read_text()
    Path("copied.jsonl").write_text(text.replace('"annotator": "a1"', '"annotator": "a2"'))
    assert assigned("label", "import", "copied.jsonl", "--as", "a2").code == 0
    told = "a1 and a2 said the same, word by word, on 3 of 3 leaves"
    assert told in assigned("label", "agreement").err
    (warning,) = assigned("label", "agreement", "--json").json["warnings"]
    assert warning.startswith(told)
    fill("a2", ONE)
    assert told not in assigned("label", "agreement").err


def test_decisions_that_were_not_made_blind_are_told_and_in_no_gold(
    assigned: Command, fill: Fill
) -> None:
    fill("a1", ONE)
    fill("a2", OTHER)
    assigned("label", "adjudicate", "--as", "a3")
    file = FOLDER / "adjudicate-a3.jsonl"
    rows = [json.loads(line) | {"verdict": "met", "reason": "r", "blind": False}
            for line in file.read_text().splitlines()]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = "2 labels made with a judge's verdict in sight: no truth, not used"
    imported = assigned("label", "import", file, "--as", "a3")
    assert "gold: 1 of 3 leaves, 2 to decide" in imported.out
    assert told in imported.out
    for shown in ("status", "adjudicate"):
        more = ("--as", "a3") if shown == "adjudicate" else ()
        assert told in assigned("label", shown, *more).out
        assert assigned("label", shown, *more, "--json").json["seen"] == 2
    assert [*load_labels(FOLDER / "gold.jsonl").labels] == ["code"]
    outcome = assigned("label", "export")
    assert (len(outcome.out.splitlines()), told in outcome.err) == (1, True)
    tree = assigned("label", "export", "--as", "a3", "--format", "paperbench")
    assert "2 labels left out: made with a judge in sight" in tree.err
    assert '"score": 1' not in tree.out


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (("status", "nowhere"), "E505"),
        (("status",), "E553"),
        (("status", "labels/damaged"), "E552"),
        (("export", FOLDER), "E554"),
        (("agreement", FOLDER), "E555"),
        (("import", "unreasoned.jsonl", FOLDER, "--as", "a1"), "E551"),
        (("import", "strange.jsonl", FOLDER, "--as", "a1"), "E502"),
    ],
)
def test_each_trouble_has_a_code_of_its_own(
    assigned: Command, call: tuple[str | Path, ...], code: str
) -> None:
    Path("labels/damaged").mkdir()
    Path("labels/damaged/plan.json").write_text("{}")
    Path("unreasoned.jsonl").write_text('{"key": "code", "verdict": "met"}')
    Path("strange.jsonl").write_text('{"key": "x", "verdict": "met", "reason": "r"}')
    assert f"error[{code}]" in assigned("label", *call).err


def test_three_annotators_are_shown_by_twos_and_together(
    command: Command, rubric: Path, submission: Path
) -> None:
    how = ("--rubric", rubric, "--annotators", "a1,a2,a3", "--overlap", "100")
    command("label", "assign", submission, *how)
    for name, verdicts in (("a1", ONE), ("a2", ONE), ("a3", OTHER)):
        rows = [{"key": key, "verdict": said, "reason": "r"} for key, said in verdicts.items()]
        Path("mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
        command("label", "import", "mine.jsonl", "--as", name)
    outcome = command("label", "agreement", "--min", "0.9")
    lines = outcome.out.splitlines()
    assert [line.split()[:3] for line in lines if line.startswith("a1")] == [
        ["a1", "a2", "3"], ["a1", "a3", "2"]
    ]  # fmt: skip
    assert max(map(len, lines[:5])) == 80
    assert "alpha is" in outcome.err


def test_replayed_labels_say_what_is_left_out(
    command: Command, rubric: Path, submission: Path
) -> None:
    rows = [{"key": "code", "verdict": "met"}, {"key": "prose", "verdict": "met", "blind": False}]
    Path("mine.jsonl").write_text("\n".join([*map(json.dumps, rows), '{"key": "ru']))
    how = ("--rubric", rubric, "--labels", "mine.jsonl", "--sandbox", "none")
    outcome = command("grade", submission, *how)
    assert "mine.jsonl:3: the last line is cut short" in outcome.err
    assert "1 label left out: made with a judge in sight" in outcome.err


@pytest.fixture
def other(submission: Path) -> Path:
    """Another submission of the same task."""
    folder = submission.parent.with_name("other") / "submission"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("x = 1\n")
    return folder


def test_two_submissions_have_a_labelling_each_and_hints_work_as_printed(
    assigned: Command, fill: Fill, rubric: Path, other: Path
) -> None:
    how = ("--rubric", rubric, "--annotators", "a1,a2", "--overlap", "100%")
    outcome = assigned("label", "assign", other, *how)
    assert outcome.code == 0
    hints = [line.partition("   ")[0] for line in outcome.err.splitlines() if ": rubric-" in line]
    serve = f"then: rubric-engine label serve {other} --rubric {rubric}"
    filled_in = "or: rubric-engine label import labels/small-other/todo-a1.jsonl --as a1"
    assert [hints[0], hints[1].strip(), hints[2]] == [
        f"{serve} --as a1", filled_in, f"{serve} --as a2",
    ]  # fmt: skip
    assert assigned(*filled_in.removeprefix("or: rubric-engine ").split()).code == 0
    assert fill("a1", ONE).code == fill("a2", OTHER).code == 0
    outcome = assigned("label", "adjudicate", FOLDER, "--as", "a3")
    (hint,) = [line for line in outcome.err.splitlines() if line.startswith("then: ")]
    assert assigned(*hint.removeprefix("then: rubric-engine ").split()).code == 0


def test_labels_of_another_submission_are_not_taken(
    assigned: Command, fill: Fill, rubric: Path, other: Path
) -> None:
    how = ("--rubric", rubric, "--annotators", "a1,a2", "--overlap", "100%")
    assigned("label", "assign", other, *how)
    fill("a1", ONE)
    into = "labels/small-other"
    refused = assigned("label", "import", FOLDER / "todo-a1.jsonl", into, "--as", "a1")
    assert (refused.code, "error[E558]" in refused.err) == (3, True)
    assert "todo-a1.jsonl:1 3 of 3 labels are of another submission" in refused.err
    assert refused.err.count(" sub\n") == refused.err.count(" other\n") == 1
    for suffix in ("csv", "yaml", "jsonl"):
        assigned("label", "export", FOLDER, "--as", "a1", "--format", suffix, "-o", f"o.{suffix}")
        assert "E558" in assigned("label", "import", f"o.{suffix}", into, "--as", "a1").err
    Path(into, "a1.jsonl").write_text((FOLDER / "a1.jsonl").read_text())
    assert "error[E506]" in assigned("label", "status", into).err


def test_an_import_is_taken_back_by_its_lines(assigned: Command, fill: Fill) -> None:
    fill("a1", ONE)
    outcome = fill("a1", ONE | {"run": "met", "prose": "not_met"})
    assert f"to take this import back, delete lines 4 to 5 of {FOLDER}/a1.jsonl" in outcome.err
    lines = (FOLDER / "a1.jsonl").read_text().splitlines(keepends=True)
    (FOLDER / "a1.jsonl").write_text("".join(lines[:3]))
    found = load_labels(FOLDER / "a1.jsonl").labels
    assert {key: label.verdict for key, label in found.items()} == ONE
    again = assigned("label", "import", FOLDER / "todo-a1.jsonl", "--as", "a1", "--json").json
    assert (again["record"], again["lines"]) == (f"{FOLDER}/a1.jsonl", [4, 5])
    again = assigned("label", "import", FOLDER / "todo-a1.jsonl", "--as", "a1", "--json").json
    assert again["lines"] is None


def test_an_export_replaces_no_file_and_leaves_the_submission_alone(
    assigned: Command, fill: Fill, submission: Path
) -> None:
    fill("a1", ONE)
    Path("mine.jsonl").write_text("mine")
    Path("link.jsonl").symlink_to("nowhere.jsonl")
    for file in ("mine.jsonl", "link.jsonl", submission / "labels.jsonl"):
        assert assigned("label", "export", "--as", "a1", "-o", file).code == 2
    assert Path("mine.jsonl").read_text() == "mine"
    assert not (submission / "labels.jsonl").exists()


def test_a_plan_with_a_leaf_twice_is_refused_with_its_file(assigned: Command, fill: Fill) -> None:
    fill("a1", ONE)
    plan = json.loads((FOLDER / "plan.json").read_text())
    twice = plan | {"leaves": [*plan["leaves"][:2], plan["leaves"][0]]}
    (FOLDER / "plan.json").write_text(json.dumps(twice))
    for call in ("status", "agreement"):
        refused = assigned("label", call)
        assert (refused.code, "error[E552]" in refused.err) == (3, True)
        assert f"{FOLDER}/plan.json is damaged: leaf 'code' stands twice" in refused.err
    plan["leaves"][0]["leaf"] = "0" * 64
    (FOLDER / "plan.json").write_text(json.dumps(plan))
    refused = assigned("label", "adjudicate", "--as", "a3")
    assert refused.code == 3
    assert f"{FOLDER}" in refused.err


def test_a_rubric_that_is_not_the_plans_is_refused(assigned: Command, rubric: Path) -> None:
    text = (FOLDER / "rubric.json").read_text()
    (FOLDER / "rubric.json").write_text(text.replace("out.csv", "other.csv"))
    Path("mine.jsonl").write_text('{"key": "code", "verdict": "met", "reason": "r"}')
    refused = assigned("label", "import", "mine.jsonl", "--as", "a1")
    assert (refused.code, "rubric.json is damaged" in refused.err) == (3, True)


def test_paths_to_type_are_never_cut_and_figures_have_a_legend(
    assigned: Command, fill: Fill, rubric: Path, submission: Path
) -> None:
    long = f"labels/{'a-long-name-' * 8}x"
    how = ("--rubric", rubric, "--annotators", "a1", "-o", long)
    assert f"{long}/todo-a1.jsonl" in assigned("label", "assign", submission, *how).out
    fill("a1", ONE)
    fill("a2", ONE)
    assert "AC1: Gwet's" in assigned("label", "agreement", FOLDER).out
