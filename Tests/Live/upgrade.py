"""Processes behind nginx that are replaced by those of another program, one after the other, while clients use them.

    upgrade.py OLD NEW PROCESSES CLIENTS EVENTS

Starts PROCESSES of the program OLD behind nginx, over a primary and a synchronous standby. While clients add items, read and
listen, it ends each by SIGTERM and starts the program NEW in its place. With one process of OLD, as of versions that use the
database alone, two of NEW are started first, which wait for its end. Requests may fail only with codes after which they can
be sent again. Every client has to end with every event that is in the table, in order; what comes twice has to be marked.
Every acknowledged item must be there, and no item twice. Prints figures, and "ok", or fails with what was not as it should
be.
"""

import asyncio
import sys
import tempfile
import time
from collections import Counter

from chaos_client import (
    LOST,
    PASSING,
    Client,
    Feed,
    Rejected,
    ask,
    cause,
    check_items,
    has_passing_errors,
    reached,
    write_items,
)
from cluster import Cluster, Process, Proxy

OLD, NEW = sys.argv[1:3]
PROCESSES, CLIENTS, EVENTS = map(int, sys.argv[3:])
SLOTS, READERS = 3, 4
READ = "{ family { items(first: 1) { totalCount } } }"


async def read(server, token, counts, causes):
    """What a reader has seen once, it sees again."""
    least = 0
    while True:
        try:
            answer = await ask(server, READ, {}, token)
            if has_passing_errors(answer):
                raise Rejected(answer["errors"])
            count = answer["data"]["family"]["items"]["totalCount"]
            assert count >= least, (count, least)
            least = count
            counts["reads"] += 1
        except LOST as error:
            causes[cause(error)] += 1
            await asyncio.sleep(0.05)


async def replace(processes, answered, pauses):
    """Spread over the writes. Notes the seconds for which each was away."""
    beside = [asyncio.create_task(asyncio.to_thread(process.start)) for process in processes[PROCESSES:]]
    for number, process in enumerate(processes[:PROCESSES]):
        await reached(answered, EVENTS * (number + 1) // (PROCESSES + 1))
        began = time.monotonic()
        await asyncio.to_thread(process.end)
        ended = time.monotonic()
        process.program = NEW
        await asyncio.to_thread(process.start)
        pauses.append(f"{ended - began:.1f} + {time.monotonic() - ended:.1f}")
    await asyncio.gather(*beside)


async def main(folder):
    cluster = Cluster()
    programs = [OLD] * PROCESSES + [NEW] * (SLOTS - PROCESSES)
    processes = [Process(program, f"{folder}/{number}", cluster) for number, program in enumerate(programs)]
    proxy = None
    try:
        for process in processes[:PROCESSES]:
            process.start()
        proxy = Proxy(folder, processes)
        token = await asyncio.to_thread(processes[0].register, "Ada Lovelace")
        answered, feed, cipher = [], Feed(), cluster.cipher()
        counts, written, reading, pauses = Counter(), Counter(), Counter(), []
        clients = [Client(number, proxy, token, cipher, longest=EVENTS) for number in range(CLIENTS)]
        async with asyncio.TaskGroup() as group:
            readers = [group.create_task(read(proxy, token, counts, reading)) for _ in range(READERS)]
            for client in clients:
                group.create_task(client.live(feed.is_complete))
            async with asyncio.TaskGroup() as work:
                work.create_task(replace(processes, answered, pauses))
                work.create_task(write_items(EVENTS, proxy, token, answered, written))
            for reader in readers:
                reader.cancel()
            feed.positions = cluster.positions()
        check_items(answered, cluster.items())
        feed.check(clients)
        listening = sum((client.causes for client in clients), Counter())
        marked = sum(client.marked for client in clients)
        print(
            f"{len(answered)} items, {counts['reads']} reads, {len(feed.positions)} events to each of {CLIENTS} clients; {marked} "
            f"repeated, with the mark. Seconds of each end and start: {', '.join(pauses)}\n"
            f"writes failed: {dict(written)}\nreads failed: {dict(reading)}\nconnections ended: {dict(listening)}",
            file=sys.stderr,
        )
        for codes in set(written) | set(reading):
            assert set(codes.split()) <= PASSING, codes
    finally:
        if proxy:
            proxy.end()
        for process in processes:
            if process.is_running:
                process.end()
        cluster.end()
    print("ok")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(main(directory))
