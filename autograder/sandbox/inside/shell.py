"""Run cells as a notebook does (magics, display, top-level await), without side effects on the machine."""

import os
import re
import selectors
import subprocess
import sys

import torch
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList
from traitlets.config import Config

from course_utils.observe.trial import in_words

COUNTS = re.compile(r"(?<=\s)-[nr]\s*\d+(?=\s|$)")
IGNORED_MAGICS = "pip conda mamba micromamba uv sh bash script matplotlib reset reset_selective"


class QuietShell(InteractiveShell):
    """A shell in which commands and figure windows do nothing, and errors are not printed."""

    def system(self, cmd):
        pass

    def getoutput(self, cmd, split=True, depth=0):
        return SList()

    def ask_exit(self):
        """exit() would end a kernel; here the cells below still count."""

    def enable_gui(self, gui=None):
        pass

    def showtraceback(self, *args, **options):
        pass


def make_shell():
    """Return an IPython shell without history, in which pip does nothing either."""
    os.environ["MPLBACKEND"] = "agg"
    sys.path.insert(0, "")  # as in a notebook, a cell can import a module that another cell wrote
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.cache_size = 0
    InteractiveShell.clear_instance()
    shell = QuietShell.instance(config=config)  # what get_ipython() returns in a cell
    subprocess.call = subprocess.check_call = lambda *command, **options: 0
    subprocess.run = pretend_to_run
    selectors.DefaultSelector = selectors.PollSelector  # a user's epoll watches are limited: use none
    for name in ("cpu_count", "process_cpu_count"):
        setattr(os, name, lambda: 2)  # the default size of a process pool
    torch.set_num_threads = lambda count: None  # a large machine has more than the limit
    torch.set_default_device = lambda device: None  # there is only the CPU
    time_once(shell)
    for name in IGNORED_MAGICS.split():
        for kind in ("line", "cell"):
            shell.magics_manager.register_function(lambda *words: None, kind, name)
    return shell


def pretend_to_run(command, *more, **options):
    """Replace subprocess.run: return the result of a program that succeeded and wrote nothing."""
    nothing = "" if any(map(options.get, ("text", "encoding", "errors", "universal_newlines"))) else b""
    return subprocess.CompletedProcess(command, 0, nothing, nothing)


def time_once(shell):
    """Make %timeit run its statement once: nobody reads the time here, and repetitions take seconds."""
    real = shell.find_magic("timeit")
    for kind in ("line", "cell"):
        shell.register_magic_function(
            lambda line, cell=None: real("-n 1 -r 1" + COUNTS.sub(" ", f" {line}"), cell), kind, "timeit"
        )


def run_cell(shell, source):
    """Run one cell; return None, or [type, message] of the exception that it ended with."""
    try:
        result = shell.run_cell(source, store_history=False)
    except BaseException as error:  # SystemExit and anything else that escapes IPython
        return in_words(error)
    error = result.error_before_exec or result.error_in_exec
    return in_words(error) if error is not None else None
