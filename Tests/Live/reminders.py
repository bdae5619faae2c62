"""Many reminders at a time, to many families that listen.

    reminders.py HEARTH COUNT SECONDS [LATEST [PROCESSES KILLS]]

Starts the program HEARTH on data of its own, in which COUNT reminders become due within SECONDS: with 0, all in the same
millisecond. Each has to become due once and come to its family once, and the family's dashboard has to be answered
meanwhile. With LATEST, none may be marked or come later than so many milliseconds after its time.

With PROCESSES, so many serve a PostgreSQL database behind nginx, and the one that has the lease of reminders is killed
KILLS times, spread over SECONDS, and started again. Clients reconnect to any of them and resume; what is repeated has to be
marked. Items are added meanwhile, too. Prints what it found and "ok", or fails with what was not as it should be.
"""

import asyncio
import http.client
import json
import multiprocessing
import signal
import sys
import tempfile
import time
from contextlib import suppress
from datetime import datetime

from cluster import Cluster, Process, Proxy
from hearth import HANDSHAKE, Server, frame, initialization, subscription

HEARTH = sys.argv[1]
COUNT, SECONDS = map(int, sys.argv[2:4])
LATEST = int(sys.argv[4]) if len(sys.argv) > 4 else None
PROCESSES, KILLS = map(int, sys.argv[5:7]) if len(sys.argv) > 5 else (0, 0)
FAMILIES = min(100, max(1, COUNT // 10))
# From the start of the server to the first reminder, for all to connect.
LEAD = 2 + FAMILIES // 30 + SECONDS // 10
DUE = "subscription { reminderDue { id remindAt } }"
ADD_CHORE = 'mutation { addChore(input: {name: "Feed the cat"}) { chore { id } } }'
ADD_ITEM = 'mutation { addItem(input: {name: "Cat food"}) { item { id } } }'
DASHBOARD = "{ family { name children { name } chores(first: 20) { nodes { name status assignees { id } } } } }"
# Reminders as the server writes them: the API lets no chore have so many. Other keys with their numbers have other kinds.
INSERT = """
WITH RECURSIVE n (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM n WHERE number + 1 < {count}),
  c AS (SELECT family_id, id, row_number() OVER (ORDER BY family_id) - 1 AS number FROM chore)
INSERT INTO reminder (family_id, id, chore_id, remind_at, status)
SELECT c.family_id, ((SELECT next FROM sequence) + n.number) * 64 + 10, c.id,
  {begin} + n.number * CAST({length} AS bigint) / {count}, 0
FROM n JOIN c ON c.number = n.number % {families}
"""
HOLDER = "SELECT p.number FROM lease AS l JOIN process AS p ON p.id = l.holder WHERE l.name = 'reminders'"
# What a client of a process that is killed meets, until it has connected to another one.
LOST = (OSError, EOFError, http.client.HTTPException)


class File:
    """One process with SQLite. Reminders are inserted while it is stopped."""

    def __init__(self, folder):
        self.server = Server(HEARTH, folder)
        self.servers = [self.server]
        self.server.start()
        # Where clients connect.
        self.entrance = self.server

    def processor_time(self):
        """Seconds of the program, and of PostgreSQL."""
        return self.server.processor_time(), 0

    def rows(self, statement):
        with self.server.database() as database:
            return database.execute(statement).fetchall()

    def execute(self, statement):
        self.server.end()
        with self.server.database("rw") as database:
            database.execute(statement)
        self.server.start()

    def end(self):
        self.server.end()


class Several:
    """Processes with PostgreSQL behind nginx."""

    def __init__(self, folder):
        self.cluster = Cluster()
        self.servers, self.entrance = [], None
        # Seconds of processes that were killed.
        self.ended = 0
        try:
            for number in range(PROCESSES):
                process = Process(HEARTH, f"{folder}/{number}", self.cluster)
                process.start()
                self.servers.append(process)
            self.entrance = Proxy(folder, self.servers)
        except BaseException:
            self.end()
            raise

    def processor_time(self):
        return self.ended + sum(one.processor_time() for one in self.servers), self.cluster.processor_time()

    def rows(self, statement):
        return [list(map(int, row)) for row in self.cluster.rows(statement)]

    def execute(self, statement):
        self.cluster.rows(statement)

    def kill_holder(self):
        """Also starts it again, as systemd does. Returns when it was killed."""
        [[number]] = self.rows(HOLDER)
        [holder] = [process for process in self.servers if process.process.pid == number]
        killed = time.time()
        self.ended += holder.processor_time()
        holder.end(signal.SIGKILL)
        holder.start()
        return killed

    def end(self):
        if self.entrance:
            self.entrance.end()
        for process in self.servers:
            process.end()
        self.cluster.end()


class Listener:
    """The app of a family's parent."""

    def __init__(self, port, token, count):
        self.port, self.token, self.count = port, token, count
        self.position = None
        self.seen = set()
        # When each came, and how many seconds after its time.
        self.received = []
        self.repeated = self.reconnections = 0

    async def listen(self):
        while True:
            writer = None
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
                return await self.receive(reader, writer)
            except LOST:
                if not KILLS:
                    raise
                self.reconnections += 1
                # nginx may not have noticed yet that a process is gone.
                await asyncio.sleep(0.05)
            finally:
                if writer:
                    writer.close()

    async def receive(self, reader, writer):
        writer.write(HANDSHAKE + initialization(self.token))
        if b" 101 " not in await reader.readuntil(b"\r\n\r\n"):
            raise EOFError
        while len(self.seen) < self.count:
            payload = await self.message(reader, writer)
            if b'"next"' in payload:
                self.take(json.loads(payload)["payload"])
            else:
                assert b'"connection_ack"' in payload, payload
                writer.write(subscription("1", DUE, self.position))
        # Nothing comes twice.
        writer.write(frame({"type": "ping"}))
        message = await self.message(reader, writer)
        assert b'"pong"' in message, message

    async def message(self, reader, writer):
        while True:
            head = await reader.readexactly(2)
            length = head[1]
            if length == 126:
                length = int.from_bytes(await reader.readexactly(2), "big")
            payload = await reader.readexactly(length)
            if head[0] == 0x88:
                raise EOFError(payload)
            if head[0] != 0x89:
                return payload
            writer.write(b"\x8a\x80\0\0\0\0")

    def take(self, payload):
        now = time.time()
        if "errors" in payload and KILLS:
            raise EOFError(payload)
        reminder = payload["data"]["reminderDue"]
        if payload["extensions"].get("replayed") and reminder["id"] in self.seen:
            self.repeated += 1
            return
        assert reminder["id"] not in self.seen, f"{reminder} came twice"
        self.seen.add(reminder["id"])
        self.position = payload["extensions"]["position"]
        self.received.append((now, now - datetime.fromisoformat(reminder["remindAt"]).timestamp()))


def ask(port, token, documents, answered, is_over):
    """As one app does: the next when the last has been answered, and a moment later."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    times = {document: [] for document in documents}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    while not is_over.is_set():
        for document in documents:
            begin = time.time()
            try:
                connection.request("POST", "/graphql", json.dumps({"query": document}), headers)
                response = connection.getresponse()
                answer = response.read()
                is_answered = response.status == 200 and b'"errors"' not in answer
            except LOST:
                connection.close()
                is_answered, answer = False, b"lost"
            assert is_answered or KILLS, answer
            if is_answered:
                times[document].append((begin, time.time()))
            time.sleep(0.005)
    answered.put(times)


def check_table(data, begin):
    mine = f"FROM reminder WHERE remind_at >= {begin}"
    numbers = "count(DISTINCT family_id || ' ' || due_position)"
    [[marked, positions]] = data.rows(f"SELECT count(*), {numbers} {mine} AND status = 1")
    assert marked == positions == COUNT, (marked, positions)
    [[told, reminders]] = data.rows("SELECT count(*), count(DISTINCT subject_id) FROM notification")
    assert told == reminders == COUNT, (told, reminders)
    [[first, last]] = data.rows(f"SELECT min(delivered_at - remind_at), max(delivered_at - remind_at) {mine}")
    assert first >= 0, "one was marked before its time"
    return last


async def kill(data, begin):
    """Returns when each was killed."""
    killed = []
    for number in range(KILLS):
        moment = begin / 1000 + SECONDS * (number + 1) / (KILLS + 1)
        await asyncio.sleep(moment - time.time())
        killed.append(await asyncio.to_thread(data.kill_holder))
    return killed


async def run(data, listeners, begin):
    async with asyncio.TaskGroup() as group:
        for listener in listeners:
            group.create_task(listener.listen())
        killing = group.create_task(kill(data, begin))
    return killing.result()


def describe(seconds):
    seconds = sorted(seconds)
    p50, p99 = (seconds[len(seconds) * percent // 100] * 1e3 for percent in (50, 99))
    return f"{p50:.1f} ms (p50), {p99:.1f} ms (p99), {seconds[-1] * 1e3:.0f} ms (most)"


def main():
    with tempfile.TemporaryDirectory() as directory:
        data = Several(directory) if PROCESSES else File(directory)
        try:
            server = data.servers[0]
            tokens = [server.register(f"Person {number}") for number in range(FAMILIES)]
            for token in tokens:
                server.ask(ADD_CHORE, token=token)
            begin = int((time.time() + LEAD) * 1000)
            insert = INSERT.format(count=COUNT, begin=begin, length=SECONDS * 1000, families=FAMILIES)
            data.execute(insert)
            counts = [len(range(place, COUNT, FAMILIES)) for place in range(FAMILIES)]
            listeners = [Listener(data.entrance.port, token, count) for token, count in zip(tokens, counts)]
            documents = [DASHBOARD, ADD_ITEM] if PROCESSES else [DASHBOARD]
            answered, is_over = multiprocessing.Queue(), multiprocessing.Event()
            asking = multiprocessing.Process(
                target=ask, args=(data.entrance.port, tokens[0], documents, answered, is_over), daemon=True
            )
            asking.start()
            before = data.processor_time()
            killed = asyncio.run(run(data, listeners, begin))
            cpu, server_cpu = (after - time for time, after in zip(before, data.processor_time()))
            is_over.set()
            times = answered.get(timeout=60)
            asking.join()
            marked = check_table(data, begin)
        finally:
            data.end()
    received = [item for listener in listeners for item in listener.received]
    assert len(received) == COUNT
    first, last = min(moment for moment, _ in received), max(moment for moment, _ in received)
    print(
        f"{COUNT} reminders within {SECONDS} s: marked {marked} ms after their time at most; at the apps "
        f"{describe([late for _, late in received])} after it, the last {last - begin / 1e3:.1f} s after the first was due; "
        f"{cpu / COUNT * 1e6:.0f} µs of CPU each, with all that the server did beside"
    )
    for document, name in zip(documents, ["dashboards", "new items"]):
        meanwhile = [end - begin for begin, end in times[document] if end > first and begin < last]
        assert meanwhile, f"no {name} while reminders became due"
        print(f"{len(meanwhile)} {name} meanwhile: {describe(meanwhile)}")
    if PROCESSES:
        print(
            f"{PROCESSES} processes, {len(killed)} killed with the lease; {sum(one.reconnections for one in listeners)} failed "
            f"connections, {sum(one.repeated for one in listeners)} reminders repeated, with the mark; "
            f"{server_cpu / COUNT * 1e6:.0f} µs of CPU each of the database and its standby"
        )
    late = max(late for _, late in received) * 1000
    assert LATEST is None or marked <= LATEST and late <= LATEST, "later than allowed"
    print("ok")


main()
