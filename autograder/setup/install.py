"""Make .venv ready: create it, install the course into it, do nothing when nothing changed.

The Makefile runs this file with the system's Python, before anything is installed: standard library only.
"""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("grading", "dev")  # what every target needs; some name more
VERSIONS = ([3, 11], [3, 12], [3, 13])
LOOK = """
import importlib.util, json, sys
print(json.dumps([importlib.util.find_spec("pip") is not None, sys.version_info[:2], sys.base_prefix]))
"""
PROBE = ("install", "--dry-run", "--no-deps", "--ignore-installed", "--retries", "0")
PATIENCE = 6  # seconds until a person reads what is the matter


def main(cpu_index, *more, root=ROOT, exactly=False):
    """Leave a .venv that has everything the lessons, the grader and the tests need, and the extras `more`;
    return the exit code. Extras that were installed before are kept up to date.

    exactly: with the Python that runs this, not with the one of an older .venv.
    """
    env = root / ".venv"
    usable = is_usable(env, exactly)
    if usable and is_ready(env, root, more):
        return 0
    try:
        if not usable:
            create(env)
        more = sorted({*more, *read_stamp(env).get("more", [])})
        ask_for_index(env, root)
        install(env, root, torch_options(cpu_index), more)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    write_stamp(env, wanted=fingerprint(root), more=more)
    return 0


class Trouble(Exception):
    """Something that the person at the keyboard can mend: the message says how."""


def is_ready(env, root, more=()):
    stamp = read_stamp(env)
    return stamp.get("wanted") == fingerprint(root) and {*more} <= {*stamp.get("more", [])}


def is_usable(env, exactly=False):
    """False for a venv of another Python, one without pip (Debian's, half made), one that was moved.

    exactly: any Python but the one that runs this is another one.
    """
    try:
        look = [str(env / "bin" / "python"), "-I", "-c", LOOK]
        seen = subprocess.run(look, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return False
    has_pip, *python = json.loads(seen)
    home = read_stamp(env).get("home", os.path.realpath(env))
    this = [[*sys.version_info[:2]], sys.base_prefix]
    return (
        has_pip
        and python[0] in VERSIONS
        and home == os.path.realpath(env)
        and (not exactly or python == this)
    )


def create(env):
    print(f"Making {env} with Python {sys.version.split()[0]}.", flush=True)
    is_able = all(importlib.util.find_spec(module) for module in ("venv", "ensurepip"))
    if not is_able or subprocess.run([sys.executable, "-m", "venv", "--clear", str(env)]).returncode:
        raise Trouble(
            f"{env} could not be made: the reason stands above, or Python's venv or ensurepip is missing. "
            "On Debian and Ubuntu: apt install python3-venv. Then run make again."
        )
    write_stamp(env, wanted=None)


def ask_for_index(env, root):
    """Before pip tries for a minute: Trouble where it reaches no package index, with pip's own settings."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    ask = [*pip_of(env), *PROBE, *re.findall(r'"(setuptools[^"]*)"', text)[:1]]
    try:
        process = subprocess.run(ask, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        print("The package index does not answer yet: a slow network, or none. pip tries on.", flush=True)
        return
    if "(from versions: none)" in process.stderr:
        raise Trouble("pip reaches no package index: check network, proxy and pip.conf. Then run make again.")


def install(env, root, options, more):
    print("Installing the course and what it needs into .venv: a few minutes the first time.", flush=True)
    course = f".[{','.join([*EXTRAS, *more])}]"
    command = [*pip_of(env), "install", *options, "-c", "constraints.txt", "-e", course]
    if subprocess.run(command, cwd=root).returncode:
        raise Trouble("pip could not install the course; the reason stands above. Then run make again.")


def pip_of(env):
    return [str(env / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]


def torch_options(cpu_index):
    """Lead pip to torch without CUDA, on Linux without an NVIDIA GPU (elsewhere the default is right)."""
    if not sys.platform.startswith("linux") or has_nvidia_gpu():
        return []
    if is_reachable(cpu_index):
        return ["--extra-index-url", cpu_index]
    print(
        f"{cpu_index} cannot be reached: the torch that pip finds by default may be large (CUDA).", flush=True
    )
    return []


def has_nvidia_gpu():
    return shutil.which("nvidia-smi") is not None or Path("/proc/driver/nvidia/version").exists()


def is_reachable(url, seconds=5):
    """Does the address answer in time? In a thread: no timeout of urllib bounds the look-up of a name."""
    answered = threading.Event()

    def ask():
        try:
            with urllib.request.urlopen(url.rstrip("/") + "/torch/", timeout=seconds):
                answered.set()
        except (OSError, ValueError):
            pass

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(seconds)
    return answered.is_set()


def fingerprint(root):
    """Changes when there is something new to install."""
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
