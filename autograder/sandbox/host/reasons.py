"""Why there is no sandbox here, as a sentence that says what to do."""

import os
import shutil
import sys
from pathlib import Path

from .seccomp import NOT_INSTALLED

GO_ON = "Or go on with --no-sandbox: then the submissions' code runs with all your rights."
APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
USER_NAMESPACES = Path("/proc/sys/user/max_user_namespaces")
OLD_SWITCH = Path("/proc/sys/kernel/unprivileged_userns_clone")
DENIED = (
    "ermission denied",
    "not permitted",
    "No permissions",
    "namespace",
    "RTM_NEWADDR",
    "uid map",
    "No space left",
)


def reason(error):
    """`error` is what bubblewrap, the warm parent or the keeper wrote."""
    return f"{cause(error)} (It says: {error[:300]}.) {GO_ON}" if error else f"{cause(error)} {GO_ON}"


def cause(error):
    denied = any(words in error for words in DENIED)
    if not sys.platform.startswith("linux"):
        return (
            "The sandbox needs Linux: grade on a Linux machine, in a virtual machine, or on Windows in WSL 2."
        )
    if shutil.which("bwrap") is None:
        return (
            "The sandbox needs bubblewrap, which is not installed: "
            "`apt install bubblewrap` (or `dnf install bubblewrap`)."
        )
    if NOT_INSTALLED in error:
        return (
            "The sandbox needs libseccomp, which is not installed: "
            "`apt install libseccomp2` (or `dnf install libseccomp`)."
        )
    if "nknown option" in error:
        return "The sandbox needs bubblewrap 0.5 or newer, and this one is older: install a newer one."
    if "Permission denied" in error and "execvp" in error:
        return (
            "Inside the sandbox this Python cannot be read (it lies in a private folder): "
            "use a Python that all users can read."
        )
    if contents(APPARMOR) == "1" and denied:
        return (
            "AppArmor on this system (Ubuntu 24.04 and later) keeps programs from making user namespaces: "
            "allow it for bubblewrap with a profile in /etc/apparmor.d/bwrap (`userns,`), "
            "or `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`."
        )
    if in_container() and denied:
        return (
            "This container may not make namespaces: start it with "
            "`--cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
            "--security-opt systempaths=unconfined`."
        )
    if contents(USER_NAMESPACES) == "0" or contents(OLD_SWITCH) == "0":
        return (
            "User namespaces are turned off on this system: "
            "`sudo sysctl user.max_user_namespaces=10000 kernel.unprivileged_userns_clone=1`."
        )
    return "The sandbox does not work here, and the grader does not know why."


def in_container():
    marks = ("/.dockerenv", "/run/.containerenv")
    return any(Path(mark).exists() for mark in marks) or "container" in os.environ


def contents(path):
    try:
        return path.read_text().strip()
    except OSError:
        return ""
