"""Text made from text: edits a copyist makes, and collections of any size from one file."""
