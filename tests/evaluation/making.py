"""Small labelled sets in the layouts in which public ones are given out, with texts of our own."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

#: A report, a copy of it inside a longer one, and something else.
DAM = "The old dam at Brindle broke on Monday. Ten villages lie below it."
LONGER = f"{DAM} Helicopters took people from roofs. The king will visit on Friday."
OTHER = "Shares of the glass works fell by two percent. Traders blame the harvest."


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def write_json(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    return write(path, "".join(f"{json.dumps(row)}\n" for row in rows))


def write_csv(path: Path, rows: Sequence[Mapping[str, str]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(rows[0]))
        out.writeheader()
        out.writerows(rows)
    return path


def pan(folder: Path) -> Path:
    write(folder / "susp" / "s1.txt", LONGER)
    write(folder / "susp" / "s2.txt", f"{OTHER}\r\nNaïve.")
    write(folder / "src" / "d1.txt", DAM)
    write(folder / "src" / "unused.txt", "Nobody names this one.")
    write(folder / "pairs", "s1.txt d1.txt\ns2.txt d1.txt\n")
    spans = f'this_offset="0" this_length="{len(DAM)}" source_offset="0" source_length="{len(DAM)}"'
    feature = f'<feature name="plagiarism" {spans} /><feature name="other" />'
    write(folder / "01-no-plagiarism" / "pairs", "s2.txt d1.txt\n")
    write(folder / "01-no-plagiarism" / "s2-d1.xml", '<document reference="s2.txt"></document>')
    write(folder / "02-no-obfuscation" / "pairs", "s1.txt d1.txt\n")
    write(folder / "02-no-obfuscation" / "s1-d1.xml", f"<document>{feature}</document>")
    return folder


def clough_stevenson(folder: Path) -> Path:
    write(folder / "orig_a.txt", f"{LONGER} Café.", "latin-1")
    write(folder / "g1_a.txt", DAM)
    write(folder / "g2_a.txt", OTHER)
    lines = "orig_a.txt,g1_a.txt,cut\norig_a.txt,g2_a.txt,non\n"
    write(folder / "all-plagiarised-files.txt", lines)
    return folder


def p4p(folder: Path) -> Path:
    write(folder / "p4p_source.txt", f"{DAM}\n{OTHER}\n")
    write(folder / "p4p_reference.txt", f"{LONGER}\n{OTHER}\n")
    return folder


def tap_dlnd(folder: Path) -> Path:
    rows = [
        ("E1", "E1SRC1", DAM, "True", ""),
        ("E1", "E1SRC2", "Helicopters took people from roofs.", "True", ""),
        ("E1", "E1TGT1", f"{DAM} Helicopters took people from roofs.", "False", "Non-Novel"),
        ("E1", "E1TGT2", OTHER, "False", "Novel"),
    ]
    names = ("event_id", "news_id", "content", "is_source", "DLA")
    write_csv(folder / "corpus.csv", [dict(zip(names, row, strict=True)) for row in rows])
    return folder


def semeval(folder: Path) -> Path:
    rows = [("1_2", "en", "en", DAM, LONGER, "1.5"), ("1_3", "en", "de", DAM, "Der Damm.", "4.0")]
    names = ("pair_id", "lang1", "lang2", "text1", "text2", "Overall")
    write_csv(folder / "training.csv", [dict(zip(names, row, strict=True)) for row in rows])
    return folder


def bills(folder: Path) -> Path:
    rows = [("a", "b", DAM, LONGER, "3"), ("a", "c", DAM, OTHER, "0")]
    names = ("sec_a_id", "sec_b_id", "sec_a_text", "sec_b_text", "label")
    write_csv(folder / "pairs.csv", [dict(zip(names, row, strict=True)) for row in rows])
    return folder


def versions(folder: Path) -> Path:
    write(folder / "version_documents" / "Dam" / "0.txt", DAM)
    write(folder / "version_documents" / "Dam" / "1.txt", LONGER)
    write(folder / "version_documents" / "Shares" / "0.txt", OTHER)
    return folder


def mrpc(folder: Path) -> Path:
    head = "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
    write(folder / "msr-para-train.tsv", f'{head}1\t1\t2\t"{DAM}\t{LONGER}\n')
    write(folder / "msr-para-test.tsv", f"{head}1\t3\t4\t{DAM}\t{DAM}\n0\t5\t6\t{DAM}\t{OTHER}\n")
    return folder


def sts(folder: Path) -> Path:
    write(folder / "2014" / "dams.test.tsv", f"4.8\t{DAM}\t{DAM}\n0.2\t{DAM}\t{OTHER}\n")
    write(
        folder / "2015" / "shares.test.tsv", f"\t{DAM}\tNot scored.\n3\t{OTHER}\tShares\u2028up.\n"
    )
    return folder


def stsb(folder: Path) -> Path:
    write(
        folder / "stsb-de-dev.csv", f'"Der Damm, er brach.",Der Damm brach.,4.5\n{DAM},{OTHER},0\n'
    )
    head = "genre\tdataset\tyear\tsid\tscore\tsentence1\tsentence2\n"
    write(folder / "stsb_tr_dev.tsv", f"{head}a\tb\tc\td\t5.000\tBaraj yıkıldı.\tBaraj çöktü.\n")
    return folder


def own(folder: Path) -> Path:
    texts = {"dam": DAM, "longer": LONGER, "other": OTHER}
    write_json(folder / "documents.jsonl", [{"id": i, "text": t} for i, t in texts.items()])
    rows = [
        {"left": "dam", "right": "longer", "label": True},
        {"left": "dam", "right": "other", "label": False},
    ]
    write_json(folder / "labels.jsonl", rows)
    return folder


def judged(folder: Path) -> Path:
    texts = {"dam": DAM, "longer": LONGER, "other": OTHER}
    texts["shares"] = f"{OTHER} {DAM} The mill by the river stands still until autumn at least."
    write_json(folder / "documents.jsonl", [{"id": i, "text": t} for i, t in texts.items()])
    rows: list[dict[str, Any]] = [
        {"pair": "p0", "left": "dam", "right": "longer", "answer": "contained", "weight": 4.0},
        {"pair": "p1", "left": "shares", "right": "other", "answer": "contains", "second": "stock"},
        {"pair": "p2", "left": "longer", "right": "shares", "answer": "overlap", "sure": False},
        {"pair": "p3", "left": "other", "right": "dam", "answer": "unrelated", "weight": 95.5},
    ]
    write_json(folder / "judgements.jsonl", rows)
    return folder


MADE = {
    "judgements": judged,
    "labels": own,
    "pan": pan,
    "clough-stevenson": clough_stevenson,
    "p4p": p4p,
    "tap-dlnd": tap_dlnd,
    "semeval-2022-8": semeval,
    "bills": bills,
    "versions": versions,
    "mrpc": mrpc,
    "sts": sts,
    "stsb": stsb,
}
