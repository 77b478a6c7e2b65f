"""What programs do with a name: told by their verbs, their options, and the code they are given."""

from __future__ import annotations

import pytest

from tests.monitor.watching import LISTED, MakeTree, call, logged, on_blacklist

CASES = [
    (f"node -e \"fetch('{LISTED}')\"", "violation"),
    (f"node -e \"console.log('{LISTED}')\"", "note"),
    (f"node -e \"require('child_process').execSync('git clone {LISTED}')\"", "violation"),
    (f"node check.js {LISTED}", "suspicious"),
    (f"perl -e 'system(\"git clone {LISTED}\")'", "violation"),
    (f"perl -MLWP::Simple -e 'get(\"{LISTED}\")'", "violation"),
    (f"perl -ne 'print unless m{{{LISTED}}}' a.txt", "note"),
    (f"perl -e 'frobnicate(\"{LISTED}\")'", "suspicious"),
    (f"ruby -e '`git clone {LISTED}`'", "violation"),
    (f"ruby -e 'puts \"{LISTED}\"'", "note"),
    (f"php -r 'echo file_get_contents(\"{LISTED}\");'", "violation"),
    (f"php -r 'echo \"{LISTED}\";'", "note"),
    (f"julia -e 'using Pkg; Pkg.add(url=\"{LISTED}\")'", "violation"),
    ("Rscript -e 'remotes::install_github(\"owner/fre\")'", "violation"),
    ("Rscript -e 'cat(\"owner/fre\")'", "note"),
    ("r owner/fre", "note"),
    ("gh release download -R owner/fre", "violation"),
    ("gh issue create --body 'We avoided owner/fre'", "note"),
    ("gh pr create --title 'Without owner/fre'", "note"),
    (f"curl -d u=1 {LISTED}", "violation"),
    (f"curl -d '{{\"t\": \"is {LISTED} allowed?\"}}' http://localhost:8000/ask", "note"),
    (f"curl --json '{{\"t\": \"{LISTED}\"}}' https://fetches.org/repo", "suspicious"),
    ("npm i owner/fre", "violation"),
    ("npm i @owner/fre", "note"),
    (f"npm run check -- {LISTED}", "suspicious"),
    ("npx degit owner/fre", "violation"),
    (f"cargo run -- {LISTED}", "suspicious"),
    (f"cargo install --git {LISTED}", "violation"),
    (f"pytest -k 'not {LISTED}'", "note"),
    (f"man git clone {LISTED}", "note"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "severity"), CASES)
def test_what_a_program_does_with_a_name(make_tree: MakeTree, command: str, severity: str) -> None:
    assert on_blacklist(logged(make_tree, call(command))) == {severity}
