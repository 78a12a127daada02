"""Texts and files nobody would write, from a seed."""

from __future__ import annotations

import gzip
import io
import json
import random
import sys
from collections.abc import Callable, Sequence

import zstandard

#: Real-looking text in many scripts and manners.
SEEDS = (
    "The council said on Tuesday that it would not pay for the bridge. Mr. J. R. Smith paid $3.50.",
    '"Who told you?" she asked. "Nobody," he said. (They left at 5 p.m.) It wasn\'t Iraq\'s fault!',
    "Belediye, Türkiye'nin İSTANBUL ve ISPARTA illerindeki köprüler için para ödemeyecek. Kim?",
    "Der Rat teilte am 3. Mai mit: »Wir zahlen nicht«, z.B. für die Straße Nr. 7. Schluß!",
    "Le conseil a dit « non » : l’eau, c’est 2,50 €. Aujourd'hui, M. Dupont s’en va… N'est-ce ?",
    "¿Quién lo dijo? ¡Nadie! El Sr. Pérez llegó a las 10:30 a.m. y pagó 1.234,56 €.",
    "Совет заявил во вторник, что он не будет платить. «Почему?» — спросил он. См. стр. 5.",
    "Το συμβούλιο δήλωσε ότι δεν θα πληρώσει· ΟΔΟΣ, οδός; Ναι.",
    "市议会星期二表示，不会支付五月洪水后关闭的大桥的维修费用。“为什么？”他问。長江iPhone手机。",
    "市議会は火曜日、橋の修理費を払わないと述べた。「なぜ？」と彼は尋ねた。ｶﾀｶﾅとカタカナ。葛\U000e0100飾。",
    "สภาเมืองกล่าวเมื่อวันอังคารว่าจะไม่จ่ายค่าซ่อมสะพาน เป็นศูนย์กลางการปกครองของประเทศไทย",
    "ລາວເປັນປະເທດ ພາສາລາວ ກຳປູເຈຍ ខ្មែរ ភ្នំពេញ ရန်ကုန် မြန်မာ",
    "시의회는 화요일 다리 수리비를 지불하지 않겠다고 밝혔다. 왜? 아무도 모른다.",
    "أعلن المجلس يوم الثلاثاء أنه لن يدفع. لماذا؟ لا أحد يعلم، ١٢٣٫٤٥.",
    'המועצה הודיעה ביום שלישי שלא תשלם. למה? ד"ר כהן.',
    "परिषद ने मंगलवार को कहा कि वह भुगतान नहीं करेगी। क्यों? हिन्दी में।",
    "ምክር ቤቱ ማክሰኞ ገንዘብ እንደማይከፍል ተናገረ። ለምን?",
    "Հայաստանի խորհուրդը չի վճարի։ Ինչու՞։",
    "1. First item\n2. Second item\n  a) sub\n\n\n* star\n- dash\n\t• bullet\r\n\r\nIV. Roman",
    "I ❤️ you 👩‍👩‍👧‍👦 🇹🇷 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ☃ e\u0301te\u0301 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!",
    "<p>Broken &amp markup <b>bold</i> <!-- no end <script>if (a<b) {}</script> &#x110000; &#0;",
    "Visit http://a.b/c?d=e&f=g#h or mail x.y@z.co.uk, see U.S.A. v. U.K. No. 5, e.g. p. 7 etc. OK",
    "ＦＵＬＬ ｗｉｄｔｈ １２３ ﬁne ﬂuﬀ ½ Ⅷ ㎏ ㋿ ﷺ ǆ ß ẞ ſ K Å İ ı",
    "\u202ertl over\u202c \u2066isolate\u2069 zero\u200bwidth so\u00adft \ufeffbom no\u2060break",
    "Line\u2028separator\u2029paragraph\u0085next\x0bvertical\x0cfeed\x1cfile\x1dgroup\x00nul\x7f",
)

#: What splitters and counters of offsets stumble over.
NASTY = (
    *"\"'`“”‘’«»‹›「」『』《》()[]{}<>&;:,.!?…。！？।॥؟؛՞։။·-–—_/\\|*#@%$€^~=+",
    *"\n\r\t \x0b\x0c\x85\xa0\u2028\u2029\u3000\u200b\u200d\u00ad\ufeff\ufe0f\u0301\u0000\x1c\x7f",
    *"aAzZiIİıßſςσΣéǅ09٣五ก長あカ한अ𝔘😀\ufffd\U0010ffff\U000e0100\ud800\udc00\ud83d\ude00",
    "''",
    "``",
    "...",
    ". . .",
    "? !",
    "\n\n",
    "\r\n \r\n",
    "Mr. ",
    "e.g. ",
    "A. ",
    " a",
    "1.",
    "1,000.5",
    "[1]",
    "&nbsp;",
    "</p>",
)

LANGUAGES = (
    *(None,) * 12,
    *("en", "tr", "de", "fr", "es", "ru", "el", "zh", "ja", "th", "lo", "km", "my", "ko", "ar"),
    *("he", "hi", "am", "hy", "it", "az", "ca", "und", "xx", "", "en-GB", "zh_Hant", "pt", "fi"),
)

#: Every code point there is, planes beyond the first thinned out so that all of them come up.
CODE_POINTS = (
    *range(0xD800),
    *range(0xD800, 0xE000, 64),
    *range(0xE000, 0x10000),
    *range(0x10000, 0x20000),
    *range(0x20000, sys.maxunicode + 1, 17),
)


def text(rng: random.Random) -> str:
    """Return a hostile text."""
    (kind,) = rng.choices(list(KINDS), list(KINDS.values()))
    return kind(rng)


def edited(rng: random.Random) -> str:
    return mutated(rng, rng.choice(SEEDS))


