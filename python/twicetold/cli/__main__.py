"""``python -m twicetold.cli``."""

from twicetold.cli import main

main()
