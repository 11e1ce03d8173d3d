"""What every submission would otherwise import and set up for itself, done once before the first fork."""

import importlib
import pkgutil

import torch

MODULES = (
    "numpy", "torch.nn", "torch.nn.functional", "torch.nn.attention.bias", "torch.nn.utils.rnn", "torch.utils.data", "torch.optim",
    "safetensors.torch", "course_utils", "course_utils.observe.probe", "matplotlib.pyplot", "numpy.ctypeslib", "ipywidgets", "asyncio", "math", "random", "dataclasses", "typing", "functools", "itertools", "collections", "time",
)  # fmt: skip


def warm_up():
    """Import, and run once what imports or sets itself up at its first use; on one thread."""
    torch.set_num_threads(1)
    for name in (*MODULES, *figures()):
        try:
            importlib.import_module(name)
        except ImportError:  # an optional one: the submission that needs it will say so
            continue
    train_once()
    draw_once()


def figures():
    """The course's own: the set-up of a lesson imports some of them."""
    import course_utils.figures as package

    return [f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__)]


def train_once():
    """The first optimizer step imports for a second or two."""
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 3))
    optimizer = torch.optim.Adam(model.parameters())
    torch.nn.functional.cross_entropy(model(torch.ones(3, 4)), torch.tensor([0, 1, 2])).backward()
    optimizer.step()


def draw_once():
    """The first figure finds the fonts."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure = plt.figure()
    figure.subplots().plot([0, 1])
    figure.canvas.draw()
    plt.close(figure)
