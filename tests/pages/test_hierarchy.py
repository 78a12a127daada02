"""The semantic hierarchy of pages: what belongs under what, and the laws every tree keeps."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents.test_pages import PAGES
from twicetold.errors import ParameterError
from twicetold.html import ROLES, Hierarchy, Node, outline
from twicetold.html.trees import positions
from twicetold.records import Document


def drawn(page: str) -> list[str]:
    """Return each node as its depth in dots, its role and its text."""
    found = outline(page)
    return [
        f"{'.' * (depth - 1)}{node.role}: {found.text_of(node)}"
        for node, depth in zip(found.nodes, found.depths(), strict=True)
        if node.number
    ]


TREES = {
    "a heading is the parent of what follows": (
        "<h1>A</h1><p>one<h2>B</h2><p>two<p>three<h2>C</h2><p>four<h1>D</h1>",
        [
            "heading: A", ".body: one", ".heading: B", "..body: two", "..body: three",
            ".heading: C", "..body: four", "heading: D",
        ],
    ),
    "blocks that only hold others are not there": (
        "<div><div><h1>A</h1></div><section><div><p>one</p></div></section></div>",
        ["heading: A", ".body: one"],
    ),
    "what marks up letters is no node, two line breaks end one": (
        "<p>one <b>two</b> <i>three</i><br>four<br><br>five</p>",
        ["body: one two three\nfour", "body: five"],
    ),
    "text beside blocks is a node": (
        "<div>one<p>two</p>three</div>", ["body: one", "body: two", "body: three"],
    ),
    "an article ends the sections inside it": (
        "<h1>A</h1><article><h2>B</h2><p>one</article><p>two",
        ["heading: A", ".heading: B", "..body: one", ".body: two"],
    ),
    "lists": (
        "<ul><li>one<ul><li>two<li>three</ul><li>four</ul>",
        ["list: ", ".list: one", "..list: ", "...list: two", "...list: three", ".list: four"],
    ),
    "a term is the parent of its definitions": (
        "<dl><dt>A<dd>one<dd>two<dt>B<dd>three</dl>",
        ["list: ", ".list: A", "..list: one", "..list: two", ".list: B", "..list: three"],
    ),
    "a quotation with one paragraph is that paragraph": (
        "<blockquote><p>one</blockquote>", ["quote: one"],
    ),
    "an address is a leaf of its section": (
        "<h1>A</h1><address>one</address><p>two", ["heading: A", ".body: one", ".body: two"],
    ),
    "navigation and footer": (
        "<nav><a>one</a><ul><li>two</ul></nav><h1>A</h1><footer><p>three<p>four</footer>",
        [
            "navigation: ", ".navigation: one", ".navigation: two", "heading: A",
            "footer: ", ".footer: three", ".footer: four",
        ],
    ),
    "what an author calls navigation": ("<div role=navigation>one</div>", ["navigation: one"]),
    "a summary is the parent of its details": (
        "<details><summary>A</summary><p>one</details>", ["heading: A", ".body: one"],
    ),
    "a caption below a picture is a leaf": (
        "<figure><p>one<figcaption>A</figcaption></figure>",
        ["body: ", ".body: one", ".caption: A"],
    ),
    "a table by its row headers, cells with the headers of their column": (
        "<table><caption>T</caption><tr><td><th>x<th>y<tr><th>a<td>1<td>2<tr><th>b<td>3<td>4</table>",
        [
            "caption: T", ".table: x", ".table: y", ".table: a", "..table: 1", "..table: 2",
            ".table: b", "..table: 3", "..table: 4",
        ],
    ),
    "row headers that hold for several rows": (
        "<table><tr><th>k<th>l<tr><th rowspan=2>a<th>p<td>1<tr><th>q<td>2<tr><th>b<th>r<td>3",
        [
            "table: ", ".table: k", ".table: l", ".table: a", "..table: p",
            "...table: 1", "..table: q", "...table: 2", ".table: b", "..table: r", "...table: 3",
        ],
    ),
    "a table without headers has rows": (
        "<table><tr><td>1<td>2<tr><td>3<td>4</table>",
        ["table: ", ".table: ", "..table: 1", "..table: 2", ".table: ", "..table: 3", "..table: 4"],
    ),
    "a table for layout is no table": (
        "<table><tr><td><h1>A</h1><p>one<td><p>two</table>",
        ["heading: A", ".body: one", "body: two"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TREES)
def test_what_belongs_under_what(name: str) -> None:
    page, tree = TREES[name]
    assert drawn(page) == tree


def test_a_cell_names_the_headers_of_its_column_through_spans() -> None:
    page = """<table><tr><th rowspan=2>k<th colspan=2>x<tr><th>p<th>q
        <tr><th>a<td>1<td>2<tr><td colspan=2>3<td>4</table>"""
    found = outline(page)
    named = {
        found.text_of(node): [found.text_of(found.nodes[n]) for n in node.headers]
        for node in found.nodes
        if node.headers
    }
    assert named == {"a": ["k"], "1": ["x", "p"], "2": ["x", "q"], "3": ["k"], "4": ["x", "q"]}


def test_the_root_is_the_title_and_paths_tell_brothers_apart() -> None:
    found = outline("<title> The  news </title><div><p>one</p><p>two</p></div><div>three</div>")
    assert found.text_of(found.nodes[0]) == "The news"
    assert [node.path for node in found.nodes] == [
        "html", "html/body/div[1]/p[1]", "html/body/div[1]/p[2]", "html/body/div[2]",
    ]  # fmt: skip


def test_a_text_without_a_page_has_its_paragraphs() -> None:
    found = outline(Document(id="a", text="One. Two.\n\n\n\n  Three.", title="T"))
    assert [(found.text_of(node), list(node.sentences)) for node in found.nodes] == [
        ("T", []), ("One. Two.", [0, 1]), ("Three.", [2]),
    ]  # fmt: skip


def test_a_text_that_is_not_that_of_its_page_is_refused() -> None:
    with pytest.raises(ParameterError, match="its text must be that of its page"):
        outline(Document(id="a", text="One.", html="<p>Two."))


def test_ten_thousand_levels_have_short_paths() -> None:
    found = outline("<div>x" * 10_000)
    assert len(found.nodes) == 10_001
    assert max(len(node.path) for node in found.nodes) < 1_000


def test_the_thesis_counts_a_heading_after_what_stands_under_it() -> None:
    """The example of a tree of first children and next siblings, read in-order."""
    page = "<h1>H1.</h1><p>P1.</p><h2>H2.</h2><p>P2.</p><p>P3.</p><footer>End.</footer>"
    found = outline(page)
    order = positions(found, "thesis")
    read = sorted(range(len(order)), key=order.__getitem__)
    texts = [found.text[found.sentences[n].start : found.sentences[n].end] for n in read]
    assert texts == ["P1.", "P2.", "P3.", "H2.", "H1.", "End."]
    assert list(positions(found, "document")) == [0, 1, 2, 3, 4, 5]


SOUP = st.lists(
    st.sampled_from(
        """<h1> <h2> </h2> <p> </p> <div> </div> <ul> <li> </ul> <table> <tr> <td> <th> </table>
        <caption> <dl> <dt> <dd> </dl> <blockquote> </blockquote> <nav> </nav> <footer> <br>
        <figure> <figcaption> </figure> <details> <summary> </details> <b> </b> <section>
        </section> <article> </article> <address> <thead> <td\trowspan=2\tcolspan=3> <li\thidden>
        Oil.\tGas. Why? x""".split()  # noqa: SIM905
    ).map(lambda part: part.replace("\t", " ")),
    max_size=30,
).map("".join)


def check(found: Hierarchy) -> None:
    stack: list[int] = []
    covered: list[int] = []
    end = 0
    for node in found.nodes:
        assert node.role in ROLES
        # Pre-order: a node is under the last one or under one that node is under.
        if node.parent is not None:
            while stack and stack[-1] != node.parent:
                stack.pop()
            assert stack
        stack.append(node.number)
        if node.span.start < node.span.end:
            assert end <= node.span.start
            assert not found.text[end : node.span.start].strip()
            assert found.text[node.span.start : node.span.end].strip()
            end = node.span.end
            assert found.node_at(node.span.start) is node
        covered += node.sentences
        assert node.path.startswith(("html", "text"))
    assert not found.text[end:].strip()
    assert covered == list(range(len(found.sentences)))
    check_merged(found)


def check_merged(found: Hierarchy) -> None:
    """No node without text has a single child, or none."""
    children = found.children()

    def is_empty(node: Node) -> bool:
        return node.span.start == node.span.end and node.number > 0

    assert all(len(children[node.number]) > 1 for node in found.nodes if is_empty(node))


@given(SOUP | PAGES)
@settings(deadline=None, max_examples=200)
def test_the_laws_of_a_tree(page: str) -> None:
    check(outline(page))


@pytest.mark.parametrize("name", TREES)
def test_document_order_is_pre_order(name: str) -> None:
    check(outline(TREES[name][0]))


def test_json_has_every_node_with_its_sentences() -> None:
    found = outline("<title>T</title><h1>Oil</h1><p>Gas. War.").to_json()
    assert found["title"] == "T"
    assert [node["parent"] for node in found["nodes"]] == [None, 0, 1]
    last = found["nodes"][-1]
    assert re.fullmatch(r"html/body/p", last["path"])
    assert last["sentences"] == [{"sentence": 1, "span": [5, 9]}, {"sentence": 2, "span": [10, 14]}]


def test_a_path_shows_the_outer_and_the_inner_elements() -> None:
    for depth in (60, 61, 62, 63, 70, 500):
        names = ["html", "body", *["div"] * depth, "p"]
        node = outline("<div>" * depth + "<p>Oil rose.").nodes[-1]
        whole = "/".join(names)
        short = "/".join([*names[:8], "...", *names[-56:]])
        assert node.path == (whole if len(names) <= 64 else short)


def test_a_path_of_long_names_is_cut_short() -> None:
    node = outline(f"<{'x' * 40}>" * 60 + "<p>Oil rose.").nodes[-1]
    assert node.path.count("/") == 8 + 25
    assert node.path.endswith("/p")
