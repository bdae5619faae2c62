"""A Swift client whose session ends elsewhere, is replaced by that of another person, or cannot be renewed.

    client_sessions.py CLIENT-CHECK

The access token of a request says what the server does. Prints "ok", or what was wrong.
"""

import contextlib
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMPLETE = "event: complete\ndata:\n\n"
TOKENS = {"accessToken": "renewed", "refreshToken": "renewed", "expiresAt": "2040-01-01T00:00:00Z"}
RENEWED = {"data": {"refreshSession": {"credentials": TOKENS}}}
EXPIRED = {**TOKENS, "accessToken": "expired again", "refreshToken": "expired again"}


def failure(code, **extensions):
    return {"errors": [{"message": code, "extensions": {"code": code, **extensions}}]}


def next_event(payload, position=None):
    place = f"id: {position}\n" if position else ""
    return f"{place}event: next\ndata: {json.dumps(payload)}\n\n"


def change(name):
    item = {"__typename": "Item", "id": "1", "name": name}
    return {"data": {"familyChanged": {"__typename": "ItemChanged", "item": item}}}


def response(token):
    if token in ("other", "renewed"):
        return {"data": {"viewer": None}}
    if token == "revoked in part":
        # The first field of a mutation may have been executed before the session ended.
        [error] = failure("TOKEN_REVOKED")["errors"]
        return {"data": None, "errors": [{**error, "path": ["viewer"]}]}
    return failure("TOKEN_REVOKED" if token.startswith("revoked") else "TOKEN_EXPIRED")


# The responses to these tokens, and those to these renewals, are sent when another person has signed in: the events are
# that the request has arrived, and that one of the other person has.
RENEWALS = {"expiring": "renewal", "expiring-elsewhere": "elsewhere", "stuck": "lost renewal"}
LATE_TOKENS = ("revoked late", "expired late", "revoked query")
LATE = {name: (threading.Event(), threading.Event()) for name in (*LATE_TOKENS, *RENEWALS.values())}

# These get events of 64 KiB until they close the connection: the event is that this is over.
FLOODS = {name: threading.Event() for name in ("flood", "flood without positions")}
FILLER = "x" * 2**16


STREAMS = {
    "ending": "id: 1\n\n" + next_event(failure("SESSION_ENDED")),
    # The client has received the second event when another person signs in.
    "first": "id: 1\n\n" + next_event(change("first"), 2) + next_event(change("for the first"), 3),
    "second": "id: 2\n\n" + next_event(change("second"), 4) + COMPLETE,
    "expiring": "id: 1\n\n" + next_event(failure("TOKEN_EXPIRED")),
    "stuck": "id: 1\n\n" + next_event(failure("TOKEN_EXPIRED")),
    "limited": "id: 1\n\n" + next_event(failure("TOO_MANY_CONNECTIONS", retryAfter=60), 1),
    "fast": "id:\n\n" + next_event(failure("EVENTS_TOO_FAST")),
}


class Server(BaseHTTPRequestHandler):
    tokens = []
    positions = []
    mutations = []
    closing_keys = []
    flood_positions = {name: [] for name in FLOODS}
    is_over = threading.Event()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        prefix, _, late = token.partition(" ")
        renewal = next((RENEWALS[name] for name in RENEWALS if f'"{name}"'.encode() in body), None)
        if b"AddItem" in body:
            Server.mutations.append(token)
        if b"expired again" in body and b"RefreshSession" in body:
            self.answer("application/json", json.dumps(RENEWED))
        elif b'"kept"' in body:
            self.answer("application/json", json.dumps({"data": {"refreshSession": {"credentials": EXPIRED}}}))
        elif b'"closing"' in body:
            # The first response is an error, after which the session stays and the client does not try again by itself.
            Server.closing_keys.append(self.headers["Idempotency-Key"])
            is_first = len(Server.closing_keys) == 1
            self.answer("application/json", json.dumps(failure("READ_ONLY") if is_first else RENEWED))
        elif b'"spent"' in body:
            self.answer("application/json", json.dumps(failure("RESPONSE_NOT_KEPT")))
        elif renewal:
            arrived, is_replaced = LATE[renewal]
            arrived.set()
            is_replaced.wait(30)
            self.answer("application/json", json.dumps(RENEWED))
        elif b"RefreshSession" in body:
            # Not without an end: a client that waits for this renewal must fail, not hang.
            Server.is_over.wait(30)
            self.close_connection = True
        elif token in LATE:
            arrived, is_replaced = LATE[token]
            arrived.set()
            is_replaced.wait(30)
            self.answer("application/json", json.dumps(response(token)))
        elif late in LATE:
            arrived, is_replaced = LATE[late]
            if prefix == "when":
                arrived.wait(30)
            else:
                is_replaced.set()
            self.answer("application/json", json.dumps(response("other")))
        elif late in FLOODS:
            FLOODS[late].wait(60)
            self.answer("application/json", json.dumps(response("other")))
        elif token in FLOODS:
            Server.flood_positions[token].append(self.position(body))
            with contextlib.suppress(OSError):
                self.flood(token, self.position(body))
            FLOODS[token].set()
        elif token in STREAMS and self.headers["Accept"] == "text/event-stream":
            Server.tokens.append(token)
            Server.positions.append(self.position(body))
            self.answer("text/event-stream", STREAMS[token])
            # It stays open until the client closes it.
            self.connection.settimeout(30)
            self.rfile.read(1)
        else:
            self.answer("application/json", json.dumps(response(token)))

    @staticmethod
    def position(body):
        return json.loads(body).get("extensions", {}).get("position")

    def flood(self, token, position):
        has_positions = token == "flood"
        self.connection.settimeout(30)
        if position:
            # The rest fits: this connection resumes.
            return self.answer("text/event-stream", next_event(change("last"), int(position) + 1) + COMPLETE)
        self.answer("text/event-stream", "id: 0\n\n" if has_positions else "id:\n\n")
        for number in range(1, 1025):
            payload = {**change(str(number)), "extensions": {"filler": FILLER}}
            self.wfile.write(next_event(payload, number if has_positions else None).encode())
        self.wfile.write(COMPLETE.encode())

    def answer(self, content_type, text):
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
endpoint = f"http://127.0.0.1:{server.server_port}/graphql"
result = subprocess.run([sys.argv[1], "sessions", endpoint], capture_output=True, text=True, timeout=300)
Server.is_over.set()
assert result.returncode == 0, result.stdout + result.stderr
streams = ["ending", "first", "first", "second", "limited", "second", "expiring", "second", "stuck", "second", "fast"]
stored = ["ending", "second", "first", "first", "second"]
assert Server.tokens == streams + stored, Server.tokens
# Only what another client has renewed continues after the last event.
assert Server.positions == [None] * 12 + ["1"] + [None] * 3, Server.positions
# Where another person has signed in elsewhere, the next mutation has no token.
assert Server.mutations == ["revoked late", "expired late", "", "", "expiring-elsewhere"], Server.mutations
first, resumed = Server.flood_positions["flood"]
assert first is None and 50 < int(resumed) < 70, resumed
assert Server.flood_positions["flood without positions"] == [None], Server.flood_positions
keys = Server.closing_keys
assert len(keys) == 2 and keys[0] and keys[0] == keys[1], keys
print("ok")
