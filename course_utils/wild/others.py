"""Other people's libraries, where they are installed: a name goes in, the module or None comes out."""

from importlib import import_module
from importlib.metadata import version

INSTALL = "pip install transformers onnx flax"


def library(name, shows):
    """The module; where it is not installed, None, after one line that says what the cell would show."""
    try:
        module = import_module(name)
    except ModuleNotFoundError as missing:
        print(f"{missing.name} is not installed. With it ({INSTALL}), this cell shows {shows}.")
        return None
    distribution = name.split(".")[0]
    print(f"{distribution} {version(distribution)}")
    return module
