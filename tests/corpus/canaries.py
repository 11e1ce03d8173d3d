"""Targets that a hostile submission would find, touch or kill if it could, and whether one was harmed."""

import os
import secrets
import socket
import subprocess
import sys
import threading
from pathlib import Path

from .notebooks import ROOT


class Canaries:
    """Secrets in a file and in the environment, listening sockets, a process of the same user, a folder."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.secret = self.folder / "secret.txt"
        self.secret.write_text("LEAK of the canary file")
        os.environ["CANARY"] = "LEAK of the environment"
        self.sockets, self.calls, self.heard = [], [], []
        self.tcp = self.listen(socket.AF_INET, ("127.0.0.1", 0))[1]
        self.udp = self.listen(socket.AF_INET, ("127.0.0.1", 0), socket.SOCK_DGRAM)[1]
        (self.folder / "socket").unlink(missing_ok=True)  # left by an earlier run in the same folder
        self.unix = str(self.listen(socket.AF_UNIX, str(self.folder / "socket")))
        self.abstract = f"canary-{secrets.token_hex(4)}"
        self.listen(socket.AF_UNIX, f"\0{self.abstract}")
        self.victim = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(3600)"], env={"CANARY": "LEAK"}
        )

    def listen(self, family, address, kind=socket.SOCK_STREAM):
        listener = socket.socket(family, kind)
        listener.bind(address)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        threading.Thread(target=self.hear, args=(listener, kind), daemon=True).start()
        self.sockets.append(listener)
        return listener.getsockname()

    def hear(self, listener, kind):
        while True:
            try:
                call = listener.recv(9) if kind == socket.SOCK_DGRAM else listener.accept()
                self.calls.append(call)  # kept open
            except OSError:
                return
            self.heard.append(str(listener.getsockname()))

    def before(self, source):
        """A cell of hostile.py, with assignments that tell it where the targets are."""
        places = {"SECRET": str(self.secret), "FOLDER": str(self.folder), "ROOT": str(ROOT)}
        places |= {"PID": self.victim.pid, "TCP": self.tcp, "UDP": self.udp, "UNIX": self.unix}
        places["ABSTRACT"] = self.abstract
        return "\n".join([*(f"{name} = {value!r}" for name, value in places.items()), source])

    def harmed(self):
        """What happened to the targets: [sentence]."""
        new_files = {path.name for path in self.folder.iterdir()} - {"secret.txt", "socket"}
        dead = ["the process is dead"] if self.victim.poll() is not None else []
        calls = [f"somebody called {address}" for address in self.heard]
        return [*calls, *dead, *(f"{name} was written" for name in sorted(new_files))]

    def close(self):
        self.victim.kill()
        self.victim.wait()
        for listener in self.sockets:
            listener.close()
        os.environ.pop("CANARY", None)
