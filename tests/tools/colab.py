"""A venv with Colab's versions, in which the course is not installed. It is created once, in .venv-colab/."""

import fcntl
import hashlib
import json
import re
import subprocess
import sys
from importlib.metadata import distribution, requires, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv-colab"
# From Colab's published list of August 2026: what lessons use. torch is this venv's own: see link_torch.
VERSIONS = """
    ipython==7.34.0 ipykernel==6.17.1 ipywidgets==7.7.1 widgetsnbextension==3.6.10 jupyterlab_widgets==3.0.16
    traitlets==5.7.1 jupyter_client==7.4.9 jupyter_core==5.9.1 pyzmq==26.2.1 tornado==6.5.7 nbclient==0.10.4
    nbconvert==7.17.1 nbformat==5.11.1 matplotlib==3.10.0 matplotlib-inline==0.2.2 numpy==2.1.3"""


def colab_python():
    """The interpreter of that venv; several test processes may call this at the same time."""
    FOLDER.mkdir(exist_ok=True)
    versions = json.dumps([VERSIONS.split(), sys.version, version("torch")])
    place = FOLDER / hashlib.sha256(versions.encode()).hexdigest()[:12]
    marker = place / "done"
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not marker.exists():
            make(place)
            marker.touch()
    return place / "bin" / "python"


def make(place):
    subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
    needs = [need for need in requires("torch") if not re.search("extra ==|nvidia|triton", need)]
    pip = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *VERSIONS.split(), *needs], check=True)
    link_torch(next(place.glob("lib/*/site-packages")))


def link_torch(site):
    """Link this venv's torch: the same version, no second download, and no CUDA if this one has none."""
    torch = distribution("torch")
    names = {file.parts[0] for file in torch.files if ".." not in file.parts} | {"nvidia", "triton"}
    for path in map(Path, map(torch.locate_file, names)):
        if path.exists() and not (site / path.name).exists():
            (site / path.name).symlink_to(path)
