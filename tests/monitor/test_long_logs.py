"""Logs that say one thing without end: all is counted, the gravest is listed, room is bounded."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.monitor import Draft, Severity, Watched
from rubric_engine.monitor.agent import AgentSteps
from rubric_engine.monitor.agent_log import steps_of
from rubric_engine.monitor.blacklist import parse_blacklist
from rubric_engine.monitor.finding import Gathered
from rubric_engine.monitor.watching import LISTED
from tests.monitor.watching import LISTED as REFERENCE
from tests.monitor.watching import MakeTree, call, logged, of_rule, watched


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    folder = tmp_path_factory.mktemp("submission")
    (folder / "reproduce.sh").write_text("python main.py\n")
    return watched(folder, log="")


CLONE = "git clone https://github.com/owner/fre"


@pytest.mark.parametrize("line", [f"$ {CLONE}\nok\n", call(CLONE), f">>> os.system('{CLONE}')\n"])
@pytest.mark.parametrize("times", [LISTED - 10, LISTED, LISTED + 1, 3 * LISTED])
def test_all_that_is_found_is_counted(make_tree: MakeTree, line: str, times: int) -> None:
    report = logged(make_tree, line * times)
    used = of_rule(report, "blacklist.used")
    others = len(report.findings) - len(used) + report.unlisted
    assert len(used) == min(times, LISTED)
    assert times <= len(used) + others <= times + 1  # the host is a note
    assert [one.line for one in used] == sorted({one.line or 0 for one in used})


@pytest.mark.parametrize("notes", ["$ git log -p\n", "$ git show 'a'\n"])
def test_a_violation_behind_100000_notes_is_listed(make_tree: MakeTree, notes: str) -> None:
    report = logged(make_tree, notes * 100_000 + f"$ {CLONE}\n")
    [used] = of_rule(report, "blacklist.used")
    assert (used.severity, used.line, report.verdict) == ("violation", 100_001, "violation")
    assert len(report.findings) == LISTED
    assert len(report.findings) + report.unlisted == 100_002  # the host is a note, too


def test_what_is_suspicious_is_not_lost_to_notes(make_tree: MakeTree) -> None:
    log = "$ git log -p\n" * 5_000 + "$ unknown https://github.com/owner/fre\n"
    report = logged(make_tree, log)
    assert report.verdict == "suspicious"


def test_a_file_that_changed_is_run_anew(make_tree: MakeTree) -> None:
    """A step is remembered, but not what files held when it was read."""
    log = "$ echo ls > 'a.sh'\n$ bash a.sh\n" * 2_000 + f"$ echo {CLONE} > a.sh\n$ bash a.sh\n"
    used = of_rule(logged(make_tree, log), "blacklist.used")
    assert [one.line for one in used if one.severity == "violation"] == [4_002]


@pytest.mark.parametrize(
    "command",
    [
        "gi't' clone 'https://github.com/owner/fre'",
        "gh repo clone 'owner'/fre",
        'gh repo clone ow"ner/f"re',
        "GH repo clone OWNER/FRE",
        "eval gh repo clone owner/fre",
        "gh repo clone $(echo owner)/fre",
        "curl -L blacklist.txt",
        "a=ow b=ner/fre; gh repo clone $a$b",
        "echo erf/renwo | rev | xargs gh repo clone",
        "echo b3duZXIvZnJl | base64 -d | xargs gh repo clone",
        "gh repo clone %6f%77ner/fre",
        "gh repo clone $'\\x6fwner/fre'",
    ],
)
def test_no_step_is_taken_for_a_dull_one(make_tree: MakeTree, command: str) -> None:
    report = logged(make_tree, f"$ ls -la\n$ {command}\n")
    assert [one.line for one in of_rule(report, "blacklist.used")] == [2]


@given(
    st.lists(
        st.sampled_from(["ls 'a b'", "git", "gh", "owner/fre", '"', "'", " ", "eval", "bash", "-c"])
        | st.text("abgit/. '\"-", max_size=12),
        max_size=8,
    )
)
def test_what_is_dull_comes_to_nothing_when_it_is_read(plain: Watched, words: list[str]) -> None:
    log = plain.agent_log
    assert log is not None
    steps = AgentSteps(plain, log, parse_blacklist([REFERENCE]))
    for step in steps_of("$ " + " ".join(words)):
        if steps._is_dull(step) or steps._is_void(step):
            assert steps._read(step) == ((), (), ())


WORDS = "base64 -d echo tee $( https: // github.com/ ow ner owner/ fre $a $b a= b= ; git g clone"
SIGNS = "\\ ' \" + ( ) get os.system curl x27 %6f [::-1] b3duZXIvZnJl"
PIECES = st.sampled_from([*WORDS.split(), *SIGNS.split(), " ", "it ", "| rev ", "> f "])


@given(st.sampled_from(["$ ", ">>> "]), st.lists(PIECES, max_size=14))
def test_what_lacks_letters_comes_to_nothing_when_it_is_read(
    plain: Watched, prompt: str, pieces: list[str]
) -> None:
    log = plain.agent_log
    assert log is not None
    steps = AgentSteps(plain, log, parse_blacklist([REFERENCE]))
    for step in steps_of(prompt + "x" + "".join(pieces)):
        if steps._is_void(step):
            assert steps._read(step) == ((), (), ())
            assert not steps._files.changes


@given(st.lists(st.tuples(st.sampled_from(["note", "violation"]), st.integers(1, 9)), max_size=40))
def test_kept_and_unkept_are_all(drafted: list[tuple[Severity, int]]) -> None:
    gathered = Gathered(3)
    drafts = [Draft("claims.a", each, "submission", "a", at, "", "") for each, at in drafted]
    for draft in drafts:
        gathered.add(draft)
    found = gathered.findings()
    kept = {one.severity for one in found}
    assert kept == {each for each, _ in drafted}
    assert len(set(drafts)) <= len(found) + gathered.unkept <= len(drafts)


@pytest.mark.slow
def test_room_does_not_grow_with_what_is_found(make_tree: MakeTree) -> None:
    """Ten times the log takes its own length more, and little else."""
    peaks = []
    for times in (20_000, 200_000):
        log = f"$ {CLONE}\nok\n" * times
        tracemalloc.start()
        logged(make_tree, log, f"s{times}")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0] + 20_000_000
