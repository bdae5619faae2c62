"""What nginx, as the guide for several processes sets it up, responds for processes that cannot be reached.

The processes are stubs. Prints "ok", or fails with what was not as it should be.
"""

import http.client
import json
import socket
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cluster import Proxy

OWN = b'{"errors":[{"message":"Of the process itself.","extensions":{"code":"OVERLOADED"}}]}'


class Stub:
    """A process that counts its requests. It `drops` them, or responds to each with status 503 and an error of its own."""

    def __init__(self, drops):
        self.drops, self.requests = drops, 0
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                stub.requests += 1
                self.close_connection = True
                if stub.drops:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send_response(503)
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.send_header("Content-Length", str(len(OWN)))
                self.end_headers()
                self.wfile.write(OWN)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


def send(proxy, method="POST", path="/graphql", headers={}):
    connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=30)
    body = json.dumps({"query": "mutation { leaveFamily }"}) if method == "POST" else None
    connection.request(method, path, body, {"Content-Type": "application/json"} | headers)
    response = connection.getresponse()
    return response, response.read()


def expect_unavailable(response, body):
    assert response.status == 503, response.status
    headers = {name.lower(): value for name, value in response.getheaders()}
    assert headers["content-type"] == "application/graphql-response+json; charset=utf-8", headers
    assert headers["retry-after"] == "1" and headers["cache-control"] == "private, no-store", headers
    assert headers["access-control-allow-origin"] == "*", headers
    [error] = json.loads(body)["errors"]
    assert error["message"] and error["extensions"] == {"code": "STORAGE_UNAVAILABLE"}, error


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==",
    "Sec-WebSocket-Protocol": "graphql-transport-ws",
}

with tempfile.TemporaryDirectory() as folder:
    processes = [Stub(drops=True) for _ in range(3)]
    proxy = Proxy(folder, processes)
    try:
        # A process ends during a mutation: no other one gets it.
        for count in range(1, 3):
            expect_unavailable(*send(proxy))
            assert sum(process.requests for process in processes) == count, [process.requests for process in processes]

        # The responses of a process are its own, whatever their status. Those that cannot be reached are left out.
        for process in processes[:2]:
            process.end()
        processes[2].drops = False
        for _ in range(6):
            response, body = send(proxy)
            assert (response.status, body) == (503, OWN) and response.getheader("Retry-After") is None, body

        processes[2].end()
        # The first finds out that the last process is gone, and those after it that there is none.
        for _ in range(3):
            expect_unavailable(*send(proxy))
            expect_unavailable(*send(proxy, "GET", "/graphql?query=%7B__typename%7D", {"Accept": "text/event-stream"}))
            expect_unavailable(*send(proxy, "GET", "/graphql", UPGRADE))
            expect_unavailable(*send(proxy, "GET", "/media/picture"))
    finally:
        proxy.end()
print("ok")
