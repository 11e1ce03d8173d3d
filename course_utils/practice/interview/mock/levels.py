"""The levels: which parts a mock interview has and how long each is. To change a level, change its table.

A part is (kind, minutes); the minutes of a level add up to 45. The kinds: "spoken", a question that is
answered aloud; "program", a topic of `interview`; "hunt", programs with a bug, and "cards", flashcards, as
many as fit; "design", a question about cost.
"""

from dataclasses import dataclass
from difflib import get_close_matches

MINUTES = 45


@dataclass(frozen=True)
class Level:
    """name: as it is typed. title: as it is read. parts: ((kind, minutes), ...). programs: topics of
    `interview`. hunts: which of them, by their estimated minutes: "shorter" half, "longer" half, or "all".
    lessons: those that flashcards are taken from."""

    name: str
    title: str
    parts: tuple
    programs: tuple
    lessons: tuple
    hunts: str = "all"


LEVELS = {
    level.name: level
    for level in (
        Level(
            "intern",
            "Intern",
            parts=(("spoken", 3), ("spoken", 3), ("program", 20), ("hunt", 10), ("cards", 9)),
            programs=("causal_mask", "stable_softmax", "generate_loop"),
            lessons=(1, 2, 3),
            hunts="shorter",
        ),
        Level(
            "new_graduate",
            "New graduate",
            parts=(("spoken", 3), ("spoken", 3), ("program", 22), ("hunt", 10), ("cards", 7)),
            programs=("mha", "causal_mask", "rope", "generate_loop"),
            lessons=(1, 2, 3, 4, 5),
        ),
        Level(
            "senior",
            "Senior inference engineer",
            parts=(
                ("spoken", 3),
                ("spoken", 3),
                ("program", 16),
                ("hunt", 9),
                ("cards", 4),
                ("design", 10),
            ),
            programs=("cached_mha", "gqa", "online_softmax", "rope"),
            lessons=(4, 6, 7),
            hunts="longer",
        ),
    )
}


def find_level(typed):
    """(Level, None), or (None, the sentence that says which levels there are)."""
    if isinstance(typed, str):
        plain = "_".join(typed.lower().replace("-", " ").replace("_", " ").split())
        for name, level in LEVELS.items():
            if plain in (name, level.title.lower().replace(" ", "_")):
                return level, None
        near = get_close_matches(plain, list(LEVELS), n=1, cutoff=0.7)
        if "grad" in plain:
            near = ["new_graduate"]
    else:
        near = []
    came = f'"{typed[:40]}"' if isinstance(typed, str) else f"{typed!r:.40}"
    meant = f" Did you mean {near[0]}?" if near else ""
    return None, f"There is no level called {came}. There are: {', '.join(LEVELS)}.{meant}"
