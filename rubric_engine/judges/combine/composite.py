"""What all judges made of judges share: their members, and what becomes of members' words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, MutableMapping, Sequence
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakValueDictionary

from rubric_engine.canary import CanarySettings
from rubric_engine.errors import BudgetError, CredentialsError, ProviderError, RubricEngineError
from rubric_engine.evidence import Receipt
from rubric_engine.grading import Grade
from rubric_engine.jobs import not_asked
from rubric_engine.judge import Judge, JudgeCard

_RESUME = "rubric-engine resume RUN"

STOPS = (BudgetError, CredentialsError, ProviderError)
"""Errors that end what one judge does; its leaves have a reason, and others may go on."""


class Composite:
    """A judge made of judges.

    Args:
        judges: The members.
        card: The card; its fingerprint comes to cover those of the members. Where it says nothing
            of canaries, those of the member that has most are tried on the whole.

    Attributes:
        receipts: By hash, those that grades of a grading under way name, members' grades too.
    """

    def __init__(self, judges: Sequence[Judge], card: JudgeCard) -> None:
        self.judges = tuple(judges)
        update: dict[str, Any] = {
            "member_fingerprints": [judge.card.fingerprint for judge in judges]
        }
        if card.canaries is None:
            update["canaries"] = _most_canaries(judges)
        self.card = card.model_copy(update=update)
        self.receipts: MutableMapping[str, Receipt] = WeakValueDictionary()

    @property
    def reads_run(self) -> bool:
        """Whether any member reads the run of `reproduce.sh`."""
        return any(getattr(judge, "reads_run", True) for judge in self.judges)

    @property
    def reads_submission(self) -> bool:
        """Whether any member reads the submission."""
        return any(getattr(judge, "reads_submission", True) for judge in self.judges)


def _most_canaries(judges: Sequence[Judge]) -> CanarySettings | None:
    """The settings of the member that has most canaries, of equal ones the first."""
    wanted = [judge.card.canaries for judge in judges if judge.card.canaries is not None]
    return max(wanted, key=lambda settings: settings.count, default=None)


class Intake:
    """Takes members' words: each says whose it is, and its receipts outlive its judge's grading.

    Args:
        receipts: Where the composite has its receipts; they stay there as long as this object.
    """

    def __init__(self, receipts: MutableMapping[str, Receipt]) -> None:
        self._receipts = receipts
        self._held: dict[str, Receipt] = {}

    def take(self, judge: Judge, grade: Grade) -> Grade:
        """The word as it is kept beside a result."""
        known = getattr(judge, "receipts", None)
        if not isinstance(known, Mapping):
            known = {}
        for part in grade.parts():
            found = known.get(part.receipt)
            if isinstance(found, Receipt) and part.receipt is not None:
                self._held[part.receipt] = found
                self._receipts[part.receipt] = found
        if grade.judge is not None:
            return grade
        whose = f"{name_of(judge)} {judge.card.fingerprint[:12]}"
        return grade.model_copy(update={"judge": whose})


@asynccontextmanager
async def listening(said: AsyncIterator[Any]) -> AsyncIterator[AsyncIterator[Any]]:
    """The words of a member, which has ended when the body is left, also before its last word."""
    try:
        yield said
    finally:
        close = getattr(said, "aclose", None)
        if close is not None:
            await close()


def name_of(judge: Judge) -> str:
    """What explanations call a judge."""
    return judge.card.name or judge.card.kind


def joined(grade: Grade, members: Sequence[Grade]) -> Grade:
    """A grade that rests on several: they stand beside it, and what they took adds up.

    What two members share, as they asked the same, was taken once.

    Args:
        grade: The result; whose it is, is said by who takes it.
        members: What was said, in the order of asking.
    """
    calls = dict.fromkeys(call for member in members for call in member.calls)
    usage: dict[str, float] = {}
    counted: set[str] = set()
    for part in (part for member in members for part in _apart(member, counted)):
        counted |= set(part.calls)
        for name, amount in part.usage.items():
            usage[name] = usage.get(name, 0) + amount
    return grade.model_copy(
        update={"members": tuple(members), "calls": tuple(calls), "usage": usage, "judge": None}
    )


def _apart(grade: Grade, counted: set[str]) -> Iterator[Grade]:
    """The grade, or those of its members that rest on calls that are not counted yet."""
    shared = counted & set(grade.calls)
    if shared and grade.members:
        for member in grade.members:
            yield from _apart(member, counted)
    elif not grade.calls or len(shared) < len(set(grade.calls)):
        yield grade


def unsaid(error: BaseException | None) -> Grade:
    """The word of a judge that ended without one.

    Args:
        error: What ended it; None where it just stopped talking.
    """
    if isinstance(error, STOPS):
        return not_asked(error)
    if error is None:
        return Grade.ungradeable("infra", "the judge said nothing about this leaf")
    return Grade.ungradeable("infra", f"the judge broke: {type(error).__name__}: {error}")


def of_member(judge: Judge, error: BaseException, more: str = "") -> BaseException:
    """The error of a member that cannot be asked, saying which it is; any other as it is.

    A cap is a matter of all judges. What asks again asks that member: the words of the others are
    on record.

    Args:
        judge: The member.
        error: What ended it.
        more: What else there is to say.
    """
    if not isinstance(error, CredentialsError | ProviderError):
        return error
    fix = [line for line in error.fix if not line.startswith(_RESUME)]
    return type(error)(
        f"the judge {name_of(judge)!r} cannot be asked: {error.message}{more}",
        code=error.code,
        place=error.place,
        looked=error.looked,
        fix=[*fix, f"{_RESUME}   # then asks {name_of(judge)!r}; the others' words are on record"],
    )


def ends_run(error: BaseException) -> bool:
    """Whether an error is nothing that another judge could make good, such as a full disk."""
    return isinstance(error, RubricEngineError) and not isinstance(error, STOPS)


def is_word(key: Any, said: Any, asked: Any) -> bool:
    """Whether a judge spoke of a leaf that it was asked about, and gave a grade."""
    return isinstance(said, Grade) and isinstance(key, str) and key in asked
