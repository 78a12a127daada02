"""The tests of Twicetold."""
