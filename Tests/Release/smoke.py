"""The smoke test of a release build: the optimizer can break code that passes every test in a debug build.

    smoke.py [--root FOLDER] PROGRAM

With --root, the program runs in that root file system (chroot), as a package's user would have it. Every check compares
statuses and error codes, not messages. After each check the process must be alive, and it must end with 0 on SIGTERM.
Prints how many checks passed, or fails with the first difference.
"""

import argparse
import gzip
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import urllib.parse
import zlib

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

SECONDS = 60
GRAPHQL = {"Content-Type": "application/json", "Accept": "application/graphql-response+json"}
SIGN_IN = "mutation ($input: SignInInput!) { signIn(input: $input) { credentials { accessToken } userErrors { code } } }"
ADD_ITEM = "mutation ($input: AddItemInput!) { addItem(input: $input) { item { name photo { url } } userErrors { code } } }"
LIVE = "subscription { familyChanged { __typename ... on ItemChanged { item { name } } } }"
DASHBOARD = """
    { family { name children { name points prizeLevel { award } contract { maxPoints levels { points award } }
        assignedChores(first: 5) { totalCount nodes { name priority dueAt } pageInfo { hasNextPage } } } } }
"""
INTROSPECTION = """
    { __schema { queryType { name } types { kind name fields(includeDeprecated: true) { name type { kind name } } } } }
"""
DEEP_INTROSPECTION = "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }"


class Machine:
    """Where the program runs: here, or in another root file system."""

    def __init__(self, program, root):
        self.command = ["chroot", root, program] if root else [program]
        self.root = pathlib.Path(root or "/")
        self.folder = tempfile.TemporaryDirectory(dir=self.root / "tmp")

    def path(self, name):
        """As the program has it."""
        return "/" + str((pathlib.Path(self.folder.name) / name).relative_to(self.root))

    def write(self, name, text):
        file = pathlib.Path(self.folder.name) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run(self, *arguments, status=0):
        done = subprocess.run(self.command + list(arguments), capture_output=True, text=True, timeout=SECONDS * 5)
        assert done.returncode == status, (arguments, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout


class Server:
    def __init__(self, machine, data, *arguments, **settings):
        self.log = tempfile.TemporaryFile("w+")
        command = machine.command + ["serve", "--port", "0", "--data", machine.path(data), *arguments]
        environment = {"PATH": os.environ["PATH"], "HEARTH_PASSWORD_COST": "10"} | settings
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=self.log, text=True, encoding="utf-8"
        )
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/graphql", line):
                self.port = int(found[1])
                return
        raise AssertionError(f"The server did not start: {self.said()}")

    def said(self):
        self.log.seek(0)
        return self.log.read()[-4000:]

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)

    def send(self, method, path, body=None, headers={}):
        """The status, the headers and the body of a response."""
        connection = self.connection()
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, response.headers, content

    def post(self, request, token=None):
        status, headers, body = self.send("POST", "/graphql", json.dumps(request).encode(), GRAPHQL | bearer(token))
        assert headers["Content-Type"].startswith("application/graphql-response+json"), (request, headers.items())
        return status, json.loads(body)

    def ask(self, document, variables=None, token=None):
        """The data of a request without errors."""
        status, answer = self.post({"query": document, "variables": variables or {}}, token)
        assert status == 200 and "errors" not in answer, (document, status, answer)
        return answer["data"]

    def sign_in(self):
        ada = {"email": "ada@example.com", "password": "hearth-demo"}
        return self.ask(SIGN_IN, {"input": ada})["signIn"]["credentials"]["accessToken"]

    def end(self):
        assert self.process.poll() is None, (self.process.returncode, self.said())
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(SECONDS) == 0, (self.process.returncode, self.said())
        self.process.stdout.close()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def bearer(token):
    return {"Authorization": f"Bearer {token}"} if token else {}


