"""The other programs, each used as its own documentation recommends."""
