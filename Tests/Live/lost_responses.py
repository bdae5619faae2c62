"""A client whose connections break.

    lost_responses.py CLIENT-CHECK PORT PICTURE

Runs the check of the Swift client through a proxy to the server with demo data on PORT. The proxy forwards each mutation
with an idempotency key, and ends the connection instead of passing on its first response. The client has to send the
mutation again, and each has to be applied once. Prints "ok", or what was wrong.
"""

import http.client
import json
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CHECK, PORT, PICTURE = sys.argv[1], int(sys.argv[2]), sys.argv[3]
NOT_FORWARDED = {"connection", "transfer-encoding", "content-length", "date", "server"}
lost = {}
lock = threading.Lock()


class Proxy(BaseHTTPRequestHandler):
    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
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

    def log_message(self, *_):
        pass


def ask(document, token=None):
    connection = http.client.HTTPConnection("127.0.0.1", PORT)
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection.request("POST", "/graphql", json.dumps({"query": document}), headers)
    return json.loads(connection.getresponse().read())["data"]


proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
threading.Thread(target=proxy.serve_forever, daemon=True).start()
endpoint = f"http://127.0.0.1:{proxy.server_port}/graphql"
result = subprocess.run([CHECK, "family", endpoint, PICTURE], capture_output=True, text=True)
assert result.returncode == 0, result.stdout + result.stderr
assert len(lost) > 5 and all(count > 1 for count in lost.values()), lost

sign_in = 'mutation { signIn(input: {email: "ada@example.com", password: "hearth-demo"}) { credentials { accessToken } } }'
token = ask(sign_in)["signIn"]["credentials"]["accessToken"]
family = ask("{ family { chores(first: 100) { nodes { name } } children { name } } }", token)["family"]
chores = [chore["name"] for chore in family["chores"]["nodes"]]
children = [child["name"] for child in family["children"]]
assert chores.count("Sweep well") == 1 and "Sweep" not in chores, chores
assert children.count("Baby") == 1 and children.count("Ada junior") == 1, children
print("ok")
