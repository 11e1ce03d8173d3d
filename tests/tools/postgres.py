"""A PostgreSQL server for tests, with its data in a temporary folder and a socket there."""

import contextlib
import glob
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

BINARIES = "/usr/lib/postgresql/*/bin"  # Debian puts the server's programs here, outside of PATH
USER = "grader"
SETTINGS = "-c listen_addresses='' -c fsync=off -c unix_socket_directories={}"


def program(name):
    """Return the path of one of the server's programs; None if PostgreSQL is not installed."""
    places = [os.environ["PATH"], *sorted(glob.glob(BINARIES), reverse=True)]
    return shutil.which(name, path=os.pathsep.join(places))


class Postgres:
    """A running server. Started by root, it runs as the user `postgres`, since it refuses to be root."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.chmod(0o777)
        self.data = self.folder / "data"
        self.run("initdb", "--auth=trust", f"--username={USER}", "--encoding=UTF8", "--no-locale")
        self.start()

    def make(self, database):
        """Create a database and return its address."""
        self.sql(f"create database {database}")
        return f"postgresql+psycopg://{USER}@/{database}?host={self.folder}"

    def start(self):
        settings = SETTINGS.format(self.folder)
        self.run("pg_ctl", "start", "--wait", f"--log={self.folder}/log", f"--options={settings}")

    def stop(self, mode="fast"):
        """mode: "fast" ends all connections; "immediate" is a crash."""
        self.run("pg_ctl", "stop", "--wait", f"--mode={mode}")

    def sql(self, query, database="postgres"):
        """The rows, as lines of plain text."""
        options = ["-h", self.folder, "-U", USER, "-d", database, "-Atc", query]
        result = subprocess.run([program("psql"), *options], check=True, capture_output=True, text=True)
        return result.stdout.splitlines()

    def run(self, name, *options):
        """Run one of the server's programs on its data."""
        command = [program(name), f"--pgdata={self.data}", *options]
        if os.getuid() == 0:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        with tempfile.TemporaryFile("w+") as log:  # a pipe would stay open as long as the server runs
            result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
            log.seek(0)
            assert result.returncode == 0, f"{shlex.join(map(str, command))}\n{log.read()}"


@contextlib.contextmanager
def postgres():
    """A server that runs as long as the context, in a folder with a short name, as sockets require."""
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        server = Postgres(folder)
        try:
            yield server
        finally:
            server.stop("immediate")
