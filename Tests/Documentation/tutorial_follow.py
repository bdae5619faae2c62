"""An app of the tutorial that follows a family while the server is stopped and started again.

    tutorial_follow.py [--move] HEARTH COMMAND...

COMMAND prints a line for each change of the server that the environment variable HEARTH names. Prints "ok" when it has
printed the change that was made while it could not reach the server, and the one after that; then what COMMAND prints
after its session has ended. In between, the server's database does not answer, nor does a proxy's server, and a
read-only server cannot renew the token. With --move, its family is another one then, which it has to follow as well.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Live"))

from hearth import DemoServer, ask  # noqa: E402: its folder has to be known first

SIGN_OUT = "mutation { signOut(everywhere: true) { userErrors { code } } }"
ADD_CHORE = "mutation ($input: AddChoreInput!) { addChore(input: $input) { chore { id } } }"


def start(command, **settings):
    """In a process group of its own: the command may be a script that starts the program."""
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    return subprocess.Popen(command, env=os.environ | settings, start_new_session=True, **output)


def end(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def add_chore(server, address, name):
    token = server.sign_in(address)["accessToken"]
    assert ask(address, ADD_CHORE, {"input": {"name": name}}, token)["data"]["addChore"]["chore"]


def sign_out_everywhere(server, address):
    token = server.sign_in(address)["accessToken"]
    assert ask(address, SIGN_OUT, token=token)["data"]["signOut"]["userErrors"] == []


class WithoutEvents(HTTPServer):
    """Responds in place of a server: to each subscription with the next code, and to queries as another server.

    Without a code, a subscription has an event. An app that loads what it shows then has to wait: the first query gets
    the error of a proxy, and the second that of a database that does not answer. Tokens cannot be renewed.
    """

    timeout = 60
    queries = 0

    def __init__(self, address, other, codes):
        super().__init__(("127.0.0.1", urlsplit(address).port), Responder)
        self.other = other
        self.codes = codes

    def handle_timeout(self):
        raise AssertionError("the app does not subscribe again")


class Responder(BaseHTTPRequestHandler):
    CHANGE = '{"data": {"familyChanged": {"__typename": "FamilyChanged"}}}'

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if "text/event-stream" in self.headers["Accept"]:
            code = self.server.codes.pop(0)
            events = f"event: next\ndata: {rejection(code)}\n\nevent: complete\ndata:\n\n"
            if code is None:
                events = f"event: next\ndata: {self.CHANGE}\n\n"
            return self.respond("text/event-stream", events.encode())
        if b"refreshSession" in body:
            return self.respond("application/json", rejection("READ_ONLY").encode())
        self.server.queries += 1
        if self.server.queries == 1:
            return self.respond("text/html", b"<h1>Unavailable</h1>", 503)
        if self.server.queries == 2:
            return self.respond("application/json", rejection("STORAGE_UNAVAILABLE").encode())
        # For what has changed before, too.
        headers = {name: self.headers[name] for name in ("Accept", "Authorization", "Content-Type")}
        with urllib.request.urlopen(urllib.request.Request(self.server.other, body, headers)) as answer:
            self.respond(answer.headers["Content-Type"], answer.read())

    def respond(self, media_type, content, status=200):
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def rejection(code):
    return json.dumps({"data": None, "errors": [{"message": "Later.", "extensions": {"code": code}}]})


def answer_without_events(address, other, codes):
    """Until the app has subscribed once for each code."""
    with WithoutEvents(address, other, codes) as server:
        while server.codes:
            server.handle_request()


def next_change(app):
    """The next line about a chore."""
    while line := app.stdout.readline():
        if line.endswith(": OPEN\n"):
            return line.removesuffix(": OPEN\n")
    raise AssertionError("the app has ended")


def wait_until_it_listens(app, server, address):
    """The app does not say when it listens: chores are added until it has heard of one, and of the last of them."""
    is_listening = threading.Event()
    added = []

    def add_until_heard():
        while not is_listening.is_set():
            added.append(f"chore {len(added)}")
            add_chore(server, address, added[-1])

    adding = threading.Thread(target=add_until_heard)
    adding.start()
    try:
        heard = next_change(app)
    finally:
        is_listening.set()
        adding.join()
    while heard != added[-1]:
        heard = next_change(app)


def main():
    moves = sys.argv[1] == "--move"
    program, *command = sys.argv[2:] if moves else sys.argv[1:]
    server = DemoServer(program)
    app = None
    try:
        address = server.start()
        app = start(command, HEARTH=address)
        wait_until_it_listens(app, server, address)

        server.end()
        with server.elsewhere() as other:
            add_chore(server, other, "meanwhile")
            codes = ["STORAGE_UNAVAILABLE", None, "TOKEN_EXPIRED", "STORAGE_UNAVAILABLE"]
            answer_without_events(address, other, codes)
        server.start()
        add_chore(server, address, "last")
        changes = [next_change(app), next_change(app)]
        if moves:
            server.end()
            # The app may be loading what has changed.
            with server.elsewhere() as other:
                answer_without_events(address, other, ["RIGHTS_CHANGED"])
            server.start()
            wait_until_it_listens(app, server, address)
        print("ok" if changes == ["meanwhile", "last"] else changes)
        sign_out_everywhere(server, address)
        app.wait(timeout=60)
        print(app.stdout.read(), end="")
    finally:
        if app:
            end(app)
        server.close()


if __name__ == "__main__":
    main()
