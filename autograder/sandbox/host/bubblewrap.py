"""bubblewrap's command line: the files that the sandbox sees, all read-only, without the course's answers."""

import os
import sys
from pathlib import Path

from autograder.sandbox.shared.limits import CODE, HOME

from .code_zip import ROOT

NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
PROCESS = ("--hostname", "sandbox", "--die-with-parent", "--new-session", "--clearenv")
ENVIRONMENT = {
    "HOME": HOME, "TMPDIR": HOME, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "USER": "student",
    "LOGNAME": "student", "MPLBACKEND": "agg", "MPLCONFIGDIR": HOME, "IPYTHONDIR": HOME,
    "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2",
    "TORCHDYNAMO_DISABLE": "1",  # torch.compile needs a compiler
}  # fmt: skip
FOR_ROOT = "CAP_SETUID", "CAP_SETGID", "CAP_SYS_ADMIN", "CAP_SETPCAP", "CAP_KILL"
ALSO_READ = "/etc/ld.so.cache", "/sys/devices/system/cpu"  # by the linker, by torch to choose instructions
DEVICES = ("null", "random", "urandom")  # not zero: mapped, it is memory that nobody counts
PACKAGES = ("site-packages", "dist-packages")
START = """
import sys
code, control, *packages = sys.argv[1:]
library = [path for path in sys.path if not path.endswith(("site-packages", "dist-packages"))]
sys.path = [code, *library, *packages]
from autograder.sandbox.inside.warm_parent import main
main(int(control))
"""


def command(bwrap, code, control):
    """The command line. code and control are the numbers of descriptors that the process inherits."""
    line = [bwrap, *NAMESPACES, *PROCESS, *rights()]
    for name, value in ENVIRONMENT.items():
        line += ["--setenv", name, value]
    line += mounts() + system_links() + devices()
    line += ["--perms", "0444", "--ro-bind-data", str(code), CODE, "--tmpfs", HOME]
    line += (
        [] if any(path.is_relative_to("/tmp") for path in visible_paths()) else ["--symlink", HOME, "/tmp"]
    )
    line += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", HOME]
    return [*line, str(python()), "-I", "-B", "-c", START, CODE, str(control), *packages()]


def rights():
    """As a user: a user namespace, in which a keeper can make the others. As root none, for many containers
    allow none: what a keeper needs to make the others and to become another user, and nothing more."""
    if os.getuid() != 0:
        return ["--unshare-user"]
    return ["--cap-drop", "ALL", *(word for name in FOR_ROOT for word in ("--cap-add", name))]


def python():
    """The interpreter itself, not a venv's link to it: it finds its library from its own place."""
    return Path(os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable))


def packages():
    """The folders where this Python finds installed packages, in its order."""
    return [path for path in sys.path if Path(path).name in PACKAGES and os.path.isdir(path)]


def libraries():
    """The folders of the interpreter's own library and of the system's."""
    return [Path(root, lib) for root in (python().parent.parent, "/usr") for lib in ("lib", "lib64", "lib32")]


def visible_paths():
    """Paths that the sandbox sees at their own place: Python, its packages, the system's libraries."""
    wanted = [python(), *map(Path, packages()), *libraries()]
    existing = {path for path in wanted if os.path.exists(path) and not os.path.islink(path)}
    return {path for path in existing if not any(shows(other, path) for other in existing - {path})}


def shows(outer, inner):
    """Whether showing `outer` shows `inner` too, with nothing covered in between."""
    between = [path for path in covered() if inner.is_relative_to(path) and path.is_relative_to(outer)]
    return inner.is_relative_to(outer) and not between


def covered():
    """Folders that are empty inside, though what is around them is shown: the course, even when it is
    installed among the packages or lies under /usr, and packages that only the base interpreter of this venv
    imports."""
    course_paths = {Path(folder, name) for folder in packages() for name in ("autograder", "course_utils")}
    installed = {path for lib in libraries() for kind in PACKAGES for path in lib.glob(f"python3*/{kind}")}
    unimported = {path for path in installed if not imported_from(path)}
    folders = {path for path in course_paths | unimported if path.is_dir() and not path.is_symlink()}
    return folders if ROOT.name in PACKAGES else folders | {ROOT}


def imported_from(folder):
    return os.path.realpath(folder) in map(os.path.realpath, packages())


def mounts():
    """From the outermost to the innermost: the course in a shown folder is covered, its venv shown again."""
    kinds = dict.fromkeys(visible_paths(), "--ro-bind")
    kinds |= {
        path: "--tmpfs" for path in covered() if any(path.is_relative_to(other) for other in visible_paths())
    }
    parents = {path for inner in (*kinds, CODE, HOME, *ALSO_READ) for path in Path(inner).parents}
    kinds = dict.fromkeys(parents, "--dir") | kinds  # bwrap itself would make them for root alone
    line = []
    for path in sorted(kinds, key=lambda path: len(path.parts)):
        is_shown = kinds[path] == "--ro-bind"
        line += ["--ro-bind", str(path)] if is_shown else ["--perms", "0755", kinds[path]]
        line.append(str(path))
    for path in (path for path, kind in kinds.items() if kind == "--tmpfs"):
        line += "--remount-ro", str(path)
    return line


def system_links():
    """/lib and its like as links where this system has links, and the single files that libraries read."""
    line = []
    for path in ("/lib", "/lib64", "/lib32", *ALSO_READ):
        linked = os.path.islink(path) and path not in ALSO_READ
        line += ["--symlink", os.readlink(path), path] if linked else ["--ro-bind-try", path, path]
    return line


def devices():
    line = ["--proc", "/proc", "--tmpfs", "/dev", "--dir", "/dev/shm"]
    for name in DEVICES:
        line += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    return line
