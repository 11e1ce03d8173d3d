"""The lessons' own answers, taken out of their solution cells."""

import re
from pathlib import Path

SOLUTIONS = Path(__file__).resolve().parents[1] / "solutions"
PREAMBLE = (
    "import math\nimport numpy as np\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
)


def answers(lesson):
    """{name: object} of every solution cell of the lesson, e.g. "03_self_attention"."""
    text = next(SOLUTIONS.glob(f"{lesson}/*.py")).read_text(encoding="utf-8")
    space = {}
    exec(PREAMBLE, space)
    for cell in re.split(r"^# %%", text, flags=re.M):
        head, _, source = cell.partition("\n")
        if '"solution": true' in head and "markdown" not in head:
            exec(source, space)
    return space
