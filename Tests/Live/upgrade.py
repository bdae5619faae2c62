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

from chaos_client import LOST, PASSING, Client, Rejected, ask, cause, has_passing_errors, write
from cluster import Cluster, Process, Proxy
from positions import Positions

OLD, NEW = sys.argv[1:3]
PROCESSES, CLIENTS, EVENTS = map(int, sys.argv[3:])
SLOTS, WRITERS, READERS = 3, 8, 4
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
        while len(answered) < EVENTS * (number + 1) // (PROCESSES + 1):
            await asyncio.sleep(0.01)
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
        [[secret]] = cluster.rows("SELECT encode(value, 'hex') FROM setting WHERE name = 'id-key'")
        cipher = Positions(bytes.fromhex(secret))
        answered, last, counts, pauses = [], None, Counter(), []
        written, reading = Counter(), Counter()

        def has_all(client):
            return last is not None and bool(client.seen) and client.seen[-1] == last

        clients = [Client(number, proxy, token, cipher, longest=EVENTS) for number in range(CLIENTS)]
        async with asyncio.TaskGroup() as group:
            readers = [group.create_task(read(proxy, token, counts, reading)) for _ in range(READERS)]
            for client in clients:
                group.create_task(client.live(has_all))
            async with asyncio.TaskGroup() as work:
                work.create_task(replace(processes, answered, pauses))
                for writer in range(WRITERS):
                    names = [f"Item {number}" for number in range(writer, EVENTS, WRITERS)]
                    work.create_task(write(proxy, token, names, answered, written))
            for reader in readers:
                reader.cancel()
            expected = [int(position) for [position] in cluster.rows("SELECT position FROM family_event ORDER BY 1")]
            last = expected[-1]
        stored = [name for [name] in cluster.rows("SELECT name FROM item")]
        assert len(set(stored)) == len(stored), "an item is there twice"
        assert set(answered) == set(stored), set(answered) ^ set(stored)
        for client in clients:
            assert client.seen == expected, (client.number, len(client.seen), len(expected))
        listening = sum((client.causes for client in clients), Counter())
        marked = sum(client.marked for client in clients)
        print(
            f"{len(answered)} items, {counts['reads']} reads, {len(expected)} events to each of {CLIENTS} clients; {marked} "
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
