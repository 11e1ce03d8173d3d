"""Copy the lessons to work/, where a learner's copies are never overwritten, and open JupyterLab there."""

import json
import os
import shutil
import sys
from itertools import count
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = Path(__file__).parent / "lab_settings"
LEARNER = ("learner", "quiet")  # folders of settings: hide nbgrader's tools for instructors; no news popups


def main(flags, root=ROOT):
    """Do what `make lab` does: copy the lessons, then replace this process by JupyterLab."""
    for sentence in copy_lessons(root):
        print(sentence, flush=True)
    work, page = root / "work", first_notebook(root / "work")
    if page is None:
        sys.exit("There are no lessons in notebooks/: run make notebooks first.")
    become_lab(work, [*lab_flags(work, page), *flags], LEARNER)


def become_lab(folder, flags, wanted):
    """Replace this process by JupyterLab on the folder, with these folders of settings."""
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}", *root, *flags]
    os.chdir(folder)
    os.execve(sys.executable, command, lab_environment(os.environ, wanted))


def copy_lessons(root):
    """Copy new lessons to work/, newer versions next to the learner's copies; return what to print."""
    copied, notes = [], []
    for lesson in sorted(root.glob("notebooks/*/*.ipynb")):
        copy = root / "work" / lesson.parent.name / lesson.name
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(lesson, copy)
            copied.append(lesson.stem)
        elif version(lesson) not in map(version, [copy, *copy.parent.glob(f"{copy.stem}.new*.ipynb")]):
            notes.append(copy_newer_version(lesson, copy))
    return ([f"Copied to work/: {', '.join(copied)}."] if copied else []) + notes


def version(notebook):
    """Return the version that the build wrote into a lesson; None if it cannot be read or has none."""
    try:
        return json.loads(notebook.read_text(encoding="utf-8"))["metadata"]["course"]["version"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def copy_newer_version(lesson, copy):
    names = (f"{copy.stem}.new{'' if n == 1 else n}.ipynb" for n in count(1))
    new = next(path for path in map(copy.with_name, names) if not path.exists())
    shutil.copyfile(lesson, new)
    return f"There is a newer version of {copy.name}: it is next to yours, as {new.name}; yours is unchanged."


def first_notebook(work):
    """Return the notebook to open, the first lesson; None if there is none."""
    return next(iter(sorted(work.glob("[0-9]*/*.ipynb"))), None)


def lab_flags(work, page):
    """Return the flags that open this page, and keep the layout of the windows in work/."""
    start = f"--LabApp.default_url=/lab/tree/{page.relative_to(work).as_posix()}"
    return [f"--LabApp.workspaces_dir={work / '.lab'}", start]


def lab_environment(environment, wanted):
    """Return the environment in which python3 is this venv's kernel and the wanted settings come first."""
    variables = {key: value for key, value in environment.items() if key != "JUPYTER_PATH"}
    settings = os.pathsep.join(
        [*(str(SETTINGS / name) for name in wanted), *filter(None, [environment.get("JUPYTER_CONFIG_PATH")])]
    )
    return {**variables, "JUPYTER_PREFER_ENV_PATH": "1", "JUPYTER_CONFIG_PATH": settings}


if __name__ == "__main__":
    main(sys.argv[1:])
