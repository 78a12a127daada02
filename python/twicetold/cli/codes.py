"""Exit codes by name; `exits` says what each means. Nothing is imported to know them."""

__all__ = ["DONE", "FAILED", "INTERRUPTED", "REFUSED"]

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
