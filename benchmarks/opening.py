"""How long a browser takes to open a page: ``python -m benchmarks.opening PAGE.html...``.

Processor time is that of the page's main thread, the best of several openings, from nothing until
it has come to rest; wall time ends when the page is loaded and can be used.
"""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_TIMES = 5


def main(paths: list[Path]) -> None:
    """Open each page a few times, and print a row for each."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=arguments)
        print("page, MB, processor s, wall s")
        for path in paths:
            runs = [_opened(browser, path.resolve()) for _ in range(_TIMES)]
            processor, wall = (min(column) for column in zip(*runs, strict=True))
            print(f"{path.name}, {path.stat().st_size / 1e6:.1f}, {processor:.2f}, {wall:.2f}")
        browser.close()


def _opened(browser: Browser, path: Path) -> tuple[float, float]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(path.as_uri())
    page.wait_for_timeout(300)
    metrics = session.send("Performance.getMetrics")["metrics"]
    processor = next(row["value"] for row in metrics if row["name"] == "TaskDuration")
    wall = page.evaluate('performance.getEntriesByType("navigation")[0].loadEventEnd')
    context.close()
    return float(processor), float(wall) / 1000


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
