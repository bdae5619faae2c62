"""Connections that are opened and break silently at any point.

    connections.py HEARTH COUNT

Starts the program HEARTH on data of its own. After COUNT connections its descriptors and its memory have to be where they
were after the first tenth. Prints what it found and "ok", or fails with what was not as it should be.
"""

import collections
import random
import socket
import struct
import sys
import tempfile
import time

from hearth import HANDSHAKE, Server, frame, initialization, subscription, wait_until

HEARTH, COUNT = sys.argv[1], int(sys.argv[2])
# How many are open at a time.
OPEN = 64
# For the allocator and for caches: it does not grow with the connections.
TOLERANCE = 4 << 20
CHANGES = "subscription { familyChanged { __typename ... on ItemChanged { item { name } } } }"
DUE = "subscription { reminderDue { id } }"
ADD = 'mutation { addItem(input: {name: "Tent"}) { item { id } } }'


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def read_until(connection, text):
    answer = b""
    while text not in answer:
        part = connection.recv(65536)
        assert part, answer
        answer += part


def request(token, document, more=""):
    body = f'{{"query":"{document}"}}'
    return (
        f"POST /graphql HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def open_socket(connection, token):
    connection.sendall(HANDSHAKE + initialization(token))
    read_until(connection, b'"connection_ack"')


def subscribe(connection, token):
    open_socket(connection, token)
    connection.sendall(subscription("1", CHANGES) + subscription("2", DUE) + frame({"type": "ping"}))
    read_until(connection, b'"pong"')


def nothing(connection, token):
    pass


def half_a_request(connection, token):
    connection.sendall(request(token, "{ __typename }")[:-5])


def handshake_alone(connection, token):
    connection.sendall(HANDSHAKE)


def subscribe_unread(connection, token):
    connection.sendall(HANDSHAKE + initialization(token) + subscription("1", CHANGES))


def half_a_frame(connection, token):
    subscribe(connection, token)
    connection.sendall(frame({"type": "ping"})[:-3])


def open_stream(connection, token):
    connection.sendall(request(token, CHANGES))
    read_until(connection, b":\n\n")


def stream_unread(connection, token):
    connection.sendall(request(token, CHANGES))


STAGES = [
    nothing, half_a_request, handshake_alone, open_socket, subscribe, subscribe_unread, half_a_frame, open_stream,
    stream_unread,
]


def connect(server, token, count):
    waiting = collections.deque()
    for number in range(count):
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.settimeout(60)
        random.choice(STAGES)(connection, token)
        waiting.append(connection)
        if number % 200 == 199:
            server.ask(ADD, token=token)  # Open subscriptions receive it.
        if len(waiting) > OPEN:
            end(waiting.popleft())
    while waiting:
        end(waiting.popleft())


def end(connection):
    connection.close() if random.randrange(4) == 0 else reset(connection)


def main():
    random.seed(1)
    with tempfile.TemporaryDirectory() as directory:
        server = Server(HEARTH, directory)
        server.start()
        try:
            token = server.register("Ada Lovelace")
            connect(server, token, max(COUNT // 10, 500))
            descriptors = server.descriptors()
            # Connections that are still closing only make the first count higher: so it is counted again.
            wait_until(lambda: settled(server), "descriptors do not come to rest")
            descriptors = min(descriptors, server.descriptors())
            memory = server.memory()
            begin = time.monotonic()
            connect(server, token, COUNT)
            seconds = time.monotonic() - begin
            what = f"{descriptors} descriptors before, more after"
            wait_until(lambda: server.descriptors() <= descriptors, what)
            grown = server.memory() - memory
            print(
                f"{COUNT} connections in {seconds:.0f} s: {descriptors} descriptors before and after, "
                f"{memory >> 10} KiB before, {grown >> 10:+} KiB after"
            )
            assert grown < TOLERANCE, f"{grown} bytes more than before"
        finally:
            server.end()
    print("ok")


def settled(server):
    """Whether the number of descriptors has been stable for a while."""
    before = server.descriptors()
    time.sleep(0.5)
    return server.descriptors() == before


main()
