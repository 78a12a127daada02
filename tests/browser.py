"""A real browser for tests of pages: the Chromium of the system, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request, expect, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
# A page that is slow because the machine is busy is not wrong.
_PATIENCE = 20_000
expect.set_options(timeout=_PATIENCE)


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """Start the browser; a test that needs one fails where there is none."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        pytest.fail(
            "no browser to test pages with: install the package chromium, or run `make test`"
        )
    # A browser does not shut itself in when it is run by root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, path: Path, **options: Any) -> Iterator[Page]:
    """Open a page; whatever it complains about, or asks the network for, is an error."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    context.set_default_timeout(_PATIENCE)
    page = context.new_page()
    wrong: list[str] = []

    def refuse(dialog: Dialog) -> None:
        wrong.append(dialog.message)
        dialog.dismiss()

    def note(request: Request) -> None:
        if request.url != path.as_uri():
            wrong.append(request.url)

    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text))
    page.on("dialog", refuse)
    page.on("request", note)
    page.goto(path.as_uri())
    yield page
    context.close()
    assert wrong == []
