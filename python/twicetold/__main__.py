"""``python -m twicetold``: the command line."""

from twicetold.cli import main

if __name__ == "__main__":
    main()
