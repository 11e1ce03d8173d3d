"""Copy the lessons to work/, where a learner's copies are never overwritten, and open JupyterLab there."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = Path(__file__).parent / "lab_settings"
COPIES = ".copies.json"  # in work/: what each copy was like when it was made
NEWER = "There is a newer version of {}: it is next to yours, as {}; yours is unchanged."
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
    environment = lab_environment(os.environ, wanted)
    os.chdir(folder)
    if os.name == "nt":  # there, a replaced process goes on behind the prompt
        sys.exit(subprocess.run(command, env=environment).returncode)
    os.execve(sys.executable, command, environment)


def copy_lessons(root):
    """Copy each lesson that has a new version to work/: over a copy that nobody changed since it was made,
    else next to the learner's. Return what to print."""
    work, new, renewed, notes = root / "work", [], [], []
    made = hashes_of_copies(work)
    for lesson in sorted(root.glob("notebooks/*/*.ipynb")):
        copy = work / lesson.parent.name / lesson.name
        copies = [copy, *sorted(copy.parent.glob(f"{copy.stem}.new*.ipynb"))] if copy.exists() else []
        if version(lesson) in map(version, copies):
            continue
        unchanged = [path for path in copies if made.get(path.relative_to(work).as_posix()) == hash_of(path)]
        if not copies:
            target = copy
            new.append(lesson.stem)
        elif unchanged:
            target = unchanged[0]
            renewed.append(target.stem)
        else:
            target = next_name(copy)
            notes.append(NEWER.format(copy.name, target.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(lesson, target)
        made[target.relative_to(work).as_posix()] = hash_of(target)
    if new or renewed or notes:
        (work / COPIES).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    return [
        *([f"Copied to work/: {', '.join(new)}."] if new else []),
        *(
            [f"Replaced by a newer version, since you had not changed it: {', '.join(renewed)}."]
            if renewed
            else []
        ),
        *notes,
    ]


def hashes_of_copies(work):
    """{path in work/: hash of the file as it was copied}; without a record, every file counts as changed."""
    try:
        return json.loads((work / COPIES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def hash_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def version(notebook):
    """Return the version that the build wrote into a lesson; None if it cannot be read or has none."""
    try:
        return json.loads(notebook.read_text(encoding="utf-8"))["metadata"]["course"]["version"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def next_name(copy):
    names = (f"{copy.stem}.new{'' if n == 1 else n}.ipynb" for n in count(1))
    return next(path for path in map(copy.with_name, names) if not path.exists())


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
