"""What a user reads if there is no sandbox."""

import subprocess
import sys
from unittest.mock import Mock

import pytest
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.grading.notebook import grade_notebook
from autograder.sandbox.host import reasons, seccomp, warm_process
from autograder.sandbox.host.supervisor import SandboxWorker
from autograder.sandbox.host.warm_process import SandboxUnavailable
from tests.corpus.notebooks import ROOT, as_bytes, notebook
from tests.tools.points import full_marks

from .cells import LIMITS


@pytest.mark.parametrize(
    ("error", "phrase", "place"),
    [
        ("Can't mount proc on /newroot/proc: Operation not permitted", "--cap-add SYS_ADMIN", "container"),
        ("No permissions to create new namespace", "--cap-add SYS_ADMIN", "container"),
        ("Unknown option --perms", "0.5", "container"),
        ("execvp /private/python: Permission denied", "private folder", "container"),
        ("something new", "does not know why", "container"),
        ("setting up uid map: Permission denied", "AppArmor", reasons.APPARMOR),
        ("loopback: Failed RTM_NEWADDR: Operation not permitted", "AppArmor", reasons.APPARMOR),
        ("No space left on device", "sysctl user.max_user_namespaces", reasons.USER_NAMESPACES),
        ("", "needs Linux", "darwin"),
        ("", "needs Linux", "win32"),
    ],
)
def test_every_reason_for_a_missing_sandbox_says_what_to_do(error, phrase, place, monkeypatch):
    monkeypatch.setattr(reasons.shutil, "which", lambda name: "/usr/bin/bwrap")
    switch = {reasons.APPARMOR: "1", reasons.USER_NAMESPACES: "0"}
    monkeypatch.setattr(sys, "platform", place if place in ("darwin", "win32") else "linux")
    monkeypatch.setattr(reasons, "in_container", lambda: place == "container")
    monkeypatch.setattr(reasons, "contents", lambda path: switch[path] if path == place else "")
    for part in (phrase, f"bwrap: {error}", "--no-sandbox"):
        assert part in reasons.reason(f"bwrap: {error}")


def test_without_libseccomp_nothing_is_run(monkeypatch):
    monkeypatch.setattr(reasons.shutil, "which", lambda name: "/usr/bin/bwrap")
    seccomp.program.cache_clear()
    monkeypatch.setattr(seccomp.ctypes, "CDLL", Mock(side_effect=OSError))
    with pytest.raises(SandboxUnavailable, match="apt install libseccomp2"):
        SandboxWorker().ready()


def test_without_a_sandbox_grading_is_refused_unless_no_sandbox_is_given(monkeypatch, tmp_path):
    monkeypatch.setattr(warm_process.shutil, "which", lambda name: None)
    monkeypatch.setattr("autograder.sandbox.host.supervisor._shared", SandboxWorker(LIMITS))
    with pytest.raises(SandboxUnavailable, match="apt install bubblewrap"):
        grade_notebook(as_bytes(notebook()))
    file, run = tmp_path / "a.ipynb", tmp_path / "run"
    file.write_bytes(as_bytes(notebook(extra=f"open({str(run)!r}, 'w')")))
    words = ["grade", str(file), "--json", str(tmp_path / "out.json")]
    result = CliRunner().invoke(app, words, env={"COLUMNS": "200"})
    assert result.exit_code == 1
    for part in ("apt install bubblewrap", "--no-sandbox"):
        assert part in result.output
    assert [*tmp_path.iterdir()] == [file]
    result = CliRunner().invoke(app, [*words, "--no-sandbox"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    for part in ("WITHOUT the sandbox", f"{full_marks():g} of {full_marks():g}"):
        assert part in result.output
    assert run.exists()


@pytest.mark.parametrize(
    "code",
    [
        "import autograder.grading.notebook, threading; assert threading.active_count() == 1; "
        "from autograder.sandbox.host.supervisor import sandbox; assert sandbox().parent is None",
        "import sys, autograder.gradebook.command; assert 'torch' not in sys.modules",
    ],
)
def test_importing_the_grader_starts_nothing_and_make_grade_skips_torch(code):
    """Otherwise the first submission of a class would wait for that import."""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
