"""The program in a process of its own, and what the scripts that talk to it share."""

import contextlib
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

REGISTER = "mutation ($input: RegisterInput!) { register(input: $input) { credentials { accessToken } } }"
PASSWORD = "correct horse battery"
SIGN_IN = "mutation ($input: SignInInput!) { signIn(input: $input) { credentials { accessToken refreshToken } } }"
ADD_ITEM = "mutation ($input: AddItemInput!) { addItem(input: $input) { item { id } } }"


def without_settings(environment):
    """The tests have variables of their own that begin with HEARTH_, which the server would reject."""
    return {name: value for name, value in environment.items() if not name.startswith("HEARTH_")}


def ask(address, document, variables=None, token=None):
    """One request over a connection of its own. Returns the whole response."""
    body = json.dumps({"query": document, "variables": variables or {}}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    try:
        with urllib.request.urlopen(urllib.request.Request(address, body, headers), timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        return json.load(error)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`hearth serve` over a folder: the same port each time that it is started."""

    def __init__(self, program, directory, *options, **settings):
        self.program, self.directory, self.options, self.port = program, directory, options, free_port()
        self.settings = {
            "HEARTH_PASSWORD_COST": "10",
            # In a debug build usual requests take as long as expensive ones in a release build, and would be throttled.
            "HEARTH_CALLER_SHARE": "100",
            "HEARTH_ACCESS_TOKEN_LIFETIME": "36000",
            "HEARTH_CONNECTIONS_PER_PERSON": "10000",
        } | settings

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    def start(self, port=None, **settings):
        """Returns its address. The arguments are for this start only: another port, and further settings."""
        port = self.port if port is None else port
        command = [self.program, "serve", "--port", str(port), "--data", self.directory, *self.options]
        environment = without_settings(os.environ) | self.settings | settings
        # Its output is only read when something fails.
        self.log = open(self.directory + "/log", "ab")
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline().decode()
        assert line.startswith("Hearth is listening on "), open(self.log.name).read()
        return line.removeprefix("Hearth is listening on ").strip()

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
        """One request over a connection of its own. Returns the data."""
        answer = ask(f"http://{self.host}/graphql", document, variables, token)
        assert "errors" not in answer, answer
        return answer["data"]

    def register(self, name):
        """Returns the access token."""
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


class DemoServer(Server):
    """One with demo data, in a folder that is deleted when it is closed."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory()
        super().__init__(program, self.folder.name, "--demo")
        # The first start chooses a free one: tests that run at the same time cannot take it in between.
        self.port = 0

    def start(self, port=None, **settings):
        address = super().start(port, **settings)
        self.port = self.port or urlsplit(address).port
        return address

    @contextlib.contextmanager
    def elsewhere(self):
        """While it is stopped: at another port, so that earlier clients cannot reconnect. Returns its address."""
        address = self.start(0)
        yield address
        self.end()

    def close(self):
        if self.is_running:
            self.end(signal.SIGKILL)
        self.folder.cleanup()

    # What Ada does

    def sign_in(self, address):
        person = {"email": "ada@example.com", "password": "hearth-demo"}
        return ask(address, SIGN_IN, {"input": person})["data"]["signIn"]["credentials"]

    def add_item(self, address, name):
        token = self.sign_in(address)["accessToken"]
        assert ask(address, ADD_ITEM, {"input": {"name": name}}, token)["data"]["addItem"]["item"]


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
