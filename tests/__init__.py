"""What tests and benchmarks release is kept in a copy of autograder/releases/kept, and not in the tree."""

import os
import shutil
import tempfile
from pathlib import Path

if "COURSE_RELEASES" not in os.environ:  # else the process that started this one has set it
    HANDED_OUT = tempfile.TemporaryDirectory(prefix="releases-")
    kept = Path(__file__).resolve().parents[1] / "autograder" / "releases" / "kept"
    os.environ["COURSE_RELEASES"] = shutil.copytree(kept, HANDED_OUT.name, dirs_exist_ok=True)
