"""The outer wall: what bubblewrap lets the warm parent see. All of it is read-only, and nothing of the course's answers is there."""

import os
import sys
from pathlib import Path

from autograder.sandbox.shared.limits import CODE, HOME

from .code_zip import ROOT

ENVIRONMENT = {
    "HOME": HOME, "TMPDIR": HOME, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "USER": "student", "LOGNAME": "student",
    "MPLBACKEND": "agg", "MPLCONFIGDIR": HOME, "IPYTHONDIR": HOME, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2", "TORCHDYNAMO_DISABLE": "1",  # torch.compile needs a C++ compiler
}  # fmt: skip
FOR_ROOT = ("CAP_SETUID", "CAP_SETGID")
WITHOUT_USER_NAMESPACES = ("CAP_SYS_ADMIN", "CAP_SETPCAP", "CAP_KILL")
EXTRA = (
    "/etc/ld.so.cache",
    "/sys/devices/system/cpu",
)  # what the linker and torch's choice of instructions read
PACKAGES = ("site-packages", "dist-packages")
START = """
import sys
code, control, *packages = sys.argv[1:]
sys.path = [code, *(path for path in sys.path if not path.endswith(("site-packages", "dist-packages"))), *packages]
from autograder.sandbox.inside.warm_parent import main
main(int(control))
"""


def command(bwrap, code, control, user_namespace=True):
    """The command line. code and control are the numbers of descriptors that the process inherits."""
    line = [bwrap, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    line += [
        "--hostname",
        "sandbox",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        *rights(user_namespace),
    ]
    for name, value in ENVIRONMENT.items():
        line += ["--setenv", name, value]
    line += folders() + devices()
    line += ["--perms", "0444", "--ro-bind-data", str(code), CODE, "--tmpfs", HOME]
    line += [] if any(path.is_relative_to("/tmp") for path in shown()) else ["--symlink", HOME, "/tmp"]
    line += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", HOME]
    return [*line, str(python()), "-I", "-B", "-c", START, CODE, str(control), *packages()]


def rights(user_namespace):
    """As a user: a user namespace. As root: what a keeper needs to become somebody else, and nothing more."""
    if os.getuid() != 0:
        return ["--unshare-user"]
    kept = FOR_ROOT if user_namespace else FOR_ROOT + WITHOUT_USER_NAMESPACES
    return ["--cap-drop", "ALL", *(word for name in kept for word in ("--cap-add", name))]


def python():
    """The interpreter itself, not a venv's link to it: it finds its library from where it lies."""
    return Path(os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable))


def packages():
    """Where this Python finds installed packages, in its order."""
    return [path for path in sys.path if Path(path).name in PACKAGES and os.path.isdir(path)]


def libraries():
    """Where the interpreter's own library and the system's lie."""
    return [Path(root, lib) for root in (python().parent.parent, "/usr") for lib in ("lib", "lib64", "lib32")]


def shown():
    """Paths that the sandbox shows at their own place: Python, its packages, the system's libraries."""
    wanted = [python(), *map(Path, packages()), *libraries()]
    there = {path for path in wanted if os.path.exists(path) and not os.path.islink(path)}
    return {path for path in there if not any(shows(other, path) for other in there - {path})}


def shows(outer, inner):
    """Does showing `outer` show `inner` too, or is something covered in between?"""
    return inner.is_relative_to(outer) and not any(
        inner.is_relative_to(c) and c.is_relative_to(outer) for c in covered()
    )


def covered():
    """Empty inside, though what is around it is shown: where the course lies, even when it is installed among the packages or under
    /usr, and packages that the interpreter could import but this Python does not (those of a venv's base)."""
    ours = {Path(folder, name) for folder in packages() for name in ("autograder", "course_utils")}
    others = {
        path
        for lib in libraries()
        for kind in PACKAGES
        for path in lib.glob(f"python3*/{kind}")
        if not imported_from(path)
    }
    found = {path for path in ours | others if path.is_dir() and not path.is_symlink()}
    return found if ROOT.name in PACKAGES else found | {ROOT}


def imported_from(folder):
    return os.path.realpath(folder) in map(os.path.realpath, packages())


def folders():
    """Mounts from the outermost to the innermost, so that what is ours is covered, and a venv inside it shown again."""
    kinds = dict.fromkeys(shown(), "bind")
    kinds |= {path: "cover" for path in covered() if any(path.is_relative_to(p) for p in shown())}
    kinds |= {
        path: "folder"
        for inner in (*kinds, CODE, HOME, *EXTRA)
        for path in Path(inner).parents
        if needs_making(path, kinds)
    }
    line = []
    for path in sorted(kinds, key=lambda path: len(path.parts)):
        line += mounted(str(path), kinds[path])
    for path in (path for path, kind in kinds.items() if kind == "cover"):
        line += ["--remount-ro", str(path)]
    return line + system_links()


def needs_making(path, kinds):
    """bwrap would make a missing parent with mode 0700: another uid could not pass."""
    above = [other for other in kinds if path.is_relative_to(other)]
    nearest = max(above, key=lambda other: len(other.parts), default=None)
    return path != Path("/") and path not in kinds and (nearest is None or kinds[nearest] != "bind")


def mounted(path, kind):
    return {
        "bind": ["--ro-bind", path, path],
        "cover": ["--perms", "0755", "--tmpfs", path],
        "folder": ["--perms", "0755", "--dir", path],
    }[kind]


def system_links():
    """/lib and its like as links where this system has links, and what else libraries read."""
    line = []
    for path in ("/lib", "/lib64", "/lib32"):
        line += (
            ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind-try", path, path]
        )
    for path in EXTRA:
        line += ["--ro-bind-try", path, path]
    return line


def devices():
    line = ["--proc", "/proc", "--tmpfs", "/dev", "--dir", "/dev/shm"]
    for name in ("null", "random", "urandom"):  # not zero: mapped, it is memory that nobody counts
        line += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    return line
