"""Where the text of a benchmark comes from: invented, resampled from a file, planted."""
