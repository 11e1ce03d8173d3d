"""What the sandbox sees: the course's code, packed without answers, and bubblewrap's command line."""

import io
import os
import sys
import zipfile
from functools import cache
from pathlib import Path

from autograder.sandbox.shared.job import CODE, HOME

ROOT = Path(__file__).resolve().parents[3]
COURSE = (
    "course_utils/**/*.py", "course_utils/models/*.npz", "course_utils/world/*.npz",
    "course_utils/diagnose/sentences.toml",
)  # fmt: skip
SANDBOX = tuple(f"autograder/sandbox/{name}" for name in ("__init__.py", "shared/*.py", "inside/*.py"))
EMPTIED = "autograder/__init__.py", "course_utils/standins.py"  # imported inside, so packed as empty files
LEFT_OUT = "/answers/", "/interview", "/bugs/", "/mock/"  # references and right programs are nearly answers


@cache
def code_zip():
    """Return the zip's bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(contents().items()):
            archive.writestr(name, content)
    return packed.getvalue()


def contents():
    """Return {path in the zip: bytes} of the files that match COURSE or SANDBOX; no other file gets in."""
    files = {
        path.relative_to(ROOT).as_posix(): path for part in (*COURSE, *SANDBOX) for path in ROOT.glob(part)
    }
    names = [name for name in files if not any(part in name for part in LEFT_OUT)]
    return {name: files[name].read_bytes() for name in names} | dict.fromkeys(EMPTIED, b"")


NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
PROCESS = ("--hostname", "sandbox", "--die-with-parent", "--new-session", "--clearenv")
ENVIRONMENT = {
    "HOME": HOME, "TMPDIR": HOME, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "USER": "student",
    "LOGNAME": "student", "MPLBACKEND": "agg", "MPLCONFIGDIR": HOME, "IPYTHONDIR": HOME,
    "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2",
    "TORCHDYNAMO_DISABLE": "1",  # torch.compile would need a C compiler
}  # fmt: skip
FOR_ROOT = "CAP_SETUID", "CAP_SETGID", "CAP_SYS_ADMIN", "CAP_SETPCAP", "CAP_KILL"
ALSO_READ = "/etc/ld.so.cache", "/sys/devices/system/cpu"  # for the linker; for torch to choose instructions
DEVICES = ("null", "random", "urandom")  # not zero: mapping it gives memory that no limit counts
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
    """Return the command line. code, control: inherited descriptors of the code's zip and of a socket."""
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
    """Return options with which a keeper can create namespaces: a user namespace for a normal user; for root,
    as many containers allow none, only the capabilities to create the others and to become another user."""
    if os.getuid() != 0:
        return ["--unshare-user"]
    return ["--cap-drop", "ALL", *(word for name in FOR_ROOT for word in ("--cap-add", name))]


def python():
    """Return the interpreter's real path, not a venv's link: it finds its library relative to that path."""
    return Path(os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable))


def packages():
    """Return the folders of installed packages, in the order in which this Python searches them."""
    return [path for path in sys.path if Path(path).name in PACKAGES and os.path.isdir(path)]


def libraries():
    """Return the library folders of the interpreter and of the system."""
    return [Path(root, lib) for root in (python().parent.parent, "/usr") for lib in ("lib", "lib64", "lib32")]


def visible_paths():
    """Return the paths to mount in the sandbox as they are: Python, its packages, the system's libraries."""
    wanted = [python(), *map(Path, packages()), *libraries()]
    existing = {path for path in wanted if os.path.exists(path) and not os.path.islink(path)}
    return {path for path in existing if not any(makes_visible(other, path) for other in existing - {path})}


def makes_visible(outer, inner):
    """Does mounting `outer` also show `inner`, with no covered folder in between?"""
    between = [p for p in covered_folders() if inner.is_relative_to(p) and p.is_relative_to(outer)]
    return inner.is_relative_to(outer) and not between


def covered_folders():
    """Return folders that are covered by an empty one inside, although the folder around them is visible.
    They are the course, even if it is installed among the packages or under /usr, and packages that only the
    base interpreter of this venv imports."""
    course_paths = {Path(folder, name) for folder in packages() for name in ("autograder", "course_utils")}
    installed = {path for lib in libraries() for kind in PACKAGES for path in lib.glob(f"python3*/{kind}")}
    unimported = {path for path in installed if not imported_from(path)}
    folders = {path for path in course_paths | unimported if path.is_dir() and not path.is_symlink()}
    return folders if ROOT.name in PACKAGES else folders | {ROOT}


def imported_from(folder):
    return os.path.realpath(folder) in map(os.path.realpath, packages())


def mounts():
    """Return the mount options, outermost first: inner ones cover the course and show its venv again."""
    kinds = dict.fromkeys(visible_paths(), "--ro-bind")
    covered = [p for p in covered_folders() if any(p.is_relative_to(other) for other in visible_paths())]
    kinds |= dict.fromkeys(covered, "--tmpfs")
    parents = {path for inner in (*kinds, CODE, HOME, *ALSO_READ) for path in Path(inner).parents}
    kinds = dict.fromkeys(parents, "--dir") | kinds  # bwrap would create them readable by root only
    line = []
    for path in sorted(kinds, key=lambda path: len(path.parts)):
        is_shown = kinds[path] == "--ro-bind"
        line += ["--ro-bind", str(path)] if is_shown else ["--perms", "0755", kinds[path]]
        line.append(str(path))
    for path in (path for path, kind in kinds.items() if kind == "--tmpfs"):
        line += "--remount-ro", str(path)
    return line


def system_links():
    """Return options for /lib, /lib64 and /lib32 (as links if they are links here) and for ALSO_READ."""
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
