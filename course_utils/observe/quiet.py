"""Run a student's code without letting it write all over the page."""

import contextlib
import io
import warnings


class Capped(io.TextIOBase):
    """A text stream that keeps the first `limit` characters and forgets the rest."""

    def __init__(self, limit):
        self.limit, self.kept = limit, ""

    def writable(self):
        return True

    def write(self, text):
        self.kept += text[: self.limit - len(self.kept)]
        return len(text)


@contextlib.contextmanager
def quiet(limit=2000):
    """Yield the stream that receives stdout; stderr and warnings are dropped (nbgrader gives 0 for anything on stderr)."""
    out = Capped(limit)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(Capped(0)), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield out
