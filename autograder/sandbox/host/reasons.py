"""Explain why the sandbox does not work on this machine, in a sentence that says what to do."""

import os
import re
import shutil
import sys
from pathlib import Path

from autograder.refused import Refused

NOT_INSTALLED = "libseccomp.so.2 is not there"
GO_ON = "Or continue with --no-sandbox: then the submissions' code runs with all your rights."
APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
USER_NAMESPACES = Path("/proc/sys/user/max_user_namespaces")
OLD_SWITCH = Path("/proc/sys/kernel/unprivileged_userns_clone")
DENIED = re.compile(
    "ermission denied|not permitted|No permissions|namespace|RTM_NEWADDR|uid map|No space left"
)

NO_LINUX = "The sandbox needs Linux: grade on a Linux machine, in a virtual machine, or on Windows in WSL 2."
NO_PACKAGE = "The sandbox needs {}, which is not installed: `apt install {}` (or `dnf install {}`)."
OLD = "The sandbox needs bubblewrap 0.5 or newer, and this one is older: install a newer one."
PRIVATE = """
Inside the sandbox this Python cannot be read (it lies in a private folder): use a Python that all users can
read."""
BY_APPARMOR = """
AppArmor on this system (Ubuntu 24.04 and later) keeps programs from making user namespaces: allow it for
bubblewrap with a profile in /etc/apparmor.d/bwrap (`userns,`), or
`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`."""
BY_CONTAINER = """
This container may not make namespaces: start it with `--cap-add SYS_ADMIN --security-opt seccomp=unconfined
--security-opt apparmor=unconfined --security-opt systempaths=unconfined`."""
TURNED_OFF = """
User namespaces are turned off on this system:
`sudo sysctl user.max_user_namespaces=10000 kernel.unprivileged_userns_clone=1`."""
UNKNOWN = "The sandbox does not work here, and the grader does not know why."


class SandboxUnavailable(Refused):
    """The sandbox does not work on this machine; the message says why, and what to do."""


def reason(error):
    """Return the sentence for an error text that bubblewrap, the warm parent or a keeper wrote."""
    sentence = " ".join(cause(error).split())
    return f"{sentence} (The error was: {error[:300]}.) {GO_ON}" if error else f"{sentence} {GO_ON}"


def cause(error):
    if not sys.platform.startswith("linux"):
        return NO_LINUX
    denied = DENIED.search(error)
    turned_off = "0" in (contents(USER_NAMESPACES), contents(OLD_SWITCH))
    causes = [
        (shutil.which("bwrap") is None, NO_PACKAGE.format(*["bubblewrap"] * 3)),
        (NOT_INSTALLED in error, NO_PACKAGE.format("libseccomp", "libseccomp2", "libseccomp")),
        ("nknown option" in error, OLD),
        ("Permission denied" in error and "execvp" in error, PRIVATE),
        (denied and contents(APPARMOR) == "1", BY_APPARMOR),
        (denied and in_container(), BY_CONTAINER),
        (turned_off, TURNED_OFF),
    ]
    return next((sentence for applies, sentence in causes if applies), UNKNOWN)


def in_container():
    marks = ("/.dockerenv", "/run/.containerenv")
    return any(Path(mark).exists() for mark in marks) or "container" in os.environ


def contents(path):
    try:
        return path.read_text().strip()
    except OSError:
        return ""
