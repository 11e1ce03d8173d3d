"""What a user reads where there is no sandbox."""

import subprocess
import sys

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

PHRASES = {
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted": "container",
    "bwrap: No permissions to create new namespace": "container",
    "bwrap: Unknown option --perms": "0.5",
    "bwrap: execvp /private/python: Permission denied": "private folder",
    "something new": "does not know why",
}


@pytest.fixture
def with_bwrap(monkeypatch):
    """bwrap is found, outside any container, and no switch of the system is known."""
    monkeypatch.setattr(reasons.shutil, "which", lambda name: "/usr/bin/bwrap")
    monkeypatch.setattr(reasons, "in_container", lambda: False)
    monkeypatch.setattr(reasons, "contents", lambda path: "")


@pytest.mark.parametrize("error", PHRASES)
def test_each_reason_is_a_sentence_that_says_what_to_do(error, with_bwrap, monkeypatch):
    monkeypatch.setattr(reasons, "in_container", lambda: True)
    reason = reasons.reason(error)
    assert PHRASES[error] in reason
    assert error in reason
    assert "--no-sandbox" in reason


@pytest.mark.parametrize(
    "error",
    [
        "bwrap: setting up uid map: Permission denied",
        "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
    ],
)
def test_apparmor_is_named_on_ubuntu(error, with_bwrap, monkeypatch):
    monkeypatch.setattr(reasons, "contents", lambda path: "1" if path == reasons.APPARMOR else "")
    assert "AppArmor" in reasons.reason(error)


def test_namespaces_that_are_turned_off_are_named(with_bwrap, monkeypatch):
    monkeypatch.setattr(reasons, "contents", lambda path: "0" if path == reasons.USER_NAMESPACES else "")
    error = "bwrap: Creating new namespace failed: No space left on device"
    assert "sysctl user.max_user_namespaces" in reasons.reason(error)


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_are_refused_at_once(platform, monkeypatch):
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(SandboxUnavailable, match="needs Linux"):
        SandboxWorker().ready()


def test_without_libseccomp_nothing_runs_unfiltered(with_bwrap, monkeypatch):
    def missing(name):
        raise OSError(name)

    seccomp.program.cache_clear()
    monkeypatch.setattr(seccomp.ctypes, "CDLL", missing)
    with pytest.raises(SandboxUnavailable, match="apt install libseccomp2"):
        SandboxWorker().ready()


@pytest.fixture
def without_bwrap(monkeypatch):
    """bwrap is not found, and the grader starts anew."""
    monkeypatch.setattr(warm_process.shutil, "which", lambda name: None)
    monkeypatch.setattr("autograder.sandbox.host.supervisor._shared", SandboxWorker(LIMITS))


def test_without_a_sandbox_the_grader_refuses(without_bwrap, tmp_path):
    with pytest.raises(SandboxUnavailable, match="apt install bubblewrap"):
        grade_notebook(as_bytes(notebook()))
    path = tmp_path / "a.ipynb"
    path.write_bytes(as_bytes(notebook(extra=f"open({str(tmp_path / 'run')!r}, 'w')")))
    done = CliRunner().invoke(app, ["grade", str(path), "--json", str(tmp_path / "out.json")])
    assert done.exit_code == 1
    assert "apt install bubblewrap" in done.output
    assert "--no-sandbox" in done.output
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.ipynb"]


def test_without_a_sandbox_on_demand_the_risk_is_named(without_bwrap, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(as_bytes(notebook()))
    done = CliRunner().invoke(app, ["grade", str(path), "--no-sandbox"], env={"COLUMNS": "200"})
    assert done.exit_code == 0
    assert "WITHOUT the sandbox" in done.output
    assert f"{full_marks():g} of {full_marks():g}" in done.output


def test_importing_the_grader_starts_nothing():
    code = (
        "import autograder.grading.notebook, threading; assert threading.active_count() == 1; "
        "from autograder.sandbox.host.supervisor import sandbox; assert sandbox().parent is None"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_the_process_that_writes_the_gradebook_does_without_torch():
    """The first submission of a class would wait for that import."""
    code = "import sys, autograder.gradebook.command; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
