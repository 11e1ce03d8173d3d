"""What this machine grades with: the same lines on every worker of a cluster, and a sandbox that works."""

import importlib.metadata

from autograder.cluster.machine import this_machine
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.warm_process import SandboxUnavailable
from autograder.tables import print_table

NEEDED_BY = {"distributed": "a worker of a cluster (docs/scale.md)", "psycopg": "a gradebook on PostgreSQL"}


def show_machine():
    """Print it; the exit code is 1 where the sandbox does not work."""
    machine, sandboxed = this_machine(), sandbox_here()
    rows = [("course", machine.course), *(program.split(" ", 1) for program in machine.programs)]
    rows += [(name, version_of(name) or f"not installed; {use} needs it") for name, use in NEEDED_BY.items()]
    print_table((), [*rows, ("sandbox", sandboxed or "works")])
    return int(bool(sandboxed))


def sandbox_here():
    """Why the sandbox does not work; "" where it does."""
    try:
        sandbox().ready()
        return ""
    except SandboxUnavailable as error:
        return str(error)


def version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
