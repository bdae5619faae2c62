"""An app of the tutorial that follows a family while the server is stopped and started again.

    tutorial_follow.py HEARTH COMMAND...

COMMAND prints a line for each change of the server that the environment variable HEARTH names. Prints "ok" when it has
printed the change that was made while it could not reach the server, and the one after that; then what COMMAND prints
after its session has ended. In between, the server's database does not answer.
"""

import os
import pathlib
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Live"))

from hearth_server import HearthServer, ask  # noqa: E402: its folder has to be known first

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


def answer_without_database(address, count):
    """Responds in place of the server, until the app has sent `count` requests."""
    errors = '[{"message": "Try again later.", "extensions": {"code": "STORAGE_UNAVAILABLE"}}]'

    class Responder(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(f'event: next\ndata: {{"data": null, "errors": {errors}}}\n\nevent: complete\ndata:\n\n'.encode())

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", urlsplit(address).port), Responder) as server:
        for _ in range(count):
            server.handle_request()


def next_change(app):
    """The next line about a chore."""
    while line := app.stdout.readline():
        if line.endswith(": OPEN\n"):
            return line.removesuffix(": OPEN\n")
    raise AssertionError("the app has ended")


def main():
    server = HearthServer(sys.argv[1])
    app = None
    try:
        address = server.start()
        app = start(sys.argv[2:], HEARTH=address)
        # It does not say when it listens: chores are added until it has heard of one.
        is_listening = threading.Event()
        added = []

        def add_until_heard():
            while not is_listening.is_set():
                added.append(f"chore {len(added)}")
                add_chore(server, address, added[-1])

        adding = threading.Thread(target=add_until_heard)
        adding.start()
        heard = next_change(app)
        is_listening.set()
        adding.join()
        while heard != added[-1]:
            heard = next_change(app)

        server.stop()
        with server.elsewhere() as other:
            add_chore(server, other, "meanwhile")
        answer_without_database(address, 2)
        server.start()
        add_chore(server, address, "last")
        changes = [next_change(app), next_change(app)]
        print("ok" if changes == ["meanwhile", "last"] else changes)
        sign_out_everywhere(server, address)
        app.wait(timeout=60)
        print(app.stdout.read(), end="")
    finally:
        if app:
            end(app)
        server.end()


if __name__ == "__main__":
    main()