def codes(answer):
    assert answer.get("errors"), answer
    return {error["extensions"]["code"] for error in answer["errors"]}


def picture():
    """A PNG of one red pixel."""

    def chunk(kind, body):
        return len(body).to_bytes(4) + kind + body + zlib.crc32(kind + body).to_bytes(4)

    head = (1).to_bytes(4) * 2 + bytes([8, 2, 0, 0, 0])
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")
    )


# What is asked of a server with demo data, in this order.


def queries(server, token):
    family = server.ask(DASHBOARD, token=token)["family"]
    assert len(family["children"]) == 3 and family["children"][0]["assignedChores"]["nodes"], family
    named = "query ($first: Int = 2) { family { chores(first: $first) { nodes { id } pageInfo { endCursor } } } }"
    page = server.ask(named, {"first": 3}, token)["family"]["chores"]
    assert len(page["nodes"]) == 3, page
    node = "query ($id: ID!) { node(id: $id) { __typename ...Named } } fragment Named on Chore { name @skip(if: false) }"
    assert server.ask(node, {"id": page["nodes"][0]["id"]}, token)["node"]["__typename"] == "Chore"
    assert server.ask("{ __typename }") == {"__typename": "Query"}


def invalid_documents(server, token):
    deep = "{ a " * 200 + "}" * 200
    for document, variables, code in [
        ("{ nope }", {}, "GRAPHQL_VALIDATION_FAILED"),
        ("{ family { name { first } } }", {}, "GRAPHQL_VALIDATION_FAILED"),
        ("{ family }", {}, "GRAPHQL_VALIDATION_FAILED"),
        ("{ node { id } }", {}, "GRAPHQL_VALIDATION_FAILED"),
        ("query ($unused: Int) { __typename }", {}, "GRAPHQL_VALIDATION_FAILED"),
        ("{ ...A } fragment A on Query { ...A }", {}, "GRAPHQL_VALIDATION_FAILED"),
        ("{ family { a: name a: id } }", {}, "GRAPHQL_VALIDATION_FAILED"),
        ("{ __typename @nope }", {}, "GRAPHQL_VALIDATION_FAILED"),
        (ADD_ITEM.replace("{ name photo { url } }", "{ nope }"), {}, "GRAPHQL_VALIDATION_FAILED"),
        ("{ family { name }", {}, "GRAPHQL_PARSE_FAILED"),
        ('{ node(id: "', {}, "GRAPHQL_PARSE_FAILED"),
        (deep, {}, "NESTING_TOO_DEEP"),
        (ADD_ITEM, {}, "BAD_USER_INPUT"),
        (ADD_ITEM, {"input": {"name": 7, "nope": []}}, "BAD_USER_INPUT"),
    ]:
        # The second time, what was remembered of the document is used.
        for caller in [None, token, token]:
            status, answer = server.post({"query": document, "variables": variables}, caller)
            assert status in (400, 422) and codes(answer) == {code} and "data" not in answer, (document, status, answer)


def field_errors(server, token):
    status, answer = server.post({"query": "{ family { name } }"})
    assert status == 294 and codes(answer) == {"UNAUTHENTICATED"}, answer
    wrong = {"email": "ada@example.com", "password": "wrong password"}
    status, answer = server.post({"query": SIGN_IN, "variables": {"input": wrong}})
    assert "accessToken" not in json.dumps(answer), answer
    outcome = server.ask(ADD_ITEM, {"input": {"name": ""}}, token)["addItem"]
    assert outcome["item"] is None and outcome["userErrors"], outcome


def get(server, token):
    def path(document):
        return "/graphql?" + urllib.parse.urlencode({"query": document})

    status, _, body = server.send("GET", path("{ family { name } }"), headers=GRAPHQL | bearer(token))
    assert status == 200 and json.loads(body)["data"]["family"], body
    status, _, body = server.send("GET", path("{ nope }"), headers=GRAPHQL)
    assert status in (400, 422) and codes(json.loads(body)) == {"GRAPHQL_VALIDATION_FAILED"}, body
    status, _, body = server.send("GET", path("mutation { signOut { __typename } }"), headers=GRAPHQL)
    assert status == 405 and codes(json.loads(body)) == {"METHOD_NOT_ALLOWED"}, body


