"""The six answers of a reader about two documents, and the two questions that follow from them.

Related: who has read one document need not read the other. Taken: related, or a passage with
particular content is in both.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

__all__ = [
    "ANSWERS",
    "MEANINGS",
    "QUESTIONS",
    "RELATED",
    "RELATED_RELATIONS",
    "RULES",
    "TAKEN",
    "TAKEN_RELATIONS",
    "Answer",
    "Question",
    "is_true",
    "rubric",
    "turned",
]

#: How left stands to right.
Answer = Literal["near-duplicate", "contained", "contains", "overlap", "stock", "unrelated"]
ANSWERS: tuple[Answer, ...] = get_args(Answer)

Question = Literal["related", "taken"]
QUESTIONS: tuple[Question, ...] = get_args(Question)

#: The answers that mean yes to each question.
RELATED = frozenset({"near-duplicate", "contained", "contains"})
TAKEN = RELATED | {"overlap"}

#: The relations of a method that mean the same. A `version` took text; the `same-form` did not.
RELATED_RELATIONS = RELATED | {"identical"}
TAKEN_RELATIONS = RELATED_RELATIONS | {"overlap", "version"}

_OTHER_WAY: dict[str, Answer] = {"contained": "contains", "contains": "contained"}

#: When a reader gives each answer.
MEANINGS: Mapping[Answer, str] = MappingProxyType(
    {
        "near-duplicate": "both say the same; who knows one need not read the other. They differ "
        "in small things: a headline, a typing error, one minor sentence, an updated detail, "
        "layout",
        "contained": "practically all particular content of LEFT is in RIGHT, in the same or "
        "slightly edited words, and RIGHT has substantially more",
        "contains": "the reverse: practically all particular content of RIGHT is in LEFT, and LEFT "
        "has substantially more",
        "overlap": "none of these, but at least one passage with particular content (a statement, "
        "a quotation, a sentence that reports something) is in both, in the same or edited words, "
        "because one copied the other or both copied a third",
        "stock": "the common wording is form only: a template filled with other facts, "
        'boilerplate, biographies, "about us" paragraphs, contact lines, legal notices, '
        "navigation, set phrases",
        "unrelated": "no common wording: another subject, or the same event reported in other "
        "words",
    }
)

#: What decides in doubt.
RULES = (
    "The same form with other facts (another company, person, amount, date) is `stock`.",
    "Two independent reports of one event that share names, numbers and set phrases: `unrelated`.",
    "The same, and one sentence was clearly copied or edited: `overlap`.",
    "Boilerplate and page furniture do not count for or against containment.",
    "One line whose single fact the other document has in the same words is contained in it.",
    "Where two answers are possible, give the one an editor would defend; set `sure` to false.",
)


def rubric() -> str:
    """Return what a reader is asked to go by, as Markdown."""
    head = "One answer for each pair of documents, LEFT and RIGHT. Read both texts whole."
    rows = "\n".join(f"| `{answer}` | {meaning} |" for answer, meaning in MEANINGS.items())
    rules = "\n".join(f"- {rule}" for rule in RULES)
    return f"# How to answer\n\n{head}\n\n| answer | when |\n|---|---|\n{rows}\n\n{rules}\n"


def turned(answer: Answer) -> Answer:
    """Return the answer as it is with the two documents exchanged.

    >>> turned("contained"), turned("overlap")
    ('contains', 'overlap')
    """
    return _OTHER_WAY.get(answer, answer)


def is_true(question: Question, answer: str) -> bool:
    """Return whether an answer means yes to a question.

    >>> is_true("related", "overlap"), is_true("taken", "overlap")
    (False, True)
    """
    return answer in (RELATED if question == "related" else TAKEN)
