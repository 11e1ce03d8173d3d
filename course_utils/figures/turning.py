"""The still picture of part 7's earlier versions: touch.rope has taken its place."""

from ..former import former_names

__getattr__ = former_names(__name__, {"2026-11-29": "plot_turning"})
