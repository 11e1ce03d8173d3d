"""Create .venv and install the course into it; do nothing if nothing has changed.

The Makefile runs this file with the system's Python, before anything is installed: standard library only.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("grading", "dev")  # what every target needs; some targets add more
VERSIONS = ([3, 11], [3, 12], [3, 13])
LOOK = """
import importlib.util, json, sys
assert importlib.util.find_spec("pip")
print(json.dumps([sys.version_info[:2], sys.base_prefix]))
"""
NO_VENV = """{} could not be made: the reason is above, or Python's venv or ensurepip is missing.
On Debian and Ubuntu: apt install python3-venv. Then run make again."""
NOT_INSTALLED = """pip could not install the course; the reason is above. If pip found no versions at all,
check the network, the proxy and pip.conf. Then run make again."""
PATIENCE = {"PIP_RETRIES": "2", "PIP_DEFAULT_TIMEOUT": "10"}  # without a network pip would try for minutes
NO_INDEX = "{} cannot be reached, so pip may install the large CUDA build of torch."


def main(cpu_index, *more, root=ROOT, exactly=False):
    """Make sure that .venv has everything the lessons, the grader and the tests need, and the extras `more`;
    return the exit code. Extras that were installed before are kept up to date.

    exactly: replace a .venv that was made with another Python than the one that runs this.
    """
    env, wanted = root / ".venv", fingerprint(root)
    usable, stamp = is_usable(env, exactly), read_stamp(env)
    if usable and stamp.get("wanted") == wanted and {*more} <= {*stamp.get("more", [])}:
        return 0
    if not usable and not create(env):
        print(" ".join(NO_VENV.format(env).split()), file=sys.stderr)
        return 1
    more = sorted({*more, *read_stamp(env).get("more", [])})
    if not install(env, root, torch_options(cpu_index), more):
        print(" ".join(NOT_INSTALLED.split()), file=sys.stderr)
        return 1
    write_stamp(env, wanted=wanted, more=more)
    return 0


def is_usable(env, exactly=False):
    """Has the venv a supported Python and pip (Debian may leave it half made), and was it never moved?

    exactly: only the Python that runs this is supported.
    """
    try:
        look = [str(env / "bin" / "python"), "-I", "-c", LOOK]
        python = json.loads(subprocess.run(look, capture_output=True, text=True, check=True).stdout)
    except (OSError, subprocess.CalledProcessError):
        return False
    is_here = read_stamp(env).get("home", os.path.realpath(env)) == os.path.realpath(env)
    this = [[*sys.version_info[:2]], sys.base_prefix]
    return is_here and python[0] in VERSIONS and (not exactly or python == this)


def create(env):
    """Make the venv with the Python that runs this; return False if that fails."""
    print(f"Making {env} with Python {sys.version.split()[0]}.", flush=True)
    is_able = all(importlib.util.find_spec(module) for module in ("venv", "ensurepip"))
    if not is_able or subprocess.run([sys.executable, "-m", "venv", "--clear", str(env)]).returncode:
        return False
    write_stamp(env, wanted=None)
    return True


def install(env, root, options, more):
    """Install the course with pip; return False if that fails."""
    print("Installing the course and what it needs into .venv: a few minutes the first time.", flush=True)
    course = f".[{','.join([*EXTRAS, *more])}]"
    pip = [str(env / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    command = [*pip, "install", *options, "-c", "constraints.txt", "-e", course]
    return not subprocess.run(command, cwd=root, env=PATIENCE | os.environ).returncode


def torch_options(cpu_index):
    """Return pip's options for torch without CUDA, on Linux without an NVIDIA GPU (elsewhere the default is
    right). An unreachable index is left out: pip would try it for minutes, once for each package."""
    if not sys.platform.startswith("linux") or has_nvidia_gpu():
        return []
    if is_reachable(cpu_index):
        return ["--extra-index-url", cpu_index]
    print(NO_INDEX.format(cpu_index), flush=True)
    return []


def has_nvidia_gpu():
    return shutil.which("nvidia-smi") is not None or Path("/proc/driver/nvidia/version").exists()


def is_reachable(url, seconds=5):
    """Does the address answer in time?"""
    try:
        with urllib.request.urlopen(url.rstrip("/") + "/torch/", timeout=seconds):
            return True
    except (OSError, ValueError):
        return False


def fingerprint(root):
    """Return a hash that changes when there is something new to install."""
    texts = [(root / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    return hashlib.sha256(b"\n".join(texts)).hexdigest()


def read_stamp(env):
    try:
        return json.loads((env / ".course").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def write_stamp(env, wanted, more=()):
    stamp = {"home": os.path.realpath(env), "wanted": wanted, "more": list(more)}
    (env / ".course").write_text(json.dumps(stamp), encoding="utf-8")


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--exactly"]
    sys.exit(main(*arguments, exactly="--exactly" in sys.argv))
