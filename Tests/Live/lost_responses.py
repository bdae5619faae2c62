"""A Swift client whose connections break, and whose server cannot be reached.

    lost_responses.py CLIENT-CHECK PORT PICTURE

Runs the client's check through a proxy to the server with demo data on PORT. The proxy forwards each mutation with an
idempotency key, and ends the connection instead of passing on its first response, or responds as nginx does for a server
that it cannot reach. The client has to send the mutation again, and each has to be applied once.

Then a server that cannot be reached when a token has to be renewed must not end the client's session, nor a subscription;
nor must one that cannot deliver an event at the moment. A server without positions gets none, and one that ignores
idempotency keys gets a mutation once. After a connection that has lasted, the first attempt follows immediately.
Requests that wait for a renewal while another person signs in are not sent with the tokens of the previous one.
A subscription whose variables cannot be encoded ends with an error.
Prints "ok", or what was wrong.
"""

import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CHECK, PORT, PICTURE = sys.argv[1], int(sys.argv[2]), sys.argv[3]
NOT_FORWARDED = {"connection", "transfer-encoding", "content-length", "date", "server"}
UNAVAILABLE = {"message": "The server cannot be reached.", "extensions": {"code": "STORAGE_UNAVAILABLE"}}
EXPIRED = {"message": "The access token has expired.", "extensions": {"code": "TOKEN_EXPIRED"}}
lost = {}
lock = threading.Lock()


