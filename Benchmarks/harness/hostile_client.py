#!/usr/bin/env python3
"""One attack on a server of the benchmark: NAME PORT TOKENS SECONDS. Attacks until a line comes on standard input, or until
the time is over, and then prints what it was answered.

It shares the machine with what it attacks. So it runs only when a processor is idle, makes its requests before it begins, and
sends no more of them a second than its plan says: what is measured is what a request costs the server, and not who gets a
processor."""

import json
import os
import random
import re
import selectors
import socket
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness import live  # noqa: E402

ADDRESS_HEADER = "X-Client-Address"
BODY_LIMIT = 1_048_576


@dataclass
class Plan:
    requests: list[bytes]  # Sent in turn.
    connections: int = 8
    rate: float = 400  # The most requests a second, over all connections.
    reads: bool = True  # Whether answers are read.
    holds: bool = False  # Whether a request's answer is not awaited, since the request has no end.
    closes: bool = False  # Whether each request has a connection of its own.
    subscriptions: list[tuple[str, list[dict]]] = field(default_factory=list)  # Of WebSockets: each one's token and requests.
    missed: list[bytes] = field(default_factory=list)  # Sent first: the subscriptions resume from before them.


@dataclass
class Connection:
    socket: socket.socket
    unsent: memoryview
    received: bytearray = field(default_factory=bytearray)
    needs: int = -1  # Bytes of the whole answer, once its head is there.


def http(body: bytes, token: str = "", address: str = "198.51.100.7", length: int | None = None, headers: str = "") -> bytes:
    head = f"POST /graphql HTTP/1.1\r\nHost: benchmark\r\n{ADDRESS_HEADER}: {address}\r\n"
    if "Content-Type" not in headers:
        head += "Content-Type: application/json\r\n"
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    return (head + headers + f"Content-Length: {len(body) if length is None else length}\r\n\r\n").encode() + body


def query(text: str, token: str = "", variables: dict | None = None, address: str = "198.51.100.7") -> bytes:
    request = {"query": text} | ({"variables": variables} if variables else {})
    return http(json.dumps(request, separators=(",", ":")).encode(), token, address)


def filled(before: str, item, after: str) -> bytes:
    """As many items as fit into a body."""
    room = BODY_LIMIT - len(before) - len(after) - 1
    items, size, number = [], 0, 0
    while True:
        text = item(number)
        if size + len(text) + 1 > room:
            return (before + ",".join(items) + after).encode()
        items.append(text)
        size += len(text) + 1
        number += 1


def aliases(count: int, text) -> str:
    return " ".join(f"a{number}:{text(number)}" for number in range(count))


def addresses(count: int) -> list[str]:
    return [f"198.51.100.{1 + number % 250}" for number in range(count)]


INTROSPECTION = (Path(__file__).parent.parent / "engine" / "introspection.graphql").read_text()


def introspections(count: int) -> list[bytes]:
    """Each different, so that none is remembered."""
    body = INTROSPECTION[INTROSPECTION.index("__schema") :].strip()
    selection = body[: matching(body, body.index("{")) + 1]
    fragments = INTROSPECTION[INTROSPECTION.index("fragment") :]
    return [
        query("{" + aliases(count, lambda number: selection) + "}" + fragments + f" # {round}") for round in range(200)
    ]


def matching(text: str, start: int) -> int:
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place
    raise ValueError(text)


ADD_ITEM = 'mutation{addItem(input:{name:"Tent"}){item{id}}}'


def subscriptions(token: str, request_of) -> list[tuple[str, list[dict]]]:
    """As many as a person may have: 100 on each of 100 WebSockets."""
    return [(token, [request_of(f"{socket} {number}") for number in range(100)]) for socket in range(100)]


def filtered(text: str) -> dict:
    """A subscription that reads the family's chores for each event."""
    document = (
        "subscription($q:String!){familyChanged{...on ItemChanged{item{family{chores(first:100,filter:{query:$q})"
        "{nodes{id name assignees{id}}} children{id name}}}}}}"
    )
    return {"query": document, "variables": {"q": text}}


BOOK = "mutation($e:[AddressBookEntryInput!]!){matchAddressBook(entries:$e){userErrors{code}}}"


