"""Runs a client's check of a subscription that outlives its server.

    client_restart.py CLIENT_CHECK... HEARTH

Prints what the check prints: "ok", or what was not as it should be. The check can run in a page of another origin.
"""

import json
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

from hearth import DemoServer, ask

ORIGIN = "http://app.localhost"


def answer_with_login_page(url, count):
    """Answers as a hotel's network does in place of the server, until a client has asked `count` times."""
    requests = []

    class Page(BaseHTTPRequestHandler):
        def answer(self):
            requests.append(self.requestline)
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = b"<!doctype html><title>Welcome</title><p>Your room number?"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_OPTIONS = answer

        def log_message(self, *arguments):
            pass

    with HTTPServer(("127.0.0.1", urlsplit(url).port), Page) as page:
        while len(requests) < count:
            page.handle_request()


server = DemoServer(sys.argv[-1])
check = None
try:
    # The client begins with a token that has expired, and renews it by itself.
    url = server.start(HEARTH_ACCESS_TOKEN_LIFETIME="1")
    tokens = server.sign_in(url)
    server.end()
    server.start(HEARTH_ALLOWED_ORIGINS=ORIGIN)
    while "TOKEN_EXPIRED" not in json.dumps(ask(url, "{ family { name } }", token=tokens["accessToken"])):
        pass
    command = [*sys.argv[1:-1], "live", url, tokens["accessToken"], tokens["refreshToken"]]
    check = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    line = check.stdout.readline()
    if line == "heard\n":
        server.end()
        with server.elsewhere() as address:
            server.add_item(address, "meanwhile")
        answer_with_login_page(url, 2)
        server.start(HEARTH_ALLOWED_ORIGINS=ORIGIN)
        server.add_item(url, "last")
        line = ""
    print(line + check.communicate(timeout=120)[0], end="")
    sys.exit(check.returncode)
finally:
    if check:
        check.kill()
    server.close()
