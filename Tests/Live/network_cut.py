"""A process that is cut off from its database for a while: the packets between them are lost, without an error.

    network_cut.py HEARTH SECONDS

The program HEARTH, its clients and the database have network namespaces of their own, so that it needs the rights of root.
Clients add items and listen, before, during and after the cut. The process must be not ready soon, answer requests all the
time, and recover by itself. Every acknowledged item must be there, no item twice, and every client must end with every
event. Prints figures, and "ok", or fails with what was not as it should be.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from chaos_client import Client, Feed, check_items, write
from hearth import Server, wait_until
from positions import Positions

HEARTH, SECONDS = sys.argv[1], int(sys.argv[2])
CLIENTS, WRITERS, ITEMS = 8, 4, 50
ADDRESS, PEER = "10.77.0.1", "10.77.0.2"
# Seconds until the process must be not ready, and until it must be ready again.
NOT_READY, RECOVERY = 6, 20


def run(*command):
    subprocess.run(command, check=True)


class Network:
    """The namespace of this process, and one for the database, with a cable between them."""

    def __init__(self):
        run("ip", "link", "set", "lo", "up")
        self.holder = subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE)
        own = os.readlink("/proc/self/ns/net")
        wait_until(lambda: os.readlink(f"/proc/{self.holder.pid}/ns/net") != own, "the namespace is there")
        self.inside = ["nsenter", "--net", "--target", str(self.holder.pid)]
        run("ip", "link", "add", "hearth", "type", "veth", "peer", "name", "database", "netns", str(self.holder.pid))
        run("ip", "address", "add", f"{ADDRESS}/24", "dev", "hearth")
        run("ip", "link", "set", "hearth", "up")
        run(*self.inside, "ip", "link", "set", "lo", "up")
        run(*self.inside, "ip", "address", "add", f"{PEER}/24", "dev", "database")
        self.connect(True)

    def connect(self, is_connected):
        run(*self.inside, "ip", "link", "set", "database", "up" if is_connected else "down")

    def end(self):
        self.holder.stdin.close()
        self.holder.wait()


def is_ready(server):
    try:
        return urllib.request.urlopen(f"http://{server.host}/ready", timeout=10).status == 200
    except urllib.error.HTTPError as error:
        assert error.code == 503, error
        return False


async def time_until(condition, limit):
    began = time.monotonic()
    while not await asyncio.to_thread(condition):
        assert time.monotonic() < began + limit, f"not within {limit} s"
        await asyncio.sleep(0.05)
    return time.monotonic() - began


async def main(folder, network):
    script = Path(__file__).parent.parent / "PostgreSQL" / "cluster"
    cluster = subprocess.Popen(
        [*network.inside, script, PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    sockets, port = cluster.stdout.readline().split()

    def rows(statement):
        command = ["psql", "--no-psqlrc", "-qAt", "-h", sockets, "-p", port, "-U", "hearth", "-c", statement, "postgres"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()

    url = f"postgresql://hearth:secret@{PEER}:{port}/postgres?sslmode=disable"
    server = Server(HEARTH, folder, HEARTH_DATABASE_URL=url, HEARTH_DATABASE_UNSAFE="yes")
    try:
        server.start()
        token = await asyncio.to_thread(server.register, "Ada Lovelace")
        [secret] = rows("SELECT encode(value, 'hex') FROM setting WHERE name = 'id-key'")
        answered, feed = [], Feed()
        cipher = Positions(bytes.fromhex(secret))
        clients = [Client(number, server, token, cipher, longest=ITEMS * WRITERS * 3) for number in range(CLIENTS)]

        async def add(label):
            async with asyncio.TaskGroup() as group:
                for writer in range(WRITERS):
                    names = [f"{label} {writer} {number}" for number in range(ITEMS)]
                    group.create_task(write(server, token, names, answered))

        async with asyncio.TaskGroup() as group:
            for client in clients:
                group.create_task(client.live(feed.is_complete))
            await add("before")
            network.connect(False)
            during = group.create_task(add("during"))
            ended = await time_until(lambda: not is_ready(server), NOT_READY)
            await asyncio.sleep(SECONDS - ended)
            assert not await asyncio.to_thread(is_ready, server)
            network.connect(True)
            recovered = await time_until(lambda: is_ready(server), RECOVERY)
            await during
            await add("after")
            feed.positions = [int(position) for position in rows("SELECT position FROM family_event ORDER BY 1")]
        check_items(answered, rows("SELECT name FROM item"))
        feed.check(clients)
        print(
            f"cut off for {SECONDS} s: not ready after {ended:.1f} s, ready {recovered:.1f} s after the end; "
            f"{len(answered)} items, {len(feed.positions)} events to each of {CLIENTS} clients",
            file=sys.stderr,
        )
    finally:
        server.end()
        cluster.stdin.close()
        cluster.wait()
    print("ok")


if __name__ == "__main__":
    if not os.environ.get("HEARTH_ISOLATED"):
        os.environ["HEARTH_ISOLATED"] = "yes"
        os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv])
    net = Network()
    try:
        with tempfile.TemporaryDirectory() as directory:
            asyncio.run(main(directory, net))
    finally:
        net.end()
