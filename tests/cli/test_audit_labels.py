"""`audit score`: which labels are taken, and which are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubric_engine.labels import Format, labels_text, load_labels
from tests.cli.auditing import Grade, fill, graded, rubric, submission, truth
from tests.cli.conftest import Command

__all__ = ["graded", "rubric", "submission"]


def test_other_labels_are_told_and_the_last_line_counts(command: Command, graded: Grade) -> None:
    run = graded()
    command("audit", "plan", "latest", "--labels", "20")
    fill(run / "audit-labels.jsonl", lambda _: "not_met")
    lines = (run / "audit-labels.jsonl").read_text()
    keys = [json.loads(line)["key"] for line in lines.splitlines()]
    again = "".join(json.dumps({"key": key, "verdict": "met"}) + "\n" for key in keys)
    Path("labels.jsonl").write_text(lines + again + '{"key": "nobody", "verdict": "met"}\n')
    found = command("audit", "score", "latest", "labels.jsonl")
    assert "note        20 lines overridden by later ones of the same leaves" in found.out
    assert "note        1 label of leaves that were not drawn: ignored" in found.out
    whole = command("audit", "score", "latest", "labels.jsonl", "--json").json
    assert whole["audited"]["high"] == 1


@pytest.mark.parametrize("suffix", ["jsonl", "yaml", "csv"])
def test_labels_of_another_text_are_refused_in_every_format(
    command: Command, graded: Grade, suffix: Format
) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    labels = load_labels(run / "audit-labels.jsonl")
    file = Path(f"labels.{suffix}")
    file.write_text(labels_text(labels, suffix))
    assert command("audit", "score", run, file).code == 0
    first = next(iter(labels.labels))
    labels.labels[first] = labels.labels[first].model_copy(update={"leaf": "0" * 64})
    file.write_text(labels_text(labels, suffix))
    other = command("audit", "score", run, file)
    assert (other.code, "E507" in other.err, str(file) in other.err) == (3, True, True)


@pytest.mark.parametrize("suffix", ["jsonl", "yaml", "csv"])
def test_labels_that_were_not_made_blind_are_refused_unless_asked_for(
    command: Command, graded: Grade, suffix: Format
) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    labels = load_labels(run / "audit-labels.jsonl")
    for key in list(labels.labels)[:2]:
        labels.labels[key] = labels.labels[key].model_copy(update={"blind": False})
    file = Path(f"labels.{suffix}")
    file.write_text(labels_text(labels, suffix))
    refused = command("audit", "score", run, file)
    assert (refused.code, "E563" in refused.err, "add --seen" in refused.err) == (3, True, True)
    assert "2 of 20 labels were made with a judge's verdict in sight" in refused.err
    taken = command("audit", "score", run, file, "--seen")
    assert "warning     2 labels made with a judge's verdict in sight" in taken.out
    found = command("audit", "score", run, file, "--seen", "--json").json
    assert (found["labels"]["seen"], found["warnings"]) == (2, [found["warnings"][0]])


def test_what_is_wrong_in_a_line_is_told_with_its_place(command: Command, graded: Grade) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    lines = (run / "audit-labels.jsonl").read_text()
    torn = Path("torn.jsonl")
    torn.write_text(lines + '{"key": "n1", "verd')
    assert "warning     torn.jsonl:21: the last line is cut short" in (
        command("audit", "score", run, torn).out
    )
    torn.write_text(lines + '{"key": "n1", "verdict": "mets"}\n')
    wrong = command("audit", "score", run, torn)
    assert (wrong.code, "torn.jsonl:21" in wrong.err, "E501" in wrong.err) == (3, True, True)
    torn.write_text(lines + '{"key": "n1", "verdict": "met", "blnd": false}\n')
    assert "unknown key 'blnd'" in command("audit", "score", run, torn).err


def test_labels_of_another_run_override_none(command: Command, graded: Grade) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    sheet = run / "audit-labels.jsonl"
    fill(sheet, truth)
    before = command("audit", "score", run, "--json").json["audited"]
    rows = [json.loads(line) for line in sheet.read_text().splitlines()]
    with sheet.open("a") as file:
        file.writelines(json.dumps(row | {"run": "x", "verdict": "met"}) + "\n" for row in rows)
    found = command("audit", "score", run, "--json").json
    assert (found["audited"], found["labels"]["elsewhere"]) == (before, 20)
    assert "20 labels of other runs, by their `run`: ignored" in command("audit", "score", run).out
    sheet.write_text("".join(json.dumps(row | {"run": run.name}) + "\n" for row in rows))
    assert command("audit", "score", run, "--json").json["audited"] == before


def test_labels_of_another_submission_are_refused(
    command: Command, graded: Grade, submission: Path
) -> None:
    first = graded()
    (submission / "b.py").write_text("x = 1\n")
    second = graded()
    for run in (first, second):
        command("audit", "plan", run, "--labels", "20")
        fill(run / "audit-labels.jsonl", truth)
    refused = command("audit", "score", first, second / "audit-labels.jsonl")
    assert (refused.code, "error[E564]" in refused.err) == (3, True)
    assert "audit-labels.jsonl:1" in refused.err


def test_a_later_line_without_a_verdict_takes_a_label_back(command: Command, graded: Grade) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    sheet = run / "audit-labels.jsonl"
    fill(sheet, truth)
    first = json.loads(sheet.read_text().splitlines()[0])
    with sheet.open("a") as file:
        file.write(json.dumps(first | {"verdict": None}) + "\n")
    refused = command("audit", "score", run)
    assert (refused.code, f"no label: '{first['key']}'" in refused.err) == (3, True)
