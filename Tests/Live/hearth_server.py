"""A server with demo data, as a process of its own, that is stopped and started over the same data."""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import urllib.request

SIGN_IN = "mutation ($input: SignInInput!) { signIn(input: $input) { credentials { accessToken } } }"
ADD_ITEM = "mutation ($input: AddItemInput!) { addItem(input: $input) { item { id } } }"


class HearthServer:
    """With the port that it gets at its first start, unless `elsewhere`."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.TemporaryDirectory()
        self.port = self.process = self.token = None

    def start(self, port=None):
        """Gives its address, once it is there."""
        port = port if port is not None else self.port or 0
        command = [self.program, "serve", "--port", str(port), "--data", self.folder.name, "--demo"]
        environment = os.environ | {"HEARTH_PASSWORD_COST": "10"}
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        address = self.process.stdout.readline().removeprefix("Hearth is listening on ").strip()
        self.port = self.port or int(address.split(":")[2].split("/")[0])
        return address

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process.stdout.close()

    @contextlib.contextmanager
    def elsewhere(self):
        """While it is stopped: at another port, so that whoever was connected does not find it. Gives its address."""
        address = self.start(0)
        yield address
        self.stop()

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.stop()
        self.folder.cleanup()

    # What Ada does

    def add_item(self, address, name):
        if self.token is None:
            person = {"email": "ada@example.com", "password": "hearth-demo"}
            self.token = ask(address, SIGN_IN, person)["signIn"]["credentials"]["accessToken"]
        assert ask(address, ADD_ITEM, {"name": name}, self.token)["addItem"]["item"]


def ask(address, document, value, token=None):
    body = json.dumps({"query": document, "variables": {"input": value}}).encode()
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    with urllib.request.urlopen(urllib.request.Request(address, body, headers)) as answer:
        return json.load(answer)["data"]