class Responder(BaseHTTPRequestHandler):
    def read(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def reject(self, status, error):
        content = json.dumps({"errors": [error]}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/graphql-response+json; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    def answer(self, content_type, text):
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


def serve(handler):
    """Its endpoint."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/graphql"


class WithoutRenewal(Responder):
    def do_POST(self):
        if b"RefreshSession" in self.read():
            self.reject(503, UNAVAILABLE)
        else:
            self.reject(400, EXPIRED)


class LateRenewal(Responder):
    """Cannot renew the token for the first requests."""

    left = 6

    def do_POST(self):
        if b"RefreshSession" in self.read():
            LateRenewal.left -= 1
            if LateRenewal.left >= 0:
                self.reject(503, UNAVAILABLE)
                return
            credentials = {"accessToken": "renewed", "refreshToken": "next"}
            self.answer("application/json", json.dumps({"data": {"refreshSession": {"credentials": credentials}}}))
        elif self.headers.get("Authorization") == "Bearer renewed":
            change = {"__typename": "ItemChanged", "item": {"__typename": "Item", "id": "1", "name": "late"}}
            event = json.dumps({"data": {"familyChanged": change}})
            self.answer("text/event-stream", f"id: 1\n\nevent: next\ndata: {event}\n\nevent: complete\ndata:\n\n")
        else:
            event = json.dumps({"errors": [EXPIRED]})
            self.answer("text/event-stream", f"event: next\ndata: {event}\n\nevent: complete\ndata:\n\n")


class Replaced(Responder):
    """Finds the tokens of two sign-ins expired. Renews the first ones after the second ones were renewed and used."""

    tokens = []
    is_renewing = threading.Event()
    is_replaced = threading.Event()

    def do_POST(self):
        body = self.read()
        token = self.headers.get("Authorization")
        if b"RefreshSession" in body:
            name = json.loads(body)["variables"]["refreshToken"]
            if name == "first":
                Replaced.is_renewing.set()
                # Not without an end: a client that waits for this renewal must fail, not hang.
                Replaced.is_replaced.wait(10)
            credentials = {"accessToken": f"renewed {name}", "refreshToken": f"next {name}"}
            self.answer("application/json", json.dumps({"data": {"refreshSession": {"credentials": credentials}}}))
            return
        if token is None:
            # The signal to sign in: both requests of the first sign-in wait for its renewal.
            Replaced.is_renewing.wait(10)
            while Replaced.tokens.count("Bearer first") < 2:
                time.sleep(0.01)
            time.sleep(0.5)
        else:
            Replaced.tokens.append(token)
        if token in ("Bearer first", "Bearer second"):
            self.reject(400, EXPIRED)
            return
        if token == "Bearer renewed second":
            Replaced.is_replaced.set()
        self.answer("application/json", json.dumps({"data": {"viewer": None}}))


def next_event(name=None, code=None, position=None):
    """An item was changed, or the event cannot be delivered."""
    change = {"__typename": "ItemChanged", "item": {"__typename": "Item", "id": "1", "name": name}}
    error = {"message": "Try again later.", "extensions": {"code": code, "retryAfter": 1}}
    payload = {"data": {"familyChanged": change}} if name else {"data": None, "errors": [error]}
    place = f"id: {position}\n" if position else ""
    return f"{place}event: next\ndata: {json.dumps(payload)}\n\n"


class Passing(Responder):
    """Cannot deliver the second event at first."""

    positions = []
    complete = "event: complete\ndata:\n\n"
    streams = [
        "id: 1\n\n" + next_event("first", position="2") + next_event(code="STORAGE_UNAVAILABLE", position="3") + complete,
        next_event(code="RATE_LIMITED") + complete,
        next_event(code="EVENTS_TOO_FAST") + complete,
        # A subscription that resumes is connected before its next event.
        "id: 2\n\n",
        "id: 2\n\n" + next_event("second", position="3") + complete,
    ]

    def do_POST(self):
        Passing.positions.append(json.loads(self.read()).get("extensions", {}).get("position"))
        self.answer("text/event-stream", Passing.streams[len(Passing.positions) - 1])


class Unpositioned(Responder):
    """Has no positions: a subscription that has begun has an empty one. Its first connection breaks before an event."""

    positions = []
    streams = ["id:\n\n", "id:\n\n" + next_event("only") + Passing.complete]

    def do_POST(self):
        Unpositioned.positions.append(json.loads(self.read()).get("extensions", {}).get("position"))
        self.answer("text/event-stream", Unpositioned.streams[len(Unpositioned.positions) - 1])


class Quiet(Responder):
    """Seven connections break, after stating a short delay. The next one lasts for 11 seconds, without an event."""

    began = []
    broke = 0
    events = next_event("first", position="2") + next_event("second", position="3") + Passing.complete
    streams = ["id: 1\nretry: 1\n\n", *["retry: 1\n\n"] * 6, "id: 1\n\n", "id: 1\n\n" + events]

    def do_POST(self):
        self.read()
        Quiet.began.append(time.monotonic())
        attempts = len(Quiet.began)
        self.answer("text/event-stream", Quiet.streams[attempts - 1])
        if attempts == 8:
            time.sleep(11)
            Quiet.broke = time.monotonic()


class Once(Responder):
    """Closes the connection of each request."""

    keys = []

    def do_POST(self):
        self.read()
        Once.keys.append(self.headers.get("Idempotency-Key"))
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


class Proxy(Responder):
    def forward(self):
        body = self.read()
        server = http.client.HTTPConnection("127.0.0.1", PORT)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
        server.request(self.command, self.path, body, headers)
        response = server.getresponse()
        content = response.read()
        key = self.headers.get("Idempotency-Key")
        with lock:
            is_first = key is not None and key not in lost
            if key is not None:
                lost[key] = lost.get(key, 0) + 1
            breaks = len(lost) % 2 == 1
        if is_first and not breaks:
            self.reject(503, UNAVAILABLE)
            return
        if is_first:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in NOT_FORWARDED:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = forward


def ask(document, token=None):
    connection = http.client.HTTPConnection("127.0.0.1", PORT)
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection.request("POST", "/graphql", json.dumps({"query": document}), headers)
    return json.loads(connection.getresponse().read())["data"]


def check(*arguments):
    result = subprocess.run([CHECK, *arguments], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr


check("family", serve(Proxy), PICTURE)
assert len(lost) > 5 and all(count > 1 for count in lost.values()), lost

sign_in = 'mutation { signIn(input: {email: "ada@example.com", password: "hearth-demo"}) { credentials { accessToken } } }'
token = ask(sign_in)["signIn"]["credentials"]["accessToken"]
family = ask("{ family { chores(first: 100) { nodes { name } } children { name } } }", token)["family"]
chores = [chore["name"] for chore in family["chores"]["nodes"]]
children = [child["name"] for child in family["children"]]
assert chores.count("Sweep well") == 1 and "Sweep" not in chores, chores
assert children.count("Baby") == 1 and children.count("Ada junior") == 1, children
check("renewal", serve(WithoutRenewal))
check("late-renewal", serve(LateRenewal))
check("replaced", serve(Replaced))
# The first two requests do not wait for the renewal of the previous sign-in, and can find the next tokens expired too.
assert 1 <= Replaced.tokens.count("Bearer second") <= 3, Replaced.tokens
sent = ["Bearer first"] * 2 + ["Bearer renewed second"] * 3
assert sorted(token for token in Replaced.tokens if token != "Bearer second") == sent, Replaced.tokens
check("passing", serve(Passing))
assert Passing.positions == [None, "2", "2", "2", "2"], Passing.positions
check("unpositioned", serve(Unpositioned))
assert Unpositioned.positions == [None, None], Unpositioned.positions
check("passing", serve(Quiet))
# The backoff after eight broken connections is 16 seconds or more.
assert len(Quiet.began) == 9 and Quiet.began[8] - Quiet.broke < 8, (Quiet.began, Quiet.broke)
check("once", serve(Once))
assert Once.keys == [None], Once.keys
# Nothing listens there.
check("encoding", "http://127.0.0.1:1/graphql")
print("ok")