def address_book(first: int) -> dict:
    """As many entries as one may have, with 15,000 numbers."""
    numbers = range(first, first + 15_000, 3)
    return {"e": [{"name": "N", "phones": [f"+4930{number + place}" for place in range(3)]} for number in numbers]}


def nested_chores(levels: int) -> str:
    """A chore of the benchmark's families has two children, and a child six chores: each level is 12 times as long."""
    text = "name"
    for _ in range(levels):
        text = f"assignedChores(first:10){{nodes{{assignees{{...on Child{{{text}}}}}}}}}"
    return f"{{family{{children{{{text}}}}}}}"


def password_plan(field_of, count: int, rate: float) -> Plan:
    dice = random.Random(1)
    requests = [
        query("mutation{" + aliases(100, lambda _: field_of(dice.getrandbits(48))) + "}", address=address)
        for address in addresses(count)
    ]
    return Plan(requests, connections=65, rate=rate)


def plan(name: str, tokens: dict) -> Plan:
    match name:
        case "json-keys":
            body = filled('{"query":"{__typename}","variables":{"x":{', lambda number: f'"{number:x}":1', "}}}")
            return Plan([http(body)])
        case "json-objects":
            text = "mutation($e:[AddressBookEntryInput!]!){matchAddressBook(entries:$e){userErrors{code}}}"
            return Plan([http(filled(f'{{"query":"{text}","variables":{{"e":[', lambda _: "{}", "]}}"))])
        case "json-ids":
            text = "query($e:[ID!]!){nodes(ids:$e){id}}"
            return Plan([http(filled(f'{{"query":"{text}","variables":{{"e":[', lambda _: "1", "]}}"))])
        case "introspection-60":
            return Plan(introspections(60))
        case "introspection-100":
            return Plan(introspections(100))
        case "chore-filters":
            family = '{{a0:family{{{0}}} a1:family{{{1}}}}}'
            part = lambda first: " ".join(  # noqa: E731
                f'b{number}:chores(filter:{{query:"none {number}"}}){{nodes{{id}}}}' for number in range(first, first + 98)
            )
            return Plan([query(family.format(part(0), part(98)), tokens["large"])])
        case "member-filters":
            filters = aliases(190, lambda number: f'members(query:"none {number}"){{totalCount}}')
            return Plan([query(f'{{node(id:"{tokens["group"]}"){{...on Group{{{filters}}}}}}}', tokens["first"])])
        case "nested-chores":
            # Responses of 0.2 and 3 MB.
            return Plan([query(nested_chores(levels), tokens["other"]) for levels in (3, 4)])
        case "address-book":
            books = [query(BOOK, token, address_book(1_000_000 + number)) for number, token in enumerate(tokens["people"])]
            return Plan(books, rate=20)
        case "change-password":
            # Nine are all that a document can have.
            text = 'changePassword(oldPassword:"wrong-{0}",newPassword:"password-2"){{userErrors{{code}}}}'
            fields = [aliases(9, lambda _: text.format(dice.getrandbits(48))) for dice in [random.Random(1)] for _ in range(100)]
            return Plan([query("mutation{" + some + "}", tokens["other"]) for some in fields], rate=100)
        case "contact-info":
            text = (
                "{viewer{...on Account{groups(first:40){nodes{members(first:100){nodes{person{name contactInfo"
                "{scope kind label email}}}}}}}}}"
            )
            return Plan([query(text, tokens["member"])])
        case "searches":
            words = aliases(10, lambda number: f'search(query:"\\"school high\\" a{number}"){{totalCount nodes{{__typename}}}}')
            return Plan([query("{" + words + "}", tokens["member"])])
        case "cold-documents":
            # About as large and expensive as the limits allow, and each different.
            fields = " ".join(f"a{number}:viewer{{__typename}}" for number in range(80))
            many = " ".join("...on Account{name email}" for _ in range(1_300))
            return Plan([query(f"query q{round}{{{fields} viewer{{{many}}}}}", tokens["other"]) for round in range(200)])
        case "large-answers":
            text = "{family{" + aliases(90, lambda _: "chores(first:100){nodes{id name priority createdAt status}}") + "}}"
            return Plan([query(text, tokens["large"])])
        case "slow-readers":
            text = "{family{" + aliases(90, lambda _: "chores(first:100){nodes{id name priority createdAt status}}") + "}}"
            return Plan([query(text, tokens["large"])], connections=200, rate=200, reads=False)
        case "churn":
            request = http(b'{"query":"{__typename}"}', headers="Connection: close\r\n")
            return Plan([request], connections=16, rate=2_000, closes=True)
        case "held-bodies":
            body = b'{"query":"{__typename}"}'.ljust(BODY_LIMIT, b" ")
            return Plan([http(body[:-1], length=len(body))], connections=2_000, rate=400, holds=True)
        case "idle-uploads":
            form = "GraphQL-Require-Preflight: 1\r\nContent-Type: multipart/form-data; boundary=x\r\n"
            request = http(b"--x\r\n", tokens["other"], length=26_214_400, headers=form)
            return Plan([request], connections=20, rate=20, holds=True)
        case "equal-subscriptions":
            text = "subscription{familyChanged{...on ItemChanged{item{id name}}}}"
            listening = subscriptions(tokens["other"], lambda _: {"query": text})
            return Plan([query(ADD_ITEM, tokens["other"])], rate=5, subscriptions=listening)
        case "different-subscriptions":
            listening = subscriptions(tokens["other"], lambda name: filtered(f"not {name}"))
            return Plan([query(ADD_ITEM, tokens["other"])], rate=20, subscriptions=listening)
        case "resumed-subscriptions":
            # 100 that differ, since a person may have 250, each on 100 WebSockets. Each one has missed 200 events.
            resuming = subscriptions(tokens["other"], lambda name: filtered(f"not {name.split()[1]}"))
            many = query("mutation{" + aliases(50, lambda _: 'addItem(input:{name:"Tent"}){item{id}}') + "}", tokens["other"])
            return Plan([query("{__typename}")], rate=20, subscriptions=resuming, missed=[many] * 4)
        case "register":
            text = (
                'register(input:{{email:"f{0}@x.example",password:"password-1",name:"A B",dateOfBirth:"1990-01-01"}})'
                "{{userErrors{{code}}}}"
            )
            return password_plan(text.format, 500, 100)
        case "sign-in-child":
            text = 'signInChild(input:{{username:"f{0}",password:"password-1"}}){{userErrors{{code}}}}'
            return password_plan(text.format, 500, 100)
        case "password-resets":
            return password_plan('requestPasswordReset(email:"f{0}@x.example"){{requested}}'.format, 500, 100)
        case "invitations":
            dice = random.Random(1)
            text = 'inviteContact(email:"f{0}@x.example",offer:[WORK]){{userErrors{{code}}}}'
            fields = [aliases(100, lambda _: text.format(dice.getrandbits(48))) for _ in range(100)]
            return Plan([query("mutation{" + some + "}", tokens["other"]) for some in fields], rate=20)
    raise ValueError(name)


