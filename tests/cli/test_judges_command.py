"""`rubric-engine judges`: list, new, check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubric_engine.candidate import load_candidate, load_reader
from rubric_engine.errors import JudgeCardError
from rubric_engine.judge import JudgeCard
from rubric_engine.lookup import shipped
from rubric_engine.rubric_file import load_model
from rubric_engine.testing import ScriptedServer
from tests.cli.conftest import ROOT, Command
from tests.testing import breaking_judges

BREAKING = f"judge: 1\nkind: {breaking_judges.__name__}:SaysTwice\n"


def write(name: str, text: str) -> Path:
    card = Path("judges") / name / "judge.yaml"
    card.parent.mkdir(parents=True)
    card.write_text(text)
    return card


def test_the_list_names_every_judge_that_a_name_finds(command: Command) -> None:
    write("half", 'judge: 1\nkind: constant\nscore: 0.5\ndescription: "Half of \\e[31m"\n')
    write("rules", "judge: 1\nkind: constant\nscore: 0\n")
    seen = command("judges", "list", "--json").json["judges"]
    rows = {row["name"]: row for row in seen}
    assert [row["name"] for row in seen] == sorted({*shipped("judges"), "half"})
    assert (rows["half"]["source"], rows["rules"]["source"]) == ("here", "here")
    assert rows["rules"]["kind"] == "constant"  # what --judge rules takes here
    assert (rows["random"]["source"], rows["random"]["models"]) == ("shipped", [])
    assert rows["auto"]["models"] == rows["simple"]["models"] == ["gpt-5.6"]
    assert rows["labels"]["fingerprint"] is None
    assert "'labels' is missing" in rows["labels"]["error"]
    assert rows["half"]["fingerprint"] == load_candidate("half").judge.card.fingerprint
    shown = command("judges", "list")
    assert max(map(len, shown.out.splitlines())) <= 80
    assert "\x1b" not in shown.out
    assert "…" not in shown.out
    assert rows["simple"]["fingerprint"][:12] in shown.out
    assert shown.err == ""  # the card that is there to be copied says so in its description


def test_a_folder_without_a_card_is_no_judge(command: Command) -> None:
    Path("judges/canary").mkdir(parents=True)
    assert "canary" not in command("judges", "list", "--json").out
    write("mine", "kind: labels\n")
    assert (
        command("judges", "list").err
        == "mine: [E511] this card names no labels: 'labels' is missing\n"
    )


@pytest.mark.parametrize("kind", ["repeat", "constant"])
def test_a_kind_is_told_from_a_judge_of_that_name(command: Command, kind: str) -> None:
    write(f"{kind}s", f"kind: {kind}\n")
    seen = command("judges", "new", "mine", "--from", kind)
    assert seen.code == 3
    assert f"no judge '{kind}': that is a kind, and there is no card of this name" in seen.err
    assert f"fix: write ./judges/mine/judge.yaml with `kind: {kind}`" in seen.err


def test_a_judge_of_the_current_folder_may_be_the_one_that_was_meant(command: Command) -> None:
    write("strict-one", "kind: rules\n")
    seen = command("judges", "check", "strict-on")
    assert "no judge 'strict-on'; did you mean 'strict-one'?" in seen.err
    assert "\n  here: strict-one\n" in seen.err


def test_a_list_runs_no_code_that_a_card_of_the_folder_names(command: Command) -> None:
    Path("planted.py").write_text("raise SystemExit('it ran')\n")
    write("planted", "judge: 1\nkind: planted:Judge\n")
    write("around", "judge: 1\nkind: cascade\njudges: [rules, planted]\n")
    write("again", "judge: 1\nkind: repeat\nof: around\nn: 3\n")
    write("itself", "judge: 1\nkind: cascade\njudges: [itself]\n")
    write("twice", "judge: 1\nkind: panel\njudges: [fine, rules]\n")
    write("wrong", "judge: 1\nkind: panel\njudges: [rules]\n")
    write("fine", "judge: 1\nkind: cascade\njudges: [rules, all-met]\n")
    write("broken", "judge: 1\nscore: [\n")
    listed = command("judges", "list", "--json")
    rows = {row["name"]: row for row in listed.json["judges"]}
    assert listed.code == 0
    for name in ("planted", "around", "again"):
        assert "which a list does not run" in rows[name]["error"]
    assert rows["fine"]["error"] is rows["twice"]["error"] is None
    assert "made of itself" in rows["itself"]["error"]
    assert "at least two judges" in rows["wrong"]["error"]
    assert "E511" in rows["broken"]["error"]


def test_a_copy_of_the_monitor_is_a_monitor(command: Command) -> None:
    assert command("judges", "new", "mine", "--from", "monitor", "--json").code == 0
    assert load_reader("mine").prompts == load_reader("monitor").prompts
    assert load_reader("mine").card.name == "mine"


GRADES = [name for name in shipped("judges") if name not in ("labels", "monitor")]


@pytest.mark.parametrize("name", GRADES)
def test_a_copy_of_any_judge_loads_and_is_its_own(command: Command, name: str) -> None:
    made = command("judges", "new", "mine", "--from", name, "--json")
    assert made.code == 0
    copy, original = load_candidate("mine").judge.card, load_candidate(name).judge.card
    assert copy.name == "mine"
    assert made.json["fingerprint"] == copy.fingerprint != original.fingerprint
    again = original.model_copy(update={"name": "mine", "prompts": copy.settings.get("prompts")})
    without = {"prompts"}
    assert copy.model_dump(exclude=without) == again.model_dump(exclude=without)
    text = (Path("judges") / "mine" / "judge.yaml").read_text()
    comments = [
        line for line in (ROOT / f"judges/{name}/judge.yaml").read_text().splitlines()
        if line.startswith("#")
    ]  # fmt: skip
    assert [line for line in text.splitlines() if line.startswith("#")] == comments
    assert "../" not in text.partition("\nmodel:")[2]


def test_nothing_is_overwritten_and_odd_names_are_refused(command: Command) -> None:
    assert command("judges", "new", "mine").code == 0
    leaf = Path("judges/mine/leaf.jinja2")
    leaf.write_text("mine")
    again = command("judges", "new", "mine")
    assert (again.code, leaf.read_text()) == (2, "mine")
    assert "nothing is overwritten" in again.err
    for name in ("../out", "a/b", ".hidden", "-o", "", "x\n", "a judge", "x" * 65):
        refused = command("judges", "new", "--", name)
        assert refused.code == 2
        meant = refused.err.partition("fix: rubric-engine judges new ")[2].partition("\n")[0]
        assert command("judges", "new", meant, "-o", f"meant/{len(name)}").code == 0
    assert command("judges", "new", "other", "--from", "no-such").code == 3
    assert sorted(path.name for path in Path("judges").iterdir()) == ["mine"]


def test_a_new_judge_says_what_to_edit_and_what_comes_next(command: Command) -> None:
    made = command("judges", "new", "mine", "-o", "elsewhere")
    assert "elsewhere/mine/judge.yaml   model, evidence" in made.out
    assert "leaf.jinja2" in made.out
    assert "rubric-engine judges check ./elsewhere/mine" in made.out
    assert command("judges", "check", "./elsewhere/mine").code == 0


@pytest.mark.parametrize("folder", ["zz/mine", "zz"])
def test_a_folder_that_is_called_as_the_judge_is_its_own(command: Command, folder: str) -> None:
    made = command("judges", "new", "mine", "--from", "panel", "-o", folder, "--json")
    assert made.json["judge"] == "zz/mine"
    assert made.json["members"] == ["rules", "simple", "thorough"]
    assert command("judges", "new", "judges", "--json").json["judge"] == "judges/judges"


def test_a_copy_of_a_composed_judge_says_what_it_still_depends_on(command: Command) -> None:
    made = command("judges", "new", "mine", "--from", "auto").out
    assert "depends on it no more" not in made
    assert "judges       rules, simple   those of these names, not copied\n" in made
    assert "depends on it no more" in command("judges", "new", "other").out
    elsewhere = Path("far").resolve()
    made = command("judges", "new", "mine", "--from", "rules", "-o", str(elsewhere)).out
    assert f"judges check {elsewhere}/mine\n" in made


@pytest.mark.parametrize(
    ("card", "told"),
    [
        ("kind: rules\ncanaries: {count: x}\n", ":2:19 canaries.count: must be a valid integer"),
        ("kind: rules\nname: [a]\n", "name: "),
        ("kind: panel\njudges: [rules, odd]\n", ":2:17 judge 'odd' is made of itself"),
        ("kind: repeat\nn: 3\nof: odd\n", ":3:5 judge 'odd' is made of itself"),
        ("kind: cascade\njudges:\n- rules\n- rulez\n", ":4:3 no judge 'rulez'"),
        ("kind: panel\njudges: [rules, rules]\n", ":2:17 'rules' stands twice"),
        ("kind: rules\ncanaries: {count: 1, rubrics: [no]}\n", "canaries of 'odd': no task 'no'"),
    ],
)
def test_an_error_of_a_card_names_its_line_and_what_mends_it(
    command: Command, card: str, told: str
) -> None:
    write("odd", card)
    seen = command("judges", "check", "odd")
    assert seen.code == 3
    assert told in seen.err.splitlines()[0]
    assert "\n  fix: " in seen.err


def test_a_judge_that_lacks_its_model_is_told_how_to_get_one(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path.cwd())
    Path("wants_a_model.py").write_text(
        "class Asks:\n    def __init__(self, card, context):\n        card.settings['model']\n"
    )
    write("asks", "kind: wants_a_model:Asks\n")
    seen = command("judges", "check", "asks")
    assert seen.code == 3
    assert "makes no judge: KeyError: 'model'" in seen.err
    assert "fix: give it a model where it asks one: --model NAME, or a card with" in seen.err


def test_a_copy_that_takes_a_shipped_judge_s_name_says_so(command: Command) -> None:
    assert "'rules' now means this copy" in command("judges", "new", "rules").err
    assert "now means" not in command("judges", "new", "rules", "-o", "elsewhere").err
    assert "now means" not in command("judges", "new", "mine", "--from", "random").err


def test_labels_and_prompts_are_found_from_where_the_copy_stands(command: Command) -> None:
    prompts = Path("texts")
    prompts.mkdir()
    for path in (ROOT / "judges/simple").glob("*.jinja2"):
        (prompts / path.name).write_text(path.read_text())
    Path("labels.yaml").write_text("annotator: me\nlabels:\n  a: {verdict: met, reason: seen}\n")
    write("mine", "kind: labels\nname: odd\nlabels: ../../labels.yaml\njudge: 1\n")
    names = {name: f"../../texts/{name}.jinja2" for name in ("system", "leaf")}
    model = {"name": "m", "base_url": "http://localhost:1/v1"}
    flow = write(
        "flow", json.dumps({"judge": 1, "kind": "simple", "model": model, "prompts": names})
    )
    for name in ("paper", "part"):
        (flow.parent / f"{name}.jinja2").write_text("as it was")
    assert command("judges", "new", "two", "--from", "mine", "-o", "a/b").code == 0
    copied = load_model(Path("a/b/two/judge.yaml"), JudgeCard, error=JudgeCardError, code="E511")
    assert (copied.name, copied.settings["labels"]) == ("two", "../../../labels.yaml")
    assert command("judges", "new", "three", "--from", "flow").code == 0
    assert Path("judges/three/system.jinja2").read_text() == (prompts / "system.jinja2").read_text()
    assert Path("judges/three/paper.jinja2").read_text() == "as it was"


def test_a_label_card_is_copied_though_it_lacks_its_labels(command: Command) -> None:
    made = command("judges", "new", "mine", "--from", "labels")
    assert made.code == 0
    assert "it is not whole yet" in made.err
    assert command("judges", "check", "mine").code == 3


def test_a_check_names_what_is_broken(command: Command) -> None:
    write("twice", BREAKING)
    seen = command("judges", "check", "twice")
    assert seen.code == 1
    assert "fail  no leaf comes twice: 'solver' comes more than once\n" in seen.out
    assert "ok    grades are in range\n" in seen.out
    told = command("judges", "check", "twice", "--json", "--live")
    assert (told.code, told.json["ok"]) == (1, False)
    broken = [row["promise"] for row in told.json["promises"] if row["broken"]]
    assert broken == ["no leaf comes twice"]
    assert "live" not in told.json  # nothing is asked where a promise is broken


def test_a_live_check_asks_three_questions_and_keeps_the_run(command: Command) -> None:
    with ScriptedServer() as server:
        seen = command("judges", "check", "auto", "--live", "--base-url", server.base_url)
        assert seen.code == 0
        assert server.stats().requests == 3
        again = command(
            "judges", "check", "auto", "--live", "--base-url", server.base_url, "--json"
        )
        assert server.stats().requests == 6  # an answer on record tells nothing of the endpoint
    assert "estimate    3 calls" in seen.err
    assert "16 of 16 promises kept" in seen.out
    assert "momentum     score" in seen.out
    assert [row["key"] for row in again.json["live"]] == ["momentum", "steps", "halved"]
    assert Path(again.json["run"], "report.json").is_file()


def test_a_live_check_needs_a_model_a_key_and_a_word(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("judges", "check", "rules", "--live").code == 2
    assert command("judges", "check", "simple", "--live").code == 4
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-for-tests")
    refused = command("judges", "check", "simple", "--live", "--confirm-above", "0")
    assert (refused.code, "E003" in refused.err) == (2, True)
    monkeypatch.setenv("DEAD_KEY", "a-key-for-tests")
    with ScriptedServer(faults={"401": 1.0}) as server:
        dead = command("judges", "check", "simple", "--live", "--base-url", server.base_url)
    assert dead.code == 4