def batches(server, token):
    batch = [{"query": "{ __typename }"}, {"query": "{ nope }"}, {"query": DASHBOARD}]
    status, answers = server.post(batch, token)
    assert status == 200 and answers[0]["data"] and answers[2]["data"]["family"], answers
    assert codes(answers[1]) == {"GRAPHQL_VALIDATION_FAILED"}, answers
    status, answer = server.post(batch * 4, token)
    assert status in (400, 422) and codes(answer), answer


def introspection(server, token):
    assert len(server.ask(INTROSPECTION)["__schema"]["types"]) > 50
    for caller in [None, token]:
        status, answer = server.post({"query": DEEP_INTROSPECTION}, caller)
        assert status in (400, 422) and codes(answer) == {"INTROSPECTION_TOO_DEEP"}, answer


def unusable_requests(server, token):
    for body in [b"", b'{"query":', b"7", b'{"query": 7}', b"\xff\xfe", b'{"query": "{ __typename }", "query": ""}']:
        status, _, answer = server.send("POST", "/graphql", body, GRAPHQL)
        assert status in (400, 422) and codes(json.loads(answer)), (body, status, answer)
    # Rejected by their announced length: the server closes the connection, so the bodies themselves are not sent.
    for caller, length in [(None, 70_000), (token, 1_100_000)]:
        headers = GRAPHQL | bearer(caller) | {"Content-Length": str(length)}
        status, _, answer = server.send("POST", "/graphql", None, headers)
        assert status == 413, (length, status, answer)
    status, _, _ = server.send("POST", "/graphql", b"{ __typename }", {"Content-Type": "text/plain"})
    assert status == 415, status
    status, _, answer = server.send("DELETE", "/graphql")
    assert status == 405, (status, answer)
    status, answer = server.post({"query": "{ family { name } }"}, "not.a.token")
    assert codes(answer) == {"TOKEN_MALFORMED"}, answer


def pages(server, token):
    assert server.send("GET", "/nowhere")[0] == 404
    status, headers, page = server.send("GET", "/graphql", headers={"Accept": "text/html"})
    assert status == 200 and headers["Content-Type"].startswith("text/html"), (status, headers.items())
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', page.decode())
    assert scripts, page
    for script in scripts:
        status, _, _ = server.send("GET", urllib.parse.urljoin("/graphql", script))
        assert status == 200, (script, status)
    status, headers, schema = server.send("GET", "/graphql/schema.graphql", headers={"Accept-Encoding": "gzip"})
    schema = gzip.decompress(schema) if headers["Content-Encoding"] == "gzip" else schema
    assert status == 200 and b"type Query" in schema, status
    for path in ["/health", "/ready", "/metrics"]:
        assert server.send("GET", path)[0] == 200, path


def libraries(server, token):
    """What the C libraries and the system's files are for: phone numbers, QR codes, time zones."""
    add = """
        mutation ($info: ContactInfoInput!) {
          addContactInfo(scope: WORK, info: $info) { contactInfo { phone { e164 } } userErrors { code } }
        }
    """
    outcome = server.ask(add, {"info": {"phone": {"number": "(882) 536-2083", "countryCode": "+1"}}}, token)
    assert outcome["addContactInfo"]["contactInfo"]["phone"]["e164"] == "+18825362083", outcome
    children = server.ask("{ family { children { signInCode { svg } } } }", token=token)["family"]["children"]
    assert children[0]["signInCode"]["svg"].startswith("<svg"), children
    move = "mutation ($zone: String) { updateFamily(input: {timeZone: $zone}) { userErrors { code } } }"
    assert server.ask(move, {"zone": "Europe/Paris"}, token)["updateFamily"] == {"userErrors": []}
    assert server.ask(move, {"zone": "Europe/Nowhere"}, token)["updateFamily"]["userErrors"]


