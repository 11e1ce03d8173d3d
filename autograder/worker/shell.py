"""Run notebook cells as a notebook does: magics, display, top-level await; without side effects on the machine."""
import os

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

MEANINGLESS = ("pip", "conda", "mamba", "micromamba", "uv", "system", "sx", "sh", "bash", "script", "matplotlib")


def make_shell():
    """A fresh IPython without history file, with installers, shell commands and other screens for figures that do nothing."""
    os.environ["MPLBACKEND"] = "agg"
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.cache_size = 0
    shell = InteractiveShell(config=config)
    InteractiveShell._instance = shell  # what get_ipython() returns in a cell
    shell.system = shell.getoutput = lambda *command, **options: None
    for name in MEANINGLESS:
        for kind in ("line", "cell"):
            shell.register_magic_function(lambda *words: None, kind, name)
    shell.enable_gui = lambda gui=None: None
    shell.showtraceback = lambda *args, **options: None
    return shell


def run_cell(shell, source):
    """Run one cell; return None, or 'NameError: name x is not defined'."""
    try:
        result = shell.run_cell(source, store_history=False)
    except BaseException as error:  # SystemExit and whatever else escapes IPython
        return describe(error)
    error = result.error_before_exec or result.error_in_exec
    return describe(error) if error is not None else None


def describe(error):
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__
