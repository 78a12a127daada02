"""Exit codes by name; `exits` says what each means. Nothing is imported to know them."""

__all__ = ["DONE", "FAILED", "INTERRUPTED", "REFUSED", "TERMINATED"]

DONE, FAILED, REFUSED, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143
