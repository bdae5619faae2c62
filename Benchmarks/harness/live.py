"""Events to many sockets: what an idle one costs, and how long an event takes to the last of them."""

import json
import os
import re
import resource
import select
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from harness import building
from harness.subject import Failure, Subject

SOCKETS = 10_000
EVENTS = 50
TIME_LIMIT = 0.250  # Seconds, of the p99.
SUBSCRIPTION = "subscription { familyChanged { ... on ItemChanged { item { id name } } } }"
ADD_ITEM = 'mutation { addItem(input: {name: "Tent"}) { item { id } } }'
HANDSHAKE = (
    b"GET /graphql HTTP/1.1\r\nHost: benchmark\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
    b"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
)


@dataclass
class Figures:
    sockets: int
    memory: float  # Bytes a socket.
    p50: float  # Seconds from the mutation's request to the last socket.
    p99: float
    cpu: float  # Seconds an event and subscriber.
    floor_p50: float
    floor_p99: float
    floor_cpu: float

    def __str__(self) -> str:
        return (
            f"live, {self.sockets:,} sockets: {self.memory:,.0f} bytes for each idle one; request to last socket "
            f"{self.p50 * 1e3:.0f} ms (p50), {self.p99 * 1e3:.0f} ms (p99), floor {self.floor_p50 * 1e3:.0f} ms and "
            f"{self.floor_p99 * 1e3:.0f} ms; {self.cpu * 1e6:.2f} µs of CPU an event and subscriber, floor "
            f"{self.floor_cpu * 1e6:.2f} µs"
        )


def frame(message: dict) -> bytes:
    """A client's frame; its mask is zero, so that the payload stays as it is."""
    payload = json.dumps(message).encode()
    length = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
    return b"\x81" + length + b"\0\0\0\0" + payload


def connect(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def await_message(connection: socket.socket, text: bytes) -> bytes:
    answer = b""
    while text not in answer:
        part = connection.recv(4096)
        if not part:
            raise Failure(f"A subscription was rejected: {answer!r}")
        answer += part
    return answer


def subscribe(port: int, token: str) -> socket.socket:
    connection = connect(port)
    init = {"type": "connection_init", "payload": {"Authorization": f"Bearer {token}"}}
    live = {"id": "1", "type": "subscribe", "payload": {"query": SUBSCRIPTION}}
    connection.sendall(HANDSHAKE + frame(init))
    await_message(connection, b'"connection_ack"')
    connection.sendall(frame(live) + frame({"type": "ping"}))
    await_message(connection, b'"pong"')  # Then the subscription is active.
    connection.setblocking(False)
    return connection


def anonymous_memory(subject: Subject) -> int:
    """Bytes of the process alone."""
    text = Path(f"/proc/{subject.process.pid}/smaps_rollup").read_text()
    return int(re.search(r"Pss_Anon:\s+(\d+)", text).group(1)) * 1024


class Crowd:
    def __init__(self, connections: list[socket.socket]):
        self.connections = {connection.fileno(): connection for connection in connections}
        self.poll = select.epoll()
        for number in self.connections:
            self.poll.register(number, select.EPOLLIN)

    def time_event(self, make) -> tuple[float, int]:
        """Seconds until all clients have received one more message, and its size. Messages are sent one at a time, in one piece."""
        begin = time.perf_counter()
        make()
        waiting, size = len(self.connections), 0
        while waiting:
            for number, _ in self.poll.poll(10) or self.give_up(waiting):
                data = os.read(number, 65536)
                if not data:
                    raise Failure("A socket was closed.")
                while data.startswith(b"\x89"):  # A ping, which wants its pong.
                    os.write(number, b"\x8a\x80\0\0\0\0")
                    data = data[2 + data[1] :]
                if data:
                    size = len(data)
                    waiting -= 1
        return time.perf_counter() - begin, size

    def give_up(self, waiting: int):
        raise Failure(f"{waiting} sockets received nothing for ten seconds.")


def run(subject: Subject, connections: list[socket.socket], make, events: int = EVENTS) -> tuple[list[float], float, int]:
    crowd = Crowd(connections)
    crowd.time_event(make)  # Not counted: a warm-up.
    before = subject.cpu()
    timed = [crowd.time_event(make) for _ in range(events)]
    cpu = (subject.cpu() - before) / events / len(connections)
    return sorted(seconds for seconds, _ in timed), cpu, timed[0][1]


def allow_files():
    """As many as the system lets this process and those it starts have open."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def measure(server: Subject, token: str, directory: Path, say, sockets: int = SOCKETS) -> Figures:
    before = anonymous_memory(server)
    connections = [subscribe(server.port, token) for _ in range(sockets)]
    memory = (anonymous_memory(server) - before) / sockets
    say(f"{sockets:,} sockets listen")
    body = json.dumps({"query": ADD_ITEM}).encode()
    request = (
        f"POST /graphql HTTP/1.1\r\nHost: benchmark\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body
    asking = connect(server.port)

    def add_item():
        asking.sendall(request)
        if b'"item":{' not in asking.recv(65536):
            raise Failure("An item could not be added.")

    times, cpu, size = run(server, connections, add_item)
    for connection in connections:
        connection.close()

    program = directory / "live-floor"
    building.floor(program, "live-floor")
    floor = Subject("live floor", [str(program), str(sockets), str(size)], directory / "live-floor.log")
    try:
        connections = [connect(floor.port) for _ in range(sockets)]
        control = connect(floor.port)
        floor_times, floor_cpu, _ = run(floor, connections, lambda: control.sendall(b"x"))
        for connection in [*connections, control]:
            connection.close()
    finally:
        floor.stop()
    middle, last = EVENTS // 2, EVENTS * 99 // 100
    return Figures(
        sockets, memory, times[middle], times[last], cpu, floor_times[middle], floor_times[last], floor_cpu
    )