def uploads(server, token):
    def form(content):
        parts = {
            "operations": json.dumps({"query": ADD_ITEM, "variables": {"input": {"name": "Tent", "photo": None}}}),
            "map": json.dumps({"0": ["variables.input.photo"]}),
        }
        body = b""
        for name, value in parts.items():
            body += f'--end\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        body += b'--end\r\nContent-Disposition: form-data; name="0"; filename="tent.png"\r\n'
        body += b"Content-Type: image/png\r\n\r\n" + content + b"\r\n--end--\r\n"
        headers = {"Content-Type": "multipart/form-data; boundary=end", "GraphQL-Require-Preflight": "1"}
        status, _, answer = server.send("POST", "/graphql", body, GRAPHQL | headers | bearer(token))
        return status, json.loads(answer)

    status, answer = form(picture())
    assert status == 200 and "errors" not in answer, answer
    address = urllib.parse.urlsplit(answer["data"]["addItem"]["item"]["photo"]["url"])
    status, headers, body = server.send("GET", f"{address.path}?{address.query}")
    assert status == 200 and headers["Content-Type"] == "image/png" and body == picture(), (status, headers.items())
    status, answer = form(b"no picture")
    assert status == 200 and answer["data"]["addItem"]["userErrors"], answer


def event_streams(server, token):
    headers = GRAPHQL | bearer(token) | {"Accept": "text/event-stream"}

    def stream(document):
        connection = server.connection()
        connection.request("POST", "/graphql", json.dumps({"query": document}), headers)
        response = connection.getresponse()
        assert response.headers["Content-Type"].startswith("text/event-stream"), response.headers.items()
        return connection, response

    def data(response):
        for line in response:
            if line.startswith(b"data: "):
                return json.loads(line.removeprefix(b"data: "))

    connection, response = stream(LIVE)
    server.ask(ADD_ITEM, {"input": {"name": "Kite"}}, token)
    event = data(response)
    assert event["data"]["familyChanged"]["item"] == {"name": "Kite"}, event
    assert event["extensions"]["position"], event
    connection.close()
    connection, response = stream("{ family { name } }")
    assert data(response)["data"]["family"], "a query as an event stream"
    connection.close()
    status, _, body = server.send("POST", "/graphql", json.dumps({"query": "subscription { nope }"}), headers)
    assert b"GRAPHQL_VALIDATION_FAILED" in body, (status, body)


def web_sockets(server, token):
    url = f"ws://127.0.0.1:{server.port}/graphql"

    def receive(socket):
        return json.loads(socket.recv(SECONDS))

    def send(socket, **message):
        socket.send(json.dumps(message))

    with connect(url, subprotocols=["graphql-transport-ws"]) as socket:
        send(socket, type="connection_init", payload=bearer(token))
        assert receive(socket)["type"] == "connection_ack"
        send(socket, id="bad", type="subscribe", payload={"query": "subscription { nope }"})
        message = receive(socket)
        assert (message["type"], message["id"]) == ("error", "bad"), message
        send(socket, id="live", type="subscribe", payload={"query": LIVE})
        # Its answer shows that the subscription before it has begun.
        send(socket, id="query", type="subscribe", payload={"query": DASHBOARD})
        message = receive(socket)
        assert (message["type"], message["id"]) == ("next", "query") and message["payload"]["data"], message
        assert receive(socket) == {"type": "complete", "id": "query"}
        server.ask(ADD_ITEM, {"input": {"name": "Drum"}}, token)
        message = receive(socket)
        assert message["payload"]["data"]["familyChanged"]["item"] == {"name": "Drum"}, message
        send(socket, id="live", type="complete")
        send(socket, type="ping")
        assert receive(socket)["type"] == "pong"
    with connect(url, subprotocols=["graphql-transport-ws"]) as socket:
        socket.send("{")
        try:
            raise AssertionError(f"A malformed message is answered: {socket.recv(SECONDS)}")
        except ConnectionClosed as closed:
            assert closed.rcvd.code == 4400, closed


