"""Plain text and Markdown: nothing is rewritten, and every encoding has an answer."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twicetold.documents.encodings import decode

Collect = Callable[..., Any]
Write = Callable[[str, bytes], Path]

TURKISH = "Işık söndü, değil mi? Çok güzel bir gün, şimdi İstanbul'a gidiyoruz. "
RUSSIAN = "Привет мир, это новости дня. Сегодня в Москве идёт снег. "
ODD = "\r\n a\tb\0c\u2028d\ufeffe\r\x85\U0001f600 \n"


@given(st.text(min_size=1).filter(lambda text: not text.isspace() and text[0] != "\ufeff"))
@settings(deadline=None)
def test_a_text_is_the_file_letter_by_letter(collect: Collect, write: Write, text: str) -> None:
    data = text.encode()
    if data[:2] in (b"\x1f\x8b", b"\xff\xfe", b"\xfe\xff") or b"\0" in data or b"\x1b$" in data:
        return
    assert collect(write("a.txt", data)).texts == [text]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_odd_characters_stay(encoding: str, collect: Collect, write: Write) -> None:
    assert collect(write("a.md", ODD.encode(encoding))).texts == [ODD]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (TURKISH * 5, "cp1254"),
        (RUSSIAN * 5, "cp1251"),
        (RUSSIAN * 5, "koi8-r"),
        ("日本語のニュースです。今日は晴れ。" * 5, "shift_jis"),
        ("日本語のニュースです。今日は晴れ。" * 5, "euc-jp"),
        ("日本語のニュースです。今日は晴れ。", "iso2022_jp"),
        ("今天的新闻报道，北京下雪。" * 5, "gb18030"),
        ("한국어 뉴스입니다. 오늘은 맑음." * 5, "euc-kr"),
        ("naïve café déjà vu, l'été à Noël. " * 5, "cp1252"),
        ("An ordinary text without a mark.", "utf-16-le"),
        ("An ordinary text without a mark.", "utf-16-be"),
    ],
)
def test_the_encoding_is_guessed_or_told(
    text: str, encoding: str, collect: Collect, write: Write
) -> None:
    path = write("a.txt", text.encode(encoding))
    for options in ({}, {"encoding": encoding}):
        reading = collect(path, **options)
        assert reading.texts == [text]
        assert reading.report.count == {}


def test_a_mark_is_believed_before_the_option(collect: Collect, write: Write) -> None:
    path = write("a.txt", codecs.BOM_UTF8 + TURKISH.encode())
    assert collect(path, encoding="cp1252").texts == [TURKISH]


@pytest.mark.parametrize(
    ("data", "options", "text"),
    [
        ("déjà vu, naïve".encode() + b"\xff.", {}, "déjà vu, naïve\ufffd."),
        (b"\xffabc", {"encoding": "ascii"}, "\ufffdabc"),
        (b"\xff\xfea\0b", {}, "a\ufffd"),
        (codecs.BOM_UTF8 + b"a\xffb", {}, "a\ufffdb"),
    ],
)
def test_bytes_that_are_no_text_are_replaced_and_noted(
    data: bytes, options: Any, text: str, collect: Collect, write: Write
) -> None:
    reading = collect(write("a.txt", data), strict=True, **options)
    assert reading.texts == [text]
    assert reading.report.count == {"replaced bytes": 1}
    assert reading.report.summary().startswith("1 noted: 1 replaced bytes; first: ")


LABELS = """utf-8 hex shift_jis x utf-16 utf-7 hz-gb-2312 iso-2022-kr replacement x-user-defined
    iso-8859-8-i big5 windows-874 unicode_escape undefined punycode""".split()  # noqa: SIM905


@given(st.binary(max_size=200), st.sampled_from(LABELS))
@settings(deadline=None)
def test_every_bytes_have_a_text(data: bytes, declared: str) -> None:
    decode(data, declared=declared).text.encode()


@pytest.mark.parametrize("data", [b"", b" \n\t", "\u3000\x85".encode(), codecs.BOM_UTF8])
def test_a_file_without_text_is_a_problem(data: bytes, collect: Collect, write: Write) -> None:
    reading = collect(write("a.txt", data))
    assert reading.documents == []
    assert reading.problems == [(None, "empty text")]
