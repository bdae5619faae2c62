"""Several processes that serve the same PostgreSQL database behind nginx, and the loss of each of them.

    processes.py HEARTH PROCESSES CLIENTS EVENTS KILLS FAILOVERS

Starts that many processes of the program HEARTH behind nginx, over a primary and a synchronous standby. Clients drop, stall,
reconnect and resume at whichever process nginx chooses, while others add items. Processes are killed, and primaries, whose
standby takes over. Every client has to end with every event that is in the table, in order; what comes twice has to be
marked. Every acknowledged item must be there, and no item twice. Prints figures, and "ok", or fails with what was not as
it should be.
"""

import asyncio
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from chaos_client import Client, Feed, check_items, reached, write_items
from cluster import Cluster, Process, Proxy

HEARTH = sys.argv[1]
PROCESSES, CLIENTS, EVENTS, KILLS, FAILOVERS = map(int, sys.argv[2:])
# Seconds without a new event at any client, after which the run fails.
PATIENCE = 60


async def kill(processes, answered):
    """Spread over the writes."""
    chosen = random.Random(1)
    for number in range(KILLS):
        await reached(answered, EVENTS * (number + 1) // (KILLS + 1))
        process = chosen.choice(processes)
        process.end(signal.SIGKILL)
        await asyncio.to_thread(process.start)


async def fail_over(cluster, answered):
    for number in range(FAILOVERS):
        await reached(answered, EVENTS * (2 * number + 1) // (2 * FAILOVERS + 1))
        await asyncio.to_thread(cluster.perform, "fail", "promoted")
        await asyncio.to_thread(cluster.perform, "replace", "replaced")


async def watch(clients, feed, describe):
    """Fails when no client gets an event any more, with what is known of the clients and the processes."""
    seen, since = 0, time.monotonic()
    while not all(map(feed.is_complete, clients)):
        await asyncio.sleep(0.1)
        count = sum(len(client.seen) for client in clients)
        if count > seen:
            seen, since = count, time.monotonic()
        assert time.monotonic() < since + PATIENCE, describe()


async def main(folder):
    cluster = Cluster()
    processes = [Process(HEARTH, f"{folder}/{number}", cluster) for number in range(PROCESSES)]
    proxy, started = None, []
    try:
        for process in processes:
            process.start()
            started.append(process)
        proxy = Proxy(folder, processes)
        token = await asyncio.to_thread(processes[0].register, "Ada Lovelace")
        answered, feed, cipher = [], Feed(), cluster.cipher()
        clients = [Client(number, proxy, token, cipher, longest=EVENTS) for number in range(CLIENTS)]

        def describe():
            """The clients that are behind, with what each last lost its connection by, and the ends of the logs."""
            behind = [client for client in clients if not feed.is_complete(client)]
            lines = [f"{len(answered)} items are acknowledged. These clients do not have all events:"]
            lines += [f"{client.number}: {len(client.seen)} events; {client.lost!r}" for client in behind]
            for process in processes:
                lines += [process.host] + Path(process.log.name).read_text().splitlines()[-20:]
            return "\n".join(lines)

        began = time.monotonic()
        async with asyncio.TaskGroup() as group:
            group.create_task(watch(clients, feed, describe))
            for client in clients:
                group.create_task(client.live(feed.is_complete))
            async with asyncio.TaskGroup() as work:
                work.create_task(kill(processes, answered))
                work.create_task(fail_over(cluster, answered))
                work.create_task(write_items(EVENTS, proxy, token, answered))
            feed.positions = cluster.positions()
        seconds = time.monotonic() - began
        check_items(answered, cluster.items())
        feed.check(clients)
        drops = sum(client.drops for client in clients)
        marked = sum(client.marked for client in clients)
        print(
            f"{len(feed.positions)} events to {CLIENTS} clients of {PROCESSES} processes in {seconds:.0f} s; {drops} connections "
            f"dropped, {KILLS} processes and {FAILOVERS} primaries killed; {marked} events repeated, with the mark",
            file=sys.stderr,
        )
    finally:
        if proxy:
            proxy.end()
        for process in started:
            process.end()
        cluster.end()
    print("ok")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(main(directory))
