"""The tutorial's Swift app, to which two parents sign in, one after the other.

    tutorial_next_member.py NEXT-MEMBER

The first parent's session ends while a mutation is on its way, which fails when the second parent has signed in. Prints
"ok" if the second parent stays signed in.
"""

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ENDED = {"errors": [{"message": "ended", "extensions": {"code": "TOKEN_REVOKED"}}]}
HAS_ARRIVED = threading.Event()
IS_REPLACED = threading.Event()
# The tokens of the requests that load the family.
loads = []


def response(operation, variables, token):
    if operation == "SignIn":
        email = variables["input"]["email"]
        credentials = {"accessToken": email, "refreshToken": email}
        return {"data": {"signIn": {"credentials": credentials, "userErrors": []}}}
    if operation == "AddChore":
        HAS_ARRIVED.set()
        IS_REPLACED.wait(30)
        return ENDED
    loads.append(token)
    if loads == ["first", "first"]:
        HAS_ARRIVED.wait(30)
        return ENDED
    if token == "second":
        IS_REPLACED.set()
    child = {"id": "1", "name": "Mia", "points": 0, "assignedChores": {"nodes": []}}
    return {"data": {"family": {"name": f"Family of the {token}", "children": [child]}}}


class Server(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        body = json.dumps(response(request["operationName"], request.get("variables"), token)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
endpoint = f"http://127.0.0.1:{server.server_port}/graphql"
result = subprocess.run([sys.argv[1], endpoint], capture_output=True, text=True, timeout=120)
assert result.returncode == 0, result.stdout + result.stderr
lines = ["false The session has ended: sign in again.", "true Family of the second TOKEN_REVOKED: ended"]
assert result.stdout.splitlines() == lines, result.stdout
assert loads == ["first", "first", "second", "second"], loads
print("ok")
