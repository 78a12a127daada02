"""The page of a comparison, as bytes: whole, safe and no larger than it must be."""

import base64
import hashlib
import json
import re
from datetime import UTC, datetime, timedelta, timezone
from html.parser import HTMLParser

import pytest

from tests import hostile
from tests.running import document
from twicetold.comparing import compare
from twicetold.records import Document
from twicetold.reports.comparison_page import comparison_page
from twicetold.reports.page import shown

EVIL = (
    "<script>document.title = 'owned'</script> </script><img src=x onerror=\"alert(1)\"> "
    "{{ 7 * 7 }} {% raw %} &lt;b&gt; ]]> --> ' \" \u202ereversed\u202c \x00 \x1b[2J \u2028 end."
)


class Reading(HTMLParser):
    """The elements of a page, and the text of its panes."""

    def __init__(self, page: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._depth = 0
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "div" and (dict(attrs).get("class") or "").split()[:1] == ["text"]:
            self.texts.append("")
            self._depth = 1
        elif tag == "div" and self._depth:
            self._depth += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "div" and self._depth:
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.texts[-1] += data


def data_of(page: bytes) -> dict[str, list[int]]:
    found = re.search(rb'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, list[int]] = json.loads(found[1])
    return data


def test_a_page_needs_nothing_but_itself() -> None:
    page = comparison_page(
        compare(document("a", "The dam broke."), document("b", "The dam broke."))
    )
    reading = Reading(page)
    assert not {tag for tag, _ in reading.tags} & {
        "link",
        "img",
        "iframe",
        "object",
        "form",
        "base",
    }
    assert not any(
        key in {"src", "style"} or key.startswith("on") for _, a in reading.tags for key in a
    )
    assert b"http://" not in page
    assert b"https://" not in page


def test_only_the_own_script_and_style_are_allowed() -> None:
    page = comparison_page(compare(document("a", EVIL), document("b", EVIL)))
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page.decode())
    for name in ("script", "style"):
        (own,) = re.findall(rf"<{name}>(.*?)</{name}>", page.decode(), re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
        assert f"{name}-src &#39;sha256-{digest}&#39;" in policy
    assert policy.startswith("default-src &#39;none&#39;")
    assert "unsafe" not in policy


def test_what_documents_say_is_text_and_nothing_else() -> None:
    about = {"title": EVIL, "source": EVIL, "url": f"javascript:{EVIL}"}
    documents = [Document(id=f"{n}{EVIL}", text=f"{n} {EVIL}", **about) for n in range(3)]  # type: ignore[arg-type]
    page = comparison_page(compare(documents[0], documents[1:], language="en"))
    reading = Reading(page)
    plain = Reading(
        comparison_page(
            compare(document("a", "x y z."), [document("b", "x."), document("c", "y.")])
        )
    )
    assert {tag for tag, _ in reading.tags} <= {tag for tag, _ in plain.tags} | {
        "a",
        "b",
        "h3",
        "ul",
    }
    assert [a.get("type") for tag, a in reading.tags if tag == "script"] == [
        "application/json",
        None,
    ]
    assert reading.texts == [shown(text.text) for text in documents]
    assert b"{{ 7 * 7 }}" in page
    assert b"\x00" not in page
    assert b"\x1b" not in page
    assert all((a.get("href") or "#").startswith("#") for _, a in reading.tags)


@pytest.mark.parametrize(
    "text", [*hostile.SEEDS, "", "\r\n\r\nA line.\r\rAnother one.\n\n", "a\ud800b"]
)
def test_texts_and_places_on_the_page_are_those_of_the_document(text: str) -> None:
    left, right = Document(id="a", text=text), Document(id="b", text=f"Before it. {text}")
    found = compare(left, right)
    page = comparison_page(found)
    assert Reading(page).texts == [shown(left.text), shown(right.text)]
    # A browser counts in UTF-16.
    units = shown(text).encode("utf-16-le")
    ends = data_of(page)["left"]
    got = [
        units[2 * a : 2 * b].decode("utf-16-le") for a, b in zip(ends[::2], ends[1::2], strict=True)
    ]
    assert got == [shown(found.left.text(n)) for n in range(len(found.left.sentences))]


def test_every_link_leads_somewhere_and_names_are_unique() -> None:
    sentences = [
        f"Sentence number {n} speaks of the {n}th old dam above the mill." for n in range(30)
    ]
    left = document("a", *sentences, *sentences[:5])
    rights = [document("b", *sentences[10:20], *sentences[10:15]), document("c", *sentences[::-1])]
    for method in ("retelling", "word-overlap"):
        reading = Reading(comparison_page(compare(left, rights, method=method)))
        names = [a["id"] for _, a in reading.tags if "id" in a]
        assert len(names) == len(set(names))
        links = [(a.get("href") or "")[1:] for tag, a in reading.tags if tag == "a"]
        assert len(links) > 30
        assert set(links) <= set(names)


def test_a_megabyte_in_one_line_is_one_page() -> None:
    line = "many words without any end or beginning " * 25_000
    page = comparison_page(compare(Document(id="a", text=line), Document(id="b", text=line)))
    assert len(page) < 2.5 * len(line)


def test_marks_add_little_to_a_long_text() -> None:
    sentences = [
        f"The {n}th dam of {n % 7} valleys broke on day {n} of the year." for n in range(2000)
    ]
    text = " ".join(sentences)
    page = comparison_page(compare(Document(id="a", text=text), Document(id="b", text=text)))
    assert len(page) < 8 * len(text)


@pytest.mark.parametrize(
    ("published", "told"),
    [
        (datetime(2025, 5, 16, 5, 30, tzinfo=timezone(timedelta(hours=1))), "2025-05-16 04:30 UTC"),
        (datetime(2025, 5, 16, tzinfo=UTC), "2025-05-16<"),
        (datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))), "-01-01<"),
    ],
    ids=["zone", "day", "first day"],
)
def test_times_are_utc_as_on_the_page_of_a_scan(published: datetime, told: str) -> None:
    one = Document(id="a", text="The dam broke on Monday.", published=published)
    page = comparison_page(compare(one, document("b", "The dam broke on Monday.")))
    assert told in page.decode()