def counters(server, token):
    """No request failed because of a fault of the server."""
    _, _, text = server.send("GET", "/metrics")
    assert re.search(r"^hearth_graphql_failures_total 0$", text.decode(), re.MULTILINE), text.decode()


CHECKS = [
    queries, invalid_documents, field_errors, get, batches, introspection, unusable_requests, pages, libraries,
    uploads, event_streams, web_sockets, counters,
]  # fmt: skip


def commands(machine):
    """What the program does besides serving."""
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", machine.run("--version"))
    assert "HEARTH_PUBLIC_URL" in machine.run("serve", "--help")
    assert "type Query" in machine.run("schema")
    assert json.loads(machine.run("schema", "--format", "json"))["__schema"]
    machine.write("documents/family.graphql", "query Family { family { name } }")
    machine.run("generate", "swift", "--documents", machine.path("documents"), "--output", machine.path("generated"))
    machine.write("wrong/family.graphql", "query Family { family { nope } }")
    arguments = ["--documents", machine.path("wrong"), "--output", machine.path("generated")]
    machine.run("generate", "swift", *arguments, status=1)
    machine.run("seed", "--data", machine.path("seeded"), "--families", "20", "--people", "50")
    machine.run("check", "--data", machine.path("seeded"))
    machine.run("check", "--data", machine.path("nothing"), status=1)
    machine.run("nonsense", status=64)


def signed_in_introspection(machine):
    server = Server(machine, "seeded", HEARTH_INTROSPECTION="signed-in")
    try:
        status, answer = server.post({"query": INTROSPECTION})
        assert status in (400, 422) and codes(answer) == {"INTROSPECTION_DISABLED"}, answer
        server.end()
    finally:
        server.kill()


def end_while_live(server, token):
    """A client that listens does not keep the server from ending."""
    connection = server.connection()
    headers = GRAPHQL | bearer(token) | {"Accept": "text/event-stream"}
    connection.request("POST", "/graphql", json.dumps({"query": LIVE}), headers)
    assert connection.getresponse().status == 200
    server.end()
    connection.close()


def restored(machine, token):
    """A backup serves, to those who were signed in."""
    server = Server(machine, "backup")
    try:
        items = server.ask("{ family { items(first: 3) { nodes { name } } } }", token=token)["family"]["items"]["nodes"]
        assert [item["name"] for item in items] == ["Drum", "Kite", "Tent"], items
        server.end()
    finally:
        server.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root")
    parser.add_argument("program")
    arguments = parser.parse_args()
    start = time.monotonic()
    machine = Machine(arguments.program, arguments.root)
    server = Server(machine, "data", "--demo", HEARTH_BATCH_SIZE="5")
    try:
        token = server.sign_in()
        for check in CHECKS:
            check(server, token)
            assert server.process.poll() is None, f"The server ended in {check.__name__}: {server.said()}"
        machine.write("backup/.keep", "")
        machine.run("backup", "--data", machine.path("data"), machine.path("backup/hearth.db"))
        end_while_live(server, token)
    except (ConnectionError, http.client.HTTPException) as lost:
        raise AssertionError(f"The connection was lost. The log: {server.said()}") from lost
    finally:
        server.kill()
    for folder in ["data", "backup"]:
        machine.run("check", "--data", machine.path(folder))
    restored(machine, token)
    commands(machine)
    signed_in_introspection(machine)
    print(f"{len(CHECKS) + 5} checks of {arguments.program} passed in {time.monotonic() - start:.1f} s.")


if __name__ == "__main__":
    main()
