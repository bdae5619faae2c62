"""Many reminders at a time, to many families that listen.

    reminders.py HEARTH COUNT SECONDS [LATEST]

Starts the program HEARTH on data of its own, in which COUNT reminders become due within SECONDS: with 0, all in the same
millisecond. Each has to become due once and come to its family once, and the family's dashboard has to be answered
meanwhile. With LATEST, none may be marked or come later than so many milliseconds after its time. Prints what it found and
"ok", or fails with what was not as it should be.
"""

import asyncio
import http.client
import json
import multiprocessing
import sys
import tempfile
import time
from datetime import datetime

from hearth import HANDSHAKE, Server, frame, initialization, subscription

HEARTH = sys.argv[1]
COUNT, SECONDS = map(int, sys.argv[2:4])
LATEST = int(sys.argv[4]) if len(sys.argv) > 4 else None
FAMILIES = min(100, COUNT)
# From the start of the server to the first reminder, for all to connect.
LEAD = 5 + SECONDS // 10
DUE = "subscription { reminderDue { id remindAt } }"
ADD_CHORE = 'mutation { addChore(input: {name: "Feed the cat"}) { chore { id } } }'
SET = "mutation ($input: SetReminderInput!) { setReminder(input: $input) { reminder { id } } }"
DASHBOARD = "{ family { name children { name } chores(first: 20) { nodes { name status assignees { id } } } } }"
INSERT = "INSERT INTO reminder (family_id, id, chore_id, remind_at, status) VALUES (?, ?, ?, ?, 0)"
KIND = 10
KIND_BITS = 6


def fill(server, chores):
    """Reminders as the server writes them: the API lets no chore have so many."""
    with server.database("rw") as database:
        (first,) = database.execute("SELECT next FROM sequence").fetchone()
        begin = int((time.time() + LEAD) * 1000)
        rows = []
        for number in range(COUNT):
            family, chore = chores[number % FAMILIES]
            moment = begin + number * SECONDS * 1000 // COUNT
            rows.append((family, (first + number) << KIND_BITS | KIND, chore, moment))
        database.execute("BEGIN")
        database.executemany(INSERT, rows)
        database.execute("UPDATE sequence SET next = next + ?", (COUNT,))
        database.execute("COMMIT")
        return begin


async def listen(server, token, count, received):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 20)
    writer.write(HANDSHAKE + initialization(token))
    await reader.readuntil(b"\r\n\r\n")
    seen = set()
    while len(seen) < count:
        head = await reader.readexactly(2)
        length = head[1]
        if length == 126:
            length = int.from_bytes(await reader.readexactly(2), "big")
        payload = await reader.readexactly(length)
        if head[0] == 0x89:
            writer.write(b"\x8a\x80\0\0\0\0")
        elif b'"next"' in payload:
            now = time.time()
            reminder = json.loads(payload)["payload"]["data"]["reminderDue"]
            assert reminder["id"] not in seen, f"{reminder} came twice"
            seen.add(reminder["id"])
            received.append((now, now - datetime.fromisoformat(reminder["remindAt"]).timestamp()))
        else:
            assert b'"connection_ack"' in payload, payload
            writer.write(subscription("1", DUE))
    # Nothing comes twice.
    writer.write(frame({"type": "ping"}))
    head = await reader.readexactly(2)
    assert b'"pong"' in await reader.readexactly(head[1])
    writer.close()


def ask_dashboards(port, token, answered, is_over):
    """As one app does: the next when the last has been answered, and a moment later."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    times = []
    while not is_over.is_set():
        begin = time.time()
        connection.request("POST", "/graphql", json.dumps({"query": DASHBOARD}), headers)
        assert b'"chores"' in connection.getresponse().read()
        times.append((begin, time.time()))
        time.sleep(0.005)
    answered.put(times)


def check_table(server, begin):
    with server.database() as database:

        def one(query):
            return database.execute(query).fetchone()

        mine = f"FROM reminder WHERE remind_at >= {begin}"
        numbers = "count(DISTINCT family_id || ' ' || due_position)"
        marked, positions = one(f"SELECT count(*), {numbers} {mine} AND status = 1")
        assert marked == positions == COUNT, (marked, positions)
        told, reminders = one("SELECT count(*), count(DISTINCT subject_id) FROM notification")
        assert told == reminders == COUNT, (told, reminders)
        first, last = one(f"SELECT min(delivered_at - remind_at), max(delivered_at - remind_at) {mine}")
        assert first >= 0, "one was marked before its time"
        return last


async def receive(server, tokens):
    received = []
    counts = [len(range(place, COUNT, FAMILIES)) for place in range(FAMILIES)]
    async with asyncio.TaskGroup() as group:
        for token, count in zip(tokens, counts):
            group.create_task(listen(server, token, count, received))
    return received


def main():
    with tempfile.TemporaryDirectory() as directory:
        server = Server(HEARTH, directory)
        server.start()
        tokens = [server.register(f"Person {number}") for number in range(FAMILIES)]
        for token in tokens:
            server.ask(ADD_CHORE, token=token)
        server.end()
        with server.database() as database:
            chores = database.execute("SELECT family_id, id FROM chore ORDER BY family_id").fetchall()
        begin = fill(server, chores)
        server.start()
        try:
            answered, is_over = multiprocessing.Queue(), multiprocessing.Event()
            asking = multiprocessing.Process(
                target=ask_dashboards, args=(server.port, tokens[0], answered, is_over), daemon=True
            )
            asking.start()
            received = asyncio.run(receive(server, tokens))
            cpu = server.processor_time()
            is_over.set()
            times = answered.get(timeout=60)
            asking.join()
            assert len(received) == COUNT
            marked = check_table(server, begin)
        finally:
            server.end()
    first, last = min(moment for moment, _ in received), max(moment for moment, _ in received)
    meanwhile = sorted(end - begin for begin, end in times if end > first and begin < last)
    assert meanwhile, "no dashboard was answered while reminders became due"
    late = sorted(seconds for _, seconds in received)
    print(
        f"{COUNT} reminders within {SECONDS} s: marked {marked} ms after their time at most; at the apps "
        f"{late[COUNT // 2] * 1e3:.0f} ms (p50), {late[COUNT * 99 // 100] * 1e3:.0f} ms (p99), {late[-1] * 1e3:.0f} ms "
        f"(most) after it, the last {last - begin / 1e3:.1f} s after the first was due; {len(meanwhile)} dashboards "
        f"meanwhile, {meanwhile[len(meanwhile) // 2] * 1e3:.1f} ms (p50), {meanwhile[-1] * 1e3:.0f} ms (most); "
        f"{cpu / COUNT * 1e6:.0f} µs of CPU each, with all that the server did beside"
    )
    if LATEST is not None:
        assert marked <= LATEST and late[-1] * 1000 <= LATEST, "later than allowed"
    print("ok")


main()
