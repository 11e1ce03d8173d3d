"""How fast things are on this machine, now: each module prints what it measures."""

import os
import sys

import tests  # noqa: F401  (what a benchmark releases is not kept in the tree)

# nbgrader runs alembic by name: put this environment's programs first, whether it is activated or not.
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
