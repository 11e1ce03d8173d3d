"""Lets root run a command as an ordinary user, or as a root that cannot create user namespaces."""

import ctypes
import json
import os
import shlex
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from .notebooks import ROOT

UID = 48_611
SETTINGS = "PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1"
NEW_USER, NEW_MOUNTS = 0x10000000, 0x20000


def as_user(folder, *command):
    """The command line that runs `command` as a user who sees Python and the course even in private homes."""
    needed = [Path(os.path.realpath(sys.executable)).parent.parent, Path(sys.prefix), ROOT]
    lines = ["set -e", *open_folders(needed, folder)]
    lines += [f"chown {UID} {shlex.quote(str(folder))}", f"cd {shlex.quote(str(ROOT))}"]
    user = f"exec setpriv --reuid={UID} --regid={UID} --clear-groups env -i".split()
    environment = ["PATH=/usr/bin:/bin", f"HOME={folder}", f"PYTHONPATH={ROOT}", *SETTINGS]
    run = shlex.join([*user, *environment, *map(str, command)])
    return [*["unshare", "--mount", "--propagation", "private", "sh", "-c"], "\n".join([*lines, run])]


def open_folders(needed, folder):
    """Shell lines that replace each private folder by an open one with only the needed folders mounted."""
    private = {closed for path in needed if (closed := first_private(path))}
    for place in sorted(private):
        inside = [path for path in needed if path.is_relative_to(place)]
        for number, path in enumerate(inside):
            aside = f"{folder}/aside{number}"
            yield f"mkdir -p {aside}; mount --rbind {shlex.quote(str(path))} {aside}"
        yield f"mount -t tmpfs -o mode=755 tmpfs {shlex.quote(str(place))}"
        for number, path in enumerate(inside):
            aside, place = f"{folder}/aside{number}", shlex.quote(str(path))
            yield f"mkdir -p {place}; mount --move {aside} {place}; rmdir {aside}"


def first_private(path):
    """The outermost folder above the path that other users may not enter, or None."""
    return next((p for p in [*reversed(path.parents), path] if not p.stat().st_mode & stat.S_IXOTH), None)


def without_user_namespaces(*command):
    """The command line that runs `command` as root where user namespaces cannot be created."""
    return [sys.executable, "-m", "tests.corpus.people", *map(str, command)]


def become_that_root(command):
    """Run the command in a new user namespace with all ids, so that nothing outside changes."""
    ready, may_go = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(NEW_USER | NEW_MOUNTS):
            os._exit(99)
        os.write(ready[1], b"x")
        os.read(may_go[0], 1)
        Path("/proc/sys/user/max_user_namespaces").write_text("0")
        os.execvp(command[0], command)
    os.read(ready[0], 1)
    for name in ("uid_map", "gid_map"):
        Path(f"/proc/{child}/{name}").write_text("0 0 4294967295")
    os.write(may_go[1], b"x")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


IDENTITIES = {
    "as we are": lambda folder, *command: command,
    "as an ordinary user": as_user,
    "as root without user namespaces": lambda folder, *command: without_user_namespaces(*command),
}


def run_as(identity, *options):
    """What `python -m tests.corpus.run` prints under one of the identities."""
    with tempfile.TemporaryDirectory(prefix="open-") as folder:
        Path(folder).chmod(0o755)
        command = IDENTITIES[identity](folder, sys.executable, "-m", "tests.corpus.run", folder, *options)
        result = subprocess.run(list(map(str, command)), cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return json.loads(result.stdout)


if __name__ == "__main__":
    sys.exit(become_that_root(sys.argv[1:]))