class Attack:
    def __init__(self, plan: Plan, port: int):
        self.plan = plan
        self.port = port
        self.selector = selectors.DefaultSelector()
        self.open = 0
        self.sent = 0
        self.answered = 0
        self.outcomes: dict[str, int] = {}
        self.idle: list[Connection] = []
        self.unread: list[Connection] = []

    def count(self, outcome: str):
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1

    def request(self) -> memoryview:
        request = self.plan.requests[self.sent % len(self.plan.requests)]
        self.sent += 1
        return memoryview(request)

    def connect(self):
        connection = socket.socket()
        if not self.plan.reads:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.setblocking(False)
        connection.connect_ex(("127.0.0.1", self.port))
        self.open += 1
        self.selector.register(
            connection, selectors.EVENT_READ | selectors.EVENT_WRITE, Connection(connection, self.request())
        )

    def close(self, connection: Connection, outcome: str | None = None):
        if outcome:
            self.count(outcome)
        self.selector.unregister(connection.socket)
        connection.socket.close()
        self.open -= 1

    def begin(self):
        """One request more, on a connection that is free or on a new one."""
        if self.idle:
            connection = self.idle.pop()
            connection.unsent, connection.received, connection.needs = self.request(), bytearray(), -1
            self.watch(connection, selectors.EVENT_READ | selectors.EVENT_WRITE)
        elif self.open < self.plan.connections:
            self.connect()
        else:
            return False
        return True

    def watch(self, connection: Connection, events: int):
        self.selector.modify(connection.socket, events, connection)

    def handle(self, connection: Connection, events: int):
        try:
            if events & selectors.EVENT_WRITE and connection.unsent:
                connection.unsent = connection.unsent[connection.socket.send(connection.unsent) :]
                if not connection.unsent:
                    if self.plan.holds or not self.plan.reads:
                        self.count("held")
                    if not self.plan.reads:
                        # Kept open, and never looked at again.
                        self.selector.unregister(connection.socket)
                        self.unread.append(connection)
                        return
                    self.watch(connection, selectors.EVENT_READ)
            if events & selectors.EVENT_READ:
                data = connection.socket.recv(262_144)
                if not data:
                    return self.close(connection, "closed" if connection.needs < 0 else None)
                connection.received += data
                self.take(connection)
        except BlockingIOError:
            pass
        except OSError as error:
            self.close(connection, type(error).__name__)

    def take(self, connection: Connection):
        if connection.needs < 0:
            end = connection.received.find(b"\r\n\r\n")
            if end < 0:
                return
            length = re.search(rb"(?i)content-length: (\d+)", connection.received[:end])
            connection.needs = end + 4 + (int(length.group(1)) if length else 0)
        if len(connection.received) < connection.needs:
            return
        self.answered += 1
        code = re.search(rb'"code":"([A-Z_]+)"', connection.received)
        status = connection.received[9:12].decode()
        self.count(code.group(1).decode() if code else status)
        if self.plan.closes or b"connection: close" in connection.received[:400].lower():
            self.close(connection)
        else:
            self.watch(connection, selectors.EVENT_READ)
            self.idle.append(connection)

    def subscribe(self):
        position = self.miss()
        for token, requests in self.plan.subscriptions:
            connection, _ = self.connect_socket(token)
            frames = [
                {"id": str(id), "type": "subscribe", "payload": request | position} for id, request in enumerate(requests)
            ]
            connection.sendall(b"".join(map(live.frame, [*frames, {"type": "ping"}])))
            live.await_message(connection, b'"pong"')
            connection.setblocking(False)
            self.selector.register(connection, selectors.EVENT_READ, connection)

    def miss(self) -> dict:
        """What subscriptions resume with: the position before the events that they have missed, if there are any."""
        if not self.plan.missed:
            return {}
        connection, acknowledged = self.connect_socket(self.plan.subscriptions[0][0])
        connection.close()
        position = re.search(rb'"position":"([^"]+)"', acknowledged).group(1).decode()
        with live.connect(self.port) as connection:
            for request in self.plan.missed:
                connection.sendall(request)
                live.await_message(connection, b'"data"')
        return {"extensions": {"position": position}}

    def connect_socket(self, token: str) -> tuple[socket.socket, bytes]:
        """A WebSocket, and the message that acknowledges it."""
        connection = live.connect(self.port)
        init = {"type": "connection_init", "payload": {"Authorization": f"Bearer {token}"}}
        connection.sendall(live.HANDSHAKE + live.frame(init))
        return connection, live.await_message(connection, b'"connection_ack"')

    def receive(self, connection: socket.socket):
        """Reads events, which nobody looks at."""
        if not connection.recv(262_144):
            self.count("closed")
            self.selector.unregister(connection)

    def run(self, seconds: float) -> dict:
        self.subscribe()
        began = last = time.monotonic()
        due = 0.0
        self.selector.register(sys.stdin, selectors.EVENT_READ, None)
        print("attacking", flush=True)
        while (now := time.monotonic()) - began < seconds:
            # What could not be sent in its time is not sent later all at once.
            due = min(due + (now - last) * self.plan.rate, self.plan.connections)
            last = now
            while due >= 1 and self.begin():
                due -= 1
            for key, events in self.selector.select(0.002):
                if key.data is None:
                    return self.result(now - began)
                if isinstance(key.data, socket.socket):
                    self.receive(key.data)
                elif key.data in self.idle:
                    # The server has closed it.
                    self.idle.remove(key.data)
                    self.close(key.data)
                else:
                    self.handle(key.data, events)
        return self.result(seconds)

    def result(self, seconds: float) -> dict:
        return {"answered": self.answered, "seconds": max(seconds, 0.001), "outcomes": self.outcomes}


def main():
    name, port, tokens, seconds = sys.argv[1:]
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    prepared = plan(name, json.loads(Path(tokens).read_text()))
    print(json.dumps(Attack(prepared, int(port)).run(float(seconds))))


if __name__ == "__main__":
    main()
