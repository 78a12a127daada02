"""The main content of a page: what is left without menus, advertisements and lists of links.

Both extractors give markup, so that headings, paragraphs and lists stay, and the text is read from
it as from any page.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal, get_args

from twicetold.extras import missing_extra

__all__ = ["CONTENTS", "Content", "main_content", "require_quality"]

Content = Literal["full", "main", "main-quality"]
"""``full``: the whole page. ``main``: what resiliparse takes for its main content, the quicker.
``main-quality``: what trafilatura does, by far the better and twenty times slower."""
CONTENTS: tuple[Content, ...] = get_args(Content)

#: What an extractor may stumble over in a page that is not made for it.
_STUMBLES = (ValueError, TypeError, AttributeError, LookupError, RecursionError)


def require_quality() -> None:
    """Raise `MissingExtraError` unless the better extractor is there."""
    if find_spec("trafilatura") is None:
        raise missing_extra(need="main-quality needs trafilatura", extra="quality")


def main_content(markup: str, content: Content) -> str | None:
    """Return the markup of a page's main content; None if there is none."""
    try:
        found = _quality(markup) if content == "main-quality" else _quick(markup)
    except _STUMBLES as error:
        import logging

        logging.getLogger(__name__).info("no main content was found: %r", error)
        return None
    return found if found and found.strip() else None


def _quick(markup: str) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return str(
        extract_plain_text(
            markup,
            preserve_formatting="minimal_html",
            main_content=True,
            comments=False,
            alt_texts=False,
            list_bullets=False,
            links=False,
        )
    )


def _quality(markup: str) -> str | None:
    import logging

    from trafilatura import extract

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it tells of every odd page
    found: str | None = extract(markup, output_format="html", include_comments=False)
    return found
