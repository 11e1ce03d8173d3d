"""Why there is no sandbox here, as a sentence that says what to do."""

import os
import shutil
import sys
from pathlib import Path

GO_ON = "Or go on with --no-sandbox: then the submissions' code runs with all your rights."
APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
USER_NAMESPACES = Path("/proc/sys/user/max_user_namespaces")


def reason(said):
    """`said` is what bubblewrap, the warm parent or the keeper complained of."""
    return f"{cause(said)} (It says: {said[:300]}.) {GO_ON}" if said else f"{cause(said)} {GO_ON}"


def cause(said):
    if not sys.platform.startswith("linux"):
        return (
            "The sandbox needs Linux: grade on a Linux machine, in a virtual machine, or on Windows in WSL 2."
        )
    if shutil.which("bwrap") is None:
        return "The sandbox needs bubblewrap, which is not installed: `apt install bubblewrap` (or `dnf install bubblewrap`)."
    if "nknown option" in said:
        return "The sandbox needs bubblewrap 0.5 or newer, and this one is older: install a newer one."
    if "Permission denied" in said and "execvp" in said:
        return "Inside the sandbox this Python cannot be read (it lies in a private folder): use a Python that all users can read."
    if reads(APPARMOR) == "1" and denied(said):
        return (
            "AppArmor on this system (Ubuntu 24.04 and later) keeps programs from making user namespaces: "
            "allow it for bubblewrap with a profile in /etc/apparmor.d/bwrap (`userns,`), or `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`."
        )
    if in_container() and denied(said):
        return (
            "This container may not make namespaces: start it with "
            "`--cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined`."
        )
    if reads(USER_NAMESPACES) == "0" or reads(Path("/proc/sys/kernel/unprivileged_userns_clone")) == "0":
        return "User namespaces are turned off on this system: `sudo sysctl user.max_user_namespaces=10000 kernel.unprivileged_userns_clone=1`."
    return "The sandbox does not work here, and the grader does not know why."


def denied(said):
    tells = (
        "ermission denied",
        "not permitted",
        "No permissions",
        "namespace",
        "RTM_NEWADDR",
        "uid map",
        "No space left",
    )
    return any(tell in said for tell in tells)


def in_container():
    return (
        any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv"))
        or "container" in os.environ
    )


def reads(path):
    try:
        return path.read_text().strip()
    except OSError:
        return ""
