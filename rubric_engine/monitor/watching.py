"""Running all rules over what is watched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from rubric_engine.evidence.logs import LOG_NAME
from rubric_engine.isolation import SCRIPT
from rubric_engine.monitor import blacklist, claims, faked, looked_up
from rubric_engine.monitor.acts import Act, acts_of_text
from rubric_engine.monitor.agent import AgentSteps
from rubric_engine.monitor.finding import Draft, Gathered
from rubric_engine.monitor.reported import Reported
from rubric_engine.monitor.run import Run
from rubric_engine.monitor.shell.files import Given
from rubric_engine.monitor.texts import SourceText, texts
from rubric_engine.monitor.watched import Watched
from rubric_engine.monitored import AreaOutcome, Claims, MonitorFinding, MonitorReport, Severity

LISTED = 1_000
"""Findings that are listed; how many more there are is counted."""

_GRAVITY: tuple[Severity, ...] = ("violation", "suspicious", "note")


def monitor(watched: Watched) -> MonitorReport:
    """Look at a submission, its run and the log of its agent, by rules.

    Args:
        watched: All that is known. What is missing is not checked, and said so.
    """
    view = _View(watched)
    counted, claim_drafts = view.claims()
    gathered = Gathered(LISTED)
    rules = (view.blacklist(), view.faked(), view.looked_up(), view.agent(), claim_drafts)
    for draft in chain.from_iterable(rules):
        gathered.add(draft)
    found = gathered.findings()
    listed = _listed(found)
    return MonitorReport(
        findings=listed,
        unlisted=gathered.unkept + len(found) - len(listed),
        areas=(
            _blacklist_outcome(view),
            _faked_outcome(view),
            _looked_up_outcome(view),
            _claims_outcome(view),
        ),
        claims=counted,
    )


def _listed(found: tuple[MonitorFinding, ...]) -> tuple[MonitorFinding, ...]:
    """The gravest of them, in their order: whoever does one thing a million times did it."""
    if len(found) <= LISTED:
        return found
    gravest = sorted(found, key=lambda one: _GRAVITY.index(one.severity))[:LISTED]
    kept = {one.id for one in gravest}
    return tuple(one for one in found if one.id in kept)[:LISTED]


@dataclass(frozen=True)
class _View:
    """What is watched, with what several rules read of it."""

    watched: Watched
    forms: list[str] = field(default_factory=list)

    @cached_property
    def sources(self) -> list[SourceText]:
        return list(texts(self.watched.submission))

    @cached_property
    def changed(self) -> list[SourceText]:
        """Scripts and code that the run wrote: what a run fetched may have been made by it."""
        execution = self.watched.execution
        if execution is None or execution.submission is None:
            return []
        made = set(execution.created).union(execution.modified) - set(execution.copied)
        return [text for text in texts(execution.submission, "executed") if text.path in made]

    @cached_property
    def reported(self) -> Reported:
        return Reported(self.watched, self.sources, self.run)

    @cached_property
    def references(self) -> tuple[blacklist.Reference, ...]:
        return blacklist.parse_blacklist(self.watched.task.blacklist)

    @cached_property
    def given(self) -> Given:
        return blacklist.given_to_scripts(self.sources)

    @cached_property
    def acts(self) -> list[Act]:
        return [act for text in self.sources for act in acts_of_text(text)]

    @cached_property
    def run(self) -> Run | None:
        execution = self.watched.execution
        if execution is None or not execution.usable:
            return None
        return Run(self.watched.task, self.watched.submission, execution)

    @property
    def run_log(self) -> str:
        execution = self.watched.execution
        log = execution.log if execution is not None else None
        return log.text if log is not None else ""

    @cached_property
    def unchanged(self) -> tuple[Draft, ...]:
        """Outputs that were handed in, and that the run did not make or made the same again."""
        if self.run is None:
            return ()
        told = self.reported
        return tuple(faked.unchanged_outputs(self.run, told.reports, told.quoted()))

    def blacklist(self) -> Iterator[Draft]:
        references = self.references
        if not references:
            return
        for text in (*self.sources, *self.changed):
            if text.path.rpartition("/")[2].lower() != "blacklist.txt":
                yield from blacklist.in_text(text, references, self.given)
        yield from blacklist.in_run_log(self.run_log, references)

    def faked(self) -> Iterator[Draft]:
        yield from faked.set_times(self.acts)
        for text in self.sources:
            if text.part in ("python", "notebook"):
                yield from faked.set_in_code(text)
        yield from faked.only_copies(self.run, self.sources)
        if self.run is not None:
            yield from self.unchanged
            yield from faked.literal_results(self.run, self.sources)
            yield from faked.written_by_nobody(self.run)
            yield from faked.times_of_files(self.run)
            yield from faked.times_in_log(self.run.execution)

    def looked_up(self) -> Iterator[Draft]:
        watched = self.watched
        yield from looked_up.git_history(self.acts, masks=bool(watched.masked))
        yield from looked_up.hosts_of_acts(self.acts, watched.hosts, set())
        yield from looked_up.hosts_printed(self.run_log, "run_log", LOG_NAME, watched.hosts)

    def agent(self) -> Iterator[Draft]:
        """What the agent did by its log, and the forms in which that was told."""
        log = self.watched.agent_log
        if log is None:
            return
        given = blacklist.given_to_agent(self.sources, self.references)
        steps = AgentSteps(self.watched, log, self.references, given)
        yield from steps.drafts()
        self.forms.extend(sorted(steps.forms))
        yield from looked_up.hosts_printed(log.text, "agent_log", log.name, self.watched.hosts)

    def claims(self) -> tuple[Claims, tuple[Draft, ...]]:
        known = self.run is not None and self.run.executed is not None
        pending = () if known else self.watched.task.outputs
        texts = self.reported.grounds(faked.unmade(self.unchanged)) if known else ()
        grounds = claims.Grounds.of(texts, self._paths(), pending)
        return claims.claimed(self.reported.reports, grounds, with_numbers=known)

    def _paths(self) -> Iterator[str]:
        execution = self.watched.execution
        left = execution.submission if execution is not None else None
        for source in (self.watched.submission, left):
            if source is not None:
                yield from (file.path for file in source.files.entries)
        if execution is not None:
            yield from (one.path for one in execution.omitted)


def _blacklist_outcome(view: _View) -> AreaOutcome:
    outcome = AreaOutcome(area="blacklist", state="checked")
    log, listed = view.watched.agent_log, view.watched.task.blacklist
    odd = blacklist.unread(listed)
    if not blacklist.parse_blacklist(listed):
        why = "the task's blacklist names nothing"
    elif log is None:
        why = "no log of an agent was given: the submission and its run alone were looked at"
    elif not view.forms:
        why = f"no command can be told apart in {log.name}; only mentions could be looked for"
        outcome = outcome.model_copy(update={"state": "not_checked"})
    else:
        why = f"commands of {log.name} were told by: {', '.join(view.forms)}"
    if odd:
        why += f"; lines of the blacklist that are no reference: {', '.join(odd[:5])}"
    return outcome.model_copy(update={"why": why})


def _faked_outcome(view: _View) -> AreaOutcome:
    execution = view.watched.execution
    if execution is None:
        if any(file.path == SCRIPT for file in view.watched.submission.files.entries):
            return _not_checked("faked", "there was no run: only its script could be looked at")
        return _not_checked("faked", f"there was no run, and no {SCRIPT} to look at")
    if not execution.usable:
        return _not_checked("faked", f"the run ended as {execution.status}: it made nothing")
    if execution.submission is None:
        return _not_checked("faked", "what the run left was not kept")
    return AreaOutcome(area="faked", state="checked")


def _looked_up_outcome(view: _View) -> AreaOutcome:
    log = view.watched.agent_log
    if log is None:
        return _not_checked("looked_up", "no log of an agent was given")
    if not view.forms:
        return _not_checked("looked_up", f"no command can be told apart in {log.name}")
    return AreaOutcome(area="looked_up", state="checked")


def _claims_outcome(view: _View) -> AreaOutcome:
    if view.run is None or view.run.executed is None:
        return _not_checked("claims", "what a run wrote is not known: only files were looked for")
    return AreaOutcome(area="claims", state="checked")


def _not_checked(area: str, why: str) -> AreaOutcome:
    return AreaOutcome.model_validate({"area": area, "state": "not_checked", "why": why})
