"""A server with demo data, as a process of its own, that is stopped and started over the same data."""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request

SIGN_IN = "mutation ($input: SignInInput!) { signIn(input: $input) { credentials { accessToken refreshToken } } }"
ADD_ITEM = "mutation ($input: AddItemInput!) { addItem(input: $input) { item { id } } }"


def without_settings(environment):
    """The tests have variables of their own that begin with HEARTH_, which the server would reject."""
    return {name: value for name, value in environment.items() if not name.startswith("HEARTH_")}


class HearthServer:
    """With the port that it gets at its first start, unless `elsewhere`."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.TemporaryDirectory()
        self.port = self.process = None

    def start(self, port=None, **settings):
        """Gives its address, once it is there."""
        port = port if port is not None else self.port or 0
        command = [self.program, "serve", "--port", str(port), "--data", self.folder.name, "--demo"]
        environment = without_settings(os.environ) | {"HEARTH_PASSWORD_COST": "10", "HEARTH_CALLER_SHARE": "100"} | settings
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
        """While it is stopped: at another port, so that earlier clients cannot reconnect. Returns its address."""
        address = self.start(0)
        yield address
        self.stop()

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.stop()
        self.folder.cleanup()

    # What Ada does

    def sign_in(self, address):
        person = {"email": "ada@example.com", "password": "hearth-demo"}
        return ask(address, SIGN_IN, {"input": person})["data"]["signIn"]["credentials"]

    def add_item(self, address, name):
        token = self.sign_in(address)["accessToken"]
        assert ask(address, ADD_ITEM, {"input": {"name": name}}, token)["data"]["addItem"]["item"]


def ask(address, document, variables=None, token=None):
    body = json.dumps({"query": document, "variables": variables}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    try:
        with urllib.request.urlopen(urllib.request.Request(address, body, headers)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)
