"""The letters of part 5's earlier versions: everything in it is gone."""

from .former import former_names

__getattr__ = former_names(
    __name__,
    {
        "2026-11-29": "JOBS LETTERS LOOK_BACK NO_ANSWER REPEATS TinyModel accuracy decode encode "
        "load_checkpoint places_of_jobs seconds_per_step train"
    },
)
