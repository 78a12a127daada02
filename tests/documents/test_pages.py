"""HTML: the visible text, what a page says of itself, and pages made to break a reader."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference_html import visible_text

from twicetold.html.reading import page_of

Collect = Callable[..., Any]
Write = Callable[[str, bytes], Path]


def visible(page: str) -> str:
    return page_of(page).text


VISIBLE = [
    ("<p>One.</p><p>Two.</p>", "One.\n\nTwo."),
    ("<p>One<p>Two", "One\n\nTwo"),
    ("<div>One<div>Two</div>Three</div>", "One\n\nTwo\n\nThree"),
    ("<ul><li>One<li>Two</ul>", "One\n\nTwo"),
    ("One<br>Two<br><br>Three<br/>Four", "One\nTwo\n\nThree\nFour"),
    ("<h1>Title</h1>Text", "Title\n\nText"),
    ("a <b>bold</b> <i>move</i>, s<u>ub</u>tle", "a bold move, subtle"),
    ("  lots \n\t of   space  ", "lots of space"),
    ("a&nbsp;b &amp; &lt;c&gt; &#8212; &notit;", "a\xa0b & <c> — ¬it;"),
    ("<p>&nbsp;</p><p>x</p>", "x"),
    ("<table><tr><th>A<th>B<tr><td>1<td>2</table>", "A\tB\n\n1\t2"),
    ("<pre>\n  def f():\n    pass\n</pre>after", "  def f():\n    pass\n\nafter"),
    ("x<script>var a = '<p>no</p>'</script>y", "xy"),
    ("<style>p {}</style><noscript><p>no</noscript><template><p>no</template>x", "x"),
    ("<p hidden>no</p><p style='color:red; Display : NONE'>no</p><p>x</p>", "x"),
    ("<div hidden><div>no</div>no</div>x", "x"),
    ("<p>a<span style='visibility:hidden'>no</span>b</p>", "ab"),
    ("<select><option>no</select><textarea>no</textarea><svg><text>no</text></svg>x", "x"),
    ("<!-- <p>no --> x <!--> y <![CDATA[no]]> <?php no ?>", "x y"),
    ("a<img src=x alt=no>b<input value=no>c", "a b c"),
    ("<a href=1>Home</a><a href=2>News</a>", "Home News"),
    ("word<a name=x></a>, next", "word, next"),
    ("<button>Go</button>now", "Go now"),
    ("<p a='>' b=\">\" c=>>x", ">x"),
    ("<P>Big<BR>Tags</P>", "Big\nTags"),
    ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "漢かん"),
    ("a < b and c > d", "a < b and c > d"),
    ("plain", "plain"),
    ("<title>no</title><p>x", "x"),
]


@pytest.mark.parametrize("read", [visible, visible_text], ids=["kernel", "reference"])
@pytest.mark.parametrize(("page", "text"), VISIBLE)
def test_the_visible_text(page: str, text: str, read: Callable[[str], str]) -> None:
    assert read(f"<!doctype html><html><head></head><body>{page}</body></html>") == text


TAGS = ["p", "div", "b", "i", "ul", "li", "span", "h2", "blockquote", "em", "section", "pre", "a"]
BLOCK_TAGS = ["div", "blockquote", "section", "ul"]
WORDS = st.text(alphabet="ab .\n\t&;çş日", max_size=8)
INLINE = st.recursive(
    WORDS,
    lambda inner: st.builds(
        "<{0}{2}>{1}</{0}>".format,
        st.sampled_from(["b", "i", "span", "em"]),
        inner,
        st.sampled_from(["", " hidden", " class='x>y'", ' style="display:none"']),
    ),
    max_leaves=4,
)
PAGES = st.recursive(
    INLINE,
    lambda inner: st.lists(
        st.builds(
            "<{0}{2}>{1}</{0}>".format,
            st.sampled_from(BLOCK_TAGS),
            inner,
            st.sampled_from(["", " hidden", " id=a", " title='<p>'"]),
        )
        | st.builds("<p>{}</p>".format, INLINE)
        | st.sampled_from(["<br>", "<!-- <b> -->", "<script>'<p>'</script>", "<hr>", "&amp;"]),
        max_size=4,
    ).map("".join),
    max_leaves=8,
)


@given(PAGES)
@settings(deadline=None, max_examples=100)
def test_the_kernel_shows_the_text_that_a_parser_shows(page: str) -> None:
    page = f"<html><body>{page}</body></html>"
    assert visible(page) == visible_text(page)


def test_what_a_page_says_of_itself(collect: Collect, write: Write) -> None:
    page = """<html lang="en-GB"><head><meta charset=utf-8><title> Shares
      fell &amp; rose </title><link rel="canonical" href="https://news.example.org/a?b=1">
      <meta property="article:published_time" content="2026-01-02T03:04:05+01:00">
      <meta name=date content="2020-01-01"></head><body><p>Text.</body></html>"""
    [document] = collect(write("a.html", page.encode())).documents
    assert document.title == "Shares fell & rose"
    assert document.url == "https://news.example.org/a?b=1"
    assert document.source == "news.example.org"
    assert document.language == "en-GB"
    assert document.published.isoformat() == "2026-01-02T03:04:05+01:00"
    assert document.text == "Text."
    assert document.html == page


@pytest.mark.parametrize(
    ("head", "published", "noted"),
    [
        ('<meta name="DC.date.issued" content="2026-01-02">', "2026-01-02", 0),
        ('<meta itemprop="datePublished" content="2026-01-02">', "2026-01-02", 0),
        ('<script>{"datePublished" : "2026-01-02"}</script>', "2026-01-02", 0),
        ('<meta name="date" content="soon">', None, 1),
        (
            '<meta name="date" content="soon"><script>{"datePublished":"2026-01-02"}</script>',
            "2026-01-02",
            0,
        ),
        ("", None, 0),
    ],
)
def test_the_date_of_a_page(
    head: str, published: str | None, noted: int, collect: Collect, write: Write
) -> None:
    reading = collect(write("a.html", f"<head>{head}</head><p>x".encode()))
    found = reading.documents[0].published
    assert (found and found.date().isoformat()) == published
    assert reading.report.noted == noted


@pytest.mark.parametrize("url", ["http://[", "javascript:x()", "/relative", "", "http://"])
def test_a_link_that_is_no_address_is_no_url(url: str, collect: Collect, write: Write) -> None:
    page = f'<link rel="canonical" href="{url}"><p>x'
    assert collect(write("a.html", page.encode())).documents[0].url is None


TURKISH = "Işık söndü, değil mi? Çok güzel bir gün, şimdi İstanbul'a gidiyoruz."
ENCODED = [
    (f'<meta charset="iso-8859-9"><p>{TURKISH}', "cp1254"),
    (
        f"<meta http-equiv='Content-Type' content='text/html; charset=windows-1254'><p>{TURKISH}",
        "cp1254",
    ),
    (f'<?xml version="1.0" encoding="iso-8859-9"?><p>{TURKISH}', "cp1254"),
    (f'<meta charset="iso-8859-9"><p>{TURKISH}', "utf-8"),  # the page lies
    (f"<p>{TURKISH}", "utf-8-sig"),
    (f"<p>{TURKISH}", "utf-16"),
    (f"<html><p>{TURKISH}" * 9, "utf-16-le"),
    ("<meta charset=shift_jis><p>日本語のニュース", "shift_jis"),
    ("<meta charset=iso-2022-jp><p>日本語のニュース", "iso2022_jp"),
    ("<meta charset=gb2312><p>中文新闻报道", "gbk"),
    ("<meta charset=utf-16><p>naïve", "utf-8"),
    ("<meta charset=x-unknown><p>naïve café", "utf-8"),
    ("<meta charset=euc-kr><p>한국어 뉴스", "euc-kr"),
]


@pytest.mark.parametrize(("page", "encoding"), ENCODED)
def test_the_encoding_of_a_page(page: str, encoding: str, collect: Collect, write: Write) -> None:
    reading = collect(write("a.html", page.encode(encoding)))
    assert reading.documents[0].html == page
    assert reading.report.count == {}


def test_a_page_of_unknown_encoding_is_read_as_browsers_do(collect: Collect, write: Write) -> None:
    page = "<p>The agency\u2019s chief left\u2014quietly. \u201cYes,\u201d she said.</p>" * 3
    text = page.encode("cp1252")
    assert collect(write("a.html", text)).texts[0].startswith("The agency\u2019s chief left\u2014q")
    # One byte that is no letter anywhere says nothing; of plain text the guess is open.
    assert "\u2019" in collect(write("b.html", b"<p>The FCC\x92s chief left.</p>")).texts[0]


def test_broken_bytes_of_a_page_are_replaced_and_noted(collect: Collect, write: Write) -> None:
    reading = collect(write("a.html", "<p>naïve café\x00 déjà".encode() + b"\xff</p>"), strict=True)
    assert reading.texts == ["naïve café déjà\ufffd"]
    assert reading.report.count == {"replaced bytes": 1}


def test_xhtml_may_close_an_element_at_once(collect: Collect, write: Write) -> None:
    page = '<?xml version="1.0"?><html><head><title/><script src="x" /></head><p>Text.</p></html>'
    [document] = collect(write("a.xhtml", page.encode())).documents
    assert document.text == "Text."
    assert document.html == page


def test_a_page_without_text_is_a_problem(collect: Collect, write: Write) -> None:
    for page in (b"", b"<p> &nbsp; </p>", b"<script>x</script>", b"\0\0\0"):
        assert collect(write("a.html", page)).report.count == {"empty text": 1}


WILD = {
    "deep blocks": "<div>x" * 10_000,
    "very deep blocks": "<div>x" * 200_000,
    "deep lists": "<ul><li>x" * 20_000,
    "deep tables": "<table><tr><td>x" * 50_000,
    "formatting that is never closed": "<p>"
    + "".join(f"<font a={n}>" for n in range(20_000))
    + "</p>"
    + "<p>x</p>" * 20_000,
    "hidden depth": "<div><table><tr><td></div></table>" * 20_000 + "x",
    "many attributes": "<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">x",
    "many attributes of the root": "".join(f"<html a{n}=1>" for n in range(30_000)) + "x",
    "end tags of nothing": "x" + "<span>" * 50_000 + "</div>" * 50_000,
    "open comments": "x" + "<!--" * 200_000,
    "open tags": "x " + "<" * 200_000,
    "open quotes": "x" + "<a b='" * 100_000 + '<a b="' * 100_000,
    "equals": "x<a " + "=" * 300_000,
}


@pytest.mark.parametrize("name", WILD)
def test_a_page_made_to_break_a_parser_is_read_in_good_time(
    name: str, collect: Collect, write: Write
) -> None:
    # Processor time of this process: a machine that is busy with others takes nothing away.
    start = time.process_time()
    reading = collect(write("a.html", WILD[name].encode()))
    assert time.process_time() - start < 5
    assert reading.texts[0].startswith("x")


def test_a_page_of_fifty_megabytes_is_read(collect: Collect, write: Write) -> None:
    paragraph = "<p>" + "Shares fell and oil rose. " * 4000 + "</p>"
    reading = collect(write("a.html", (paragraph * 500).encode()))
    assert len(reading.texts[0]) > 50_000_000


def test_an_ordinary_page_is_not_wild() -> None:
    icon = "<svg viewBox='0 0 9 9'><g><path d='M0'/><path d='M1'/></g></svg>"
    item = f"<li>{icon}<a href='x'>One</a> <b>two</b><br><img src=x><p>three</p></li>"
    row = "<tr><td><font color=red>1</font></td><td>2</td></tr>"
    page = f"<ul>{item * 3000}</ul><table>{row * 3000}</table>{'<p>four' * 3000}"
    script = "<script>if (a < b) { document.write('<div><div>') }</script>" * 300
    assert not page_of(f"<html><body><div>{page}</div>{script}</body></html>").is_wild


def _depth(page: str) -> int:
    from resiliparse.parse.html import HTMLTree, traverse_dom

    deepest = 0

    def look(context: Any) -> None:
        nonlocal deepest
        deepest = max(deepest, context.depth)

    document = HTMLTree.parse(page).document
    assert document is not None
    traverse_dom(document, look)
    return deepest


NAMES = """p div b font a span ul li dl dd table tr td th tbody caption blockquote h1 h2 form button
    select option svg math g template object pre section center html body ruby rt foo""".split()  # noqa: SIM905
MOVES = st.lists(
    st.sampled_from([f"<{name}>" for name in NAMES] + [f"</{name}>" for name in NAMES]),
    min_size=1,
    max_size=6,
)


@given(MOVES)
@settings(deadline=None, max_examples=100)
def test_a_page_that_is_not_wild_is_not_deep(moves: list[str]) -> None:
    page = "".join(moves) * (2_100 // len(moves) + 1)
    if not page_of(page).is_wild:
        assert _depth(page) < 3 * 512  # a tag may open an element or two besides its own
