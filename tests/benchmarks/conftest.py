import sys
from pathlib import Path

# `benchmarks` is not part of the package that is installed.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
