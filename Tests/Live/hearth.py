"""Shared by the scripts in this folder: the program in its own process, and registration."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import time
import urllib.request
from pathlib import Path

from hearth_server import without_settings

REGISTER = "mutation ($input: RegisterInput!) { register(input: $input) { credentials { accessToken } } }"
PASSWORD = "correct horse battery"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`hearth serve` over a folder: the same port each time that it is started."""

    def __init__(self, program, directory):
        self.program, self.directory, self.port = program, directory, free_port()
        # Further settings of the program.
        self.settings = {}
        self.host = f"127.0.0.1:{self.port}"

    def start(self):
        command = [self.program, "serve", "--port", str(self.port), "--data", self.directory]
        environment = without_settings(os.environ) | {
            "HEARTH_PASSWORD_COST": "10",
            # In a debug build usual requests take as long as expensive ones in a release build, and would be throttled.
            "HEARTH_CALLER_SHARE": "100",
            "HEARTH_ACCESS_TOKEN_LIFETIME": "36000",
            "HEARTH_CONNECTIONS_PER_PERSON": "10000",
        } | self.settings
        # Its output is only read when something fails.
        self.log = open(self.directory + "/log", "ab")
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=self.log)
        assert self.process.stdout.readline().startswith(b"Hearth is listening"), open(self.log.name).read()

    @property
    def is_running(self):
        process = getattr(self, "process", None)
        return process is not None and process.poll() is None

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def database(self, mode="ro"):
        return sqlite3.connect(f"file:{self.directory}/hearth.db?mode={mode}", uri=True, isolation_level=None)

    def ask(self, document, variables=None, token=None):
        """One request over a connection of its own; gives the data."""
        body = json.dumps({"query": document, "variables": variables or {}}).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(f"http://{self.host}/graphql", body, headers)
        with urllib.request.urlopen(request, timeout=60) as response:
            answer = json.load(response)
        assert "errors" not in answer, answer
        return answer["data"]

    def register(self, name):
        """Gives the access token."""
        email = name.lower().replace(" ", ".") + "@example.com"
        person = {"email": email, "password": PASSWORD, "name": name, "dateOfBirth": "1988-12-10"}
        return self.ask(REGISTER, {"input": person})["register"]["credentials"]["accessToken"]

    def memory(self):
        """Bytes of the process alone."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return int(re.search(r"Pss_Anon:\s+(\d+)", text).group(1)) * 1024

    def processor_time(self):
        """Seconds of all its threads."""
        return processor_time(self.process.pid)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def processor_time(number, with_ended_children=False):
    """Seconds of all threads of a process."""
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if with_ended_children else 13])) / os.sysconf("SC_CLK_TCK")


def wait_until(condition, what, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


HANDSHAKE = (
    b"GET /graphql HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
    b"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
)


def frame(message):
    """A client's frame; its mask is zero, so that the payload stays as it is."""
    payload = json.dumps(message).encode()
    length = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
    return b"\x81" + length + b"\0\0\0\0" + payload


def initialization(token):
    return frame({"type": "connection_init", "payload": {"Authorization": f"Bearer {token}"}})


def subscription(id, document, position=None):
    """`position` is the one to resume at."""
    payload = {"query": document} | ({"extensions": {"position": position}} if position else {})
    return frame({"id": id, "type": "subscribe", "payload": payload})
