"""Hearth behind nginx, as Documentation/operating.md sets it up.

    behind_nginx.py FOLDER PORT

FOLDER holds the guide's site.conf, and Hearth serves demo data on PORT. Prints "ok", or fails with what was not as it
should be.
"""

import asyncio
import http.client
import json
import pathlib
import socket
import ssl
import subprocess
import sys

from websockets.asyncio.client import connect

FOLDER, HEARTH = pathlib.Path(sys.argv[1]), sys.argv[2]
NAME = "hearth.example.com"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


PLAIN, TLS = free_port(), free_port()
TRUST = ssl.create_default_context()


def certificate():
    key, chain = FOLDER / "key.pem", FOLDER / "chain.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        + ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", chain],
        check=True,
        capture_output=True,
    )
    TRUST.load_verify_locations(chain)
    return key, chain


def site(server, key, chain):
    """The guide's, with the ports and files of this test. `server` is the port of Hearth."""
    text = (FOLDER / "site.conf").read_text()
    for old, new in [
        ("127.0.0.1:8080", f"127.0.0.1:{server}"),
        ("listen 80;", f"listen 127.0.0.1:{PLAIN};"),
        ("listen [::]:80;", ""),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{TLS} ssl http2;"),
        ("listen [::]:443 ssl http2;", ""),
        ("/etc/letsencrypt/live/hearth.example.com/fullchain.pem", str(chain)),
        ("/etc/letsencrypt/live/hearth.example.com/privkey.pem", str(key)),
    ]:
        assert old in text, f"the site has no {old}"
        text = text.replace(old, new)
    return text


def start(site):
    folders = "".join(
        f"{kind}_temp_path {FOLDER}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (FOLDER / "nginx.conf").write_text(
        f"daemon off; pid {FOLDER}/nginx.pid; error_log stderr warn; events {{}}\n"
        f"http {{ access_log off; {folders}\n{site}\n}}\n"
    )
    command = ["nginx", "-e", "stderr", "-p", str(FOLDER), "-c", str(FOLDER / "nginx.conf")]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    # It is ready once it accepts a connection.
    while True:
        try:
            socket.create_connection(("127.0.0.1", TLS)).close()
            return process
        except ConnectionRefusedError:
            assert process.poll() is None, process.stderr.read().decode()


class Connection(http.client.HTTPSConnection):
    """Connects to nginx, whatever the name resolves to."""

    def __init__(self):
        super().__init__(NAME, TLS, context=TRUST, timeout=30)

    def connect(self):
        self.sock = TRUST.wrap_socket(socket.create_connection(("127.0.0.1", TLS)), server_hostname=NAME)


def send(method, path, body=None, headers={}):
    connection = Connection()
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer, answer.read()


def ask(query, **headers):
    answer, body = send("POST", "/graphql", json.dumps({"query": query}), {"Content-Type": "application/json", **headers})
    assert answer.status == 200, body
    return json.loads(body)


def sign_in():
    input = '{email: "ada@example.com", password: "hearth-demo"}'
    answer = ask("mutation { signIn(input: %s) { credentials { accessToken } } }" % input)
    return answer["data"]["signIn"]["credentials"]["accessToken"]


def picture(token, length):
    """A form with a file of the given size, which is not a picture."""
    form = b""
    operations = {"query": "mutation ($i: AddItemInput!) { addItem(input: $i) { item { id } userErrors { code } } }"}
    operations["variables"] = {"i": {"name": "Tent", "photo": None}}
    for name, content in [
        ("operations", json.dumps(operations).encode()),
        ("map", b'{"0": ["variables.i.photo"]}'),
        ("0", bytes(length)),
    ]:
        form += b'--b\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), content)
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "multipart/form-data; boundary=b",
        "GraphQL-Require-Preflight": "1",
    }
    return send("POST", "/graphql", form + b"--b--\r\n", headers)


async def over_websocket(token):
    async with connect(
        f"wss://{NAME}:{TLS}/graphql", host="127.0.0.1", port=TLS, ssl=TRUST, subprotocols=["graphql-transport-ws"]
    ) as live:
        await live.send(json.dumps({"type": "connection_init", "payload": {"Authorization": f"Bearer {token}"}}))
        assert json.loads(await live.recv())["type"] == "connection_ack"
        await live.send(json.dumps({"id": "1", "type": "subscribe", "payload": {"query": "{ family { name } }"}}))
        return json.loads(await live.recv())["payload"]


def check():
    # Plain HTTP leads to TLS.
    plain = http.client.HTTPConnection("127.0.0.1", PLAIN)
    plain.request("GET", "/graphql", headers={"Host": NAME})
    answer = plain.getresponse()
    assert (answer.status, answer.getheader("Location")) == (301, f"https://{NAME}/graphql"), answer.status

    token = sign_in()
    family = ask("{ family { name children { avatar { url } } } }", Authorization=f"Bearer {token}")["data"]["family"]
    assert family["name"] == "Lovelace family"
    url = family["children"][0]["avatar"]["url"]
    assert url.startswith(f"https://{NAME}/media/"), url
    answer, _ = send("GET", url.removeprefix(f"https://{NAME}"))
    assert answer.status == 200 and "immutable" in answer.getheader("Cache-Control")

    live = asyncio.run(over_websocket(token))
    assert live["data"] == {"family": {"name": "Lovelace family"}}, live
    answer, body = send(
        "POST",
        "/graphql",
        json.dumps({"query": "{ family { name } }"}),
        {"Content-Type": "application/json", "Accept": "text/event-stream", "Authorization": f"Bearer {token}"},
    )
    assert answer.getheader("Content-Type").startswith("text/event-stream") and b"Lovelace" in body, body

    # A file of 9 MB reaches the server, which reports that it is not a picture.
    answer, body = picture(token, 9 << 20)
    assert json.loads(body)["data"]["addItem"]["userErrors"] == [{"code": "UNSUPPORTED_MEDIA"}], body
    # More is rejected before it is sent.
    long = Connection()
    long.putrequest("POST", "/graphql")
    long.putheader("Content-Length", str(30 << 20))
    long.endheaders()
    assert long.getresponse().status == 413

    # Monitoring is not public.
    assert send("GET", "/metrics")[0].status == 404
    assert send("GET", "/health")[0].status == 200


def check_unreachable():
    """Nobody listens at the port: an error in the form of the server's own, after which a request can be sent again."""
    for method in ("POST", "GET"):
        answer, body = send(method, "/graphql", "{}" if method == "POST" else None)
        assert (answer.status, answer.getheader("Retry-After")) == (503, "1"), answer.status
        assert answer.getheader("Content-Type") == "application/graphql-response+json; charset=utf-8"
        [error] = json.loads(body)["errors"]
        assert error["extensions"] == {"code": "STORAGE_UNAVAILABLE"}, error


if __name__ == "__main__":
    files = certificate()
    for server, checks in ((HEARTH, check), (free_port(), check_unreachable)):
        nginx = start(site(server, *files))
        try:
            checks()
        finally:
            nginx.terminate()
            nginx.wait()
    print("ok")