def soup(rng: random.Random) -> str:
    return "".join(rng.choices(NASTY, k=rng.randrange(40)))


def unicode(rng: random.Random) -> str:
    return "".join(map(chr, rng.choices(CODE_POINTS, k=rng.randrange(40))))


def latin(rng: random.Random) -> str:
    return "".join(map(chr, rng.choices(range(0x250), k=rng.randrange(60))))


def spliced(rng: random.Random) -> str:
    one, other = rng.choice(SEEDS), rng.choice(SEEDS)
    return one[: rng.randrange(len(one))] + other[rng.randrange(len(other)) :]


def joined(rng: random.Random) -> str:
    """Return words of one script with marks of all between them."""
    words = rng.choice(SEEDS).split()
    return "".join(rng.choice(words) + rng.choice(NASTY) for _ in range(rng.randrange(12)))


def mutated(rng: random.Random, given: str) -> str:
    """Return a text with a few places cut out, doubled, moved, or spoiled."""
    for _ in range(rng.randrange(1, 6)):
        start = rng.randrange(len(given) + 1)
        end = min(start + rng.randrange(12), len(given))
        part = given[start:end]
        change = rng.randrange(5)
        if change == 0:
            part = ""
        elif change == 1:
            part += rng.choice(NASTY)
        elif change == 2:
            part *= rng.randrange(1, 6)
        elif change == 3:
            part = part.swapcase()[::-1]
        else:
            part = chr(rng.choice(CODE_POINTS)) + part
        given = given[:start] + part + given[end:]
    return given


def endless(rng: random.Random) -> str:
    """Return a text longer than any block, in one line or one word."""
    size = rng.choice((300, 5_000, 33_000, 70_000, 150_000))
    part = rng.choice((rng.choice(NASTY), rng.choice(SEEDS), rng.choice(SEEDS).split()[0], "長江"))
    whole = (part * (size // len(part) + 1))[:size]
    return mutated(rng, whole)


KINDS: dict[Callable[[random.Random], str], float] = {
    edited: 35,
    soup: 20,
    unicode: 15,
    latin: 10,
    spliced: 10,
    joined: 10,
    endless: 0.05,
}


def _records(rng: random.Random) -> list[dict[str, object]]:
    return [
        {"id": str(n), "text": text(rng).encode(errors="replace").decode(), "date": "2026-01-02"}
        for n in range(rng.randrange(1, 4))
    ]


def jsonl(rng: random.Random) -> bytes:
    return "\n".join(
        json.dumps(record, ensure_ascii=rng.random() < 0.5) for record in _records(rng)
    ).encode()


def csv(rng: random.Random) -> bytes:
    quoted = (
        ",".join('"' + str(value).replace('"', '""') + '"' for value in record.values())
        for record in _records(rng)
    )
    return ("id,text,date\n" + rng.choice(("\n", "\r\n", "\r")).join(quoted)).encode()


def html(rng: random.Random) -> bytes:
    words = " ".join(str(record["text"]) for record in _records(rng))
    head = "<!doctype html><title>T</title><meta charset=x><body>"
    page = f"{head}<p>{words}<p>&amp;&#{rng.randrange(9**6)};"
    return page.encode(rng.choice(("utf-8", "utf-16", "cp1252", "shift_jis")), "replace")


def warc(rng: random.Random) -> bytes:
    parts = []
    for record in _records(rng):
        body = str(record["text"]).encode()
        size = len(body) if rng.random() < 0.8 else rng.randrange(-5, 10**6)
        kind = rng.choice(("conversion", "response", "warcinfo"))
        head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Length: {size}\r\n\r\n"
        parts.append(head.encode() + body + b"\r\n\r\n")
    return b"".join(parts)


def parquet(rng: random.Random) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(_records(rng)), sink)
    return sink.getvalue()


def plain(rng: random.Random) -> bytes:
    encoding = rng.choice(("utf-8", "utf-16", "utf-32", "cp1254", "gb18030", "euc_jp", "koi8-r"))
    return text(rng).encode(encoding, "replace")


MAKERS: dict[str, Callable[[random.Random], bytes]] = {
    "txt": plain,
    "md": plain,
    "html": html,
    "jsonl": jsonl,
    "csv": csv,
    "tsv": csv,
    "parquet": parquet,
    "warc": warc,
}
PACKERS: Sequence[tuple[str, Callable[[bytes], bytes]]] = (
    *(("", bytes),) * 6,
    (".gz", lambda data: gzip.compress(data, 1, mtime=0)),
    (".zst", zstandard.ZstdCompressor(level=1).compress),
)


def file(rng: random.Random) -> tuple[str, bytes]:
    """Return the name and the content of a file that is almost what its name says."""
    suffix = rng.choice(tuple(MAKERS))
    packed, pack = rng.choice(PACKERS)
    data = rng.randbytes(rng.randrange(300)) if rng.random() < 0.1 else MAKERS[suffix](rng)
    if rng.random() < 0.5:
        data = spoiled(rng, data)
    data = pack(data)
    if packed and rng.random() < 0.5:
        data = spoiled(rng, data)
    return f"input.{suffix}{packed}", data


def spoiled(rng: random.Random, data: bytes) -> bytes:
    """Return bytes with some changed, lost, doubled or cut off."""
    given = bytearray(data)
    for _ in range(rng.randrange(1, 5)):
        start = rng.randrange(len(given) + 1)
        end = min(start + rng.randrange(1, 9), len(given))
        change = rng.randrange(4)
        if change == 0:
            given[start:end] = rng.randbytes(end - start)
        elif change == 1:
            del given[start:end]
        elif change == 2:
            given[start:start] = given[start:end] * 3
        else:
            given = given[: rng.randrange(len(given) + 1)]
    return bytes(given)
