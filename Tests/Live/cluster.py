"""Several processes of the program behind nginx, over a primary and a synchronous standby, as the guide sets them up."""

import os
import re
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from hearth import Server, free_port, processor_time, wait_until
from positions import Positions

GUIDE = Path(__file__).parents[2] / "Documentation" / "processes.md"


def site(port, processes):
    """The guide's site for nginx, without TLS, and with the addresses of this test."""
    text = re.search(r"```nginx\n(.*?)```", GUIDE.read_text(), re.DOTALL)[1]
    text, count = re.subn(r"10\.0\.0\.1\d:8080", "{}", text)
    assert count == 3, "the guide has three processes"
    addresses = [processes[number % len(processes)].host for number in range(count)]
    text = re.sub(r"\{\}", lambda _: addresses.pop(0), text)
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    return re.sub(r"  (ssl_|server_name).*\n", "", text)


class Cluster:
    """A primary and its synchronous standby."""

    def __init__(self):
        script = Path(__file__).parent.parent / "PostgreSQL" / "replicated"
        self.process = subprocess.Popen([script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.folder, *self.ports = self.process.stdout.readline().split()
        self.url = f"postgresql://hearth@/postgres?host={self.folder},{self.folder}&port={','.join(self.ports)}"

    def perform(self, command, outcome):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline().strip() == outcome, command

    def rows(self, statement):
        url = self.url + "&target_session_attrs=read-write"
        command = ["psql", "--no-psqlrc", "-qAtF", "\t", "-c", statement, url]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return [line.split("\t") for line in text.splitlines()]

    def positions(self):
        """Of all events, in order."""
        return [int(position) for [position] in self.rows("SELECT position FROM family_event ORDER BY 1")]

    def cipher(self):
        [[secret]] = self.rows("SELECT encode(value, 'hex') FROM setting WHERE name = 'id-key'")
        return Positions(bytes.fromhex(secret))

    def items(self):
        return [name for [name] in self.rows("SELECT name FROM item")]

    def processor_time(self):
        """Seconds of all processes of both, also of those that have ended."""
        total = 0
        for path in Path(self.folder).glob("*/postmaster.pid"):
            server = int(path.read_text().split()[0])
            total += processor_time(server, with_ended_children=True)
            for child in Path(f"/proc/{server}/task/{server}/children").read_text().split():
                with suppress(FileNotFoundError):
                    total += processor_time(int(child))
        return total

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Process(Server):
    """One of the processes, with a folder and a port of its own."""

    def __init__(self, program, directory, cluster):
        os.mkdir(directory, 0o700)
        settings = {"HEARTH_DATABASE_URL": cluster.url, "HEARTH_CLIENT_ADDRESS_HEADER": "X-Forwarded-For"}
        super().__init__(program, directory, **settings)

    def start(self):
        """Like systemd, it tries again while there is no primary."""
        deadline = time.monotonic() + 60
        while True:
            try:
                return super().start()
            except AssertionError:
                self.end(signal.SIGKILL)
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)


class Proxy:
    """nginx, which passes each connection to the next process."""

    def __init__(self, folder, processes):
        self.port = free_port()
        self.host = f"127.0.0.1:{self.port}"
        configuration = Path(folder, "nginx.conf")
        kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        folders = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
        configuration.write_text(
            f"daemon off; pid {folder}/nginx.pid; error_log stderr crit; events {{ worker_connections 4096; }}\n"
            f"http {{ access_log off; {folders}\n{site(self.port, processes)}\n}}\n"
        )
        self.process = subprocess.Popen(["nginx", "-e", "stderr", "-c", configuration])
        wait_until(Path(folder, "nginx.pid").exists, "nginx starts")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
