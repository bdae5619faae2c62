"""Counts what a request executes outside the kernel: instructions, allocations and retains, with callgrind.

Such counts do not depend on other programs, so growth of a few per cent shows, which processor times hide in their noise.
"""

import gzip
import http.client
import json
import re
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness import live, operations, preparation
from harness.subject import REUSING, Failure, Subject

RECORDED = Path(__file__).resolve().parent.parent / "instructions.json"
FAMILIES = 100
SIGNED_IN = 8
# What is counted is the least of so many parts: timers, which depend on the time, fall into some of them.
PARTS = 4
REQUESTS = 100
# What a part executes beside its requests is 2 % of 100 small ones.
SMALL = {"typename", "chore", operations.AGAIN}
SMALL_REQUESTS = 1000
# So many that what a mutation takes in one part of the write-ahead log and not in another is 1 % of its events.
SOCKETS = 400
EVENTS = 10
# The growth at which the comparison fails.
TOLERANCE = 0.03
# What Chrome sends beside the request itself, from a page of another origin.
BROWSER = {
    "Connection": "keep-alive",
    "sec-ch-ua-platform": '"Linux"',
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "Accept": "application/graphql-response+json, application/json",
    "sec-ch-ua": '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
    "sec-ch-ua-mobile": "?0",
    "Origin": "https://app.example.com",
    "Sec-Fetch-Site": "cross-site",
    "Sec-Fetch-Mode": "cors",
    "Sec-Fetch-Dest": "empty",
    "Referer": "https://app.example.com/",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "en-US,en;q=0.9",
}
ALLOCATING = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"}
# `swift_bridgeObjectRetain` calls `swift_retain`, which would count a retain twice.
RETAINING = {"swift_retain", "swift_retain_n"}


@dataclass
class Counts:
    """Of one request, or of one event for one subscriber."""

    instructions: float
    allocations: float
    retains: float

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(*(a - b for a, b in zip(self.values(), other.values())))

    def __truediv__(self, number: float) -> "Counts":
        return Counts(*(value / number for value in self.values()))

    def values(self) -> tuple[float, ...]:
        return self.instructions, self.allocations, self.retains

    def dictionary(self) -> dict[str, float]:
        return {"instructions": round(self.instructions), "allocations": round(self.allocations, 1), "retains": round(self.retains, 1)}


class Instrumented:
    """A server under callgrind, which counts only within `count`."""

    def __init__(self, program: Path, data: Path, directory: Path, settings: dict[str, str] = {}):
        directory.mkdir(exist_ok=True)
        self.profile = directory / "profile"
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={self.profile}"]
        command += [str(program), "serve", "--port", "0", "--data", str(data), "--loops", "1"]
        # The order of a dictionary's keys is the same in each run, and a request that is slow here is not throttled.
        environment = {
            "SWIFT_DETERMINISTIC_HASHING": "1",
            "HEARTH_CONNECTIONS_PER_PERSON": "1000",
            "HEARTH_CALLER_SHARE": "100",
            "HEARTH_ALLOWED_ORIGINS": BROWSER["Origin"],
        }
        self.server = Subject("valgrind", command, directory / "valgrind.log", environment | settings)
        self.dumps = 0

    def control(self, *options: str):
        command = ["callgrind_control", *options, str(self.server.process.pid)]
        outcome = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if outcome.returncode or "Error" in outcome.stdout:
            raise Failure(f"callgrind_control failed: {outcome.stdout} {outcome.stderr}")

    def count(self, work) -> Counts:
        self.control("-i", "on")
        work()
        self.control("-d")
        self.control("-i", "off")
        self.dumps += 1
        return read(Path(f"{self.profile}.{self.dumps}"))

    def least(self, work) -> Counts:
        """Of several parts with the same work, the one with the fewest instructions."""
        return min((self.count(work) for _ in range(PARTS)), key=lambda counts: counts.instructions)


def read(profile: Path) -> Counts:
    """The totals of a profile, whose names are written once and then replaced by their numbers."""
    if not profile.exists():
        raise Failure(f"callgrind has not written {profile.name}.")
    names: dict[str, str] = {}
    calls: dict[str, int] = {}
    called = ""
    instructions = 0
    for line in profile.open(errors="replace"):
        if line.startswith("calls="):
            calls[called] = calls.get(called, 0) + int(line[6:].split()[0])
        elif match := re.match(r"c?fn=(\(\d+\))(?: (.*))?", line):
            if match[2]:
                # Recursive calls have a number, and functions of libraries the version of their symbol.
                names[match[1]] = re.sub(r"('\d+|@.*)$", "", match[2])
            called = names[match[1]]
        elif line.startswith(("summary:", "totals:")):
            instructions = int(line.split()[1])

    def of(functions: set[str]) -> int:
        return sum(count for name, count in calls.items() if name in functions)

    return Counts(instructions, of(ALLOCATING), of(RETAINING))


class Client:
    """One connection, which sends a request after the response to the one before.

    It sends each request with one call. `http.client` sends the head and the body with two, and a server that reads them one by
    one takes 2,500 instructions more: on a busy machine that was a third of the requests.
    """

    def __init__(self, server: Subject, headers: dict[str, str] = {}):
        headers = {"Host": f"127.0.0.1:{server.port}", "Accept-Encoding": "identity", "Content-Type": "application/json"} | headers
        self.head = "POST /graphql HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=120)

    def send(self, requests: list[tuple[str, str]]):
        for token, body in requests:
            content = body.encode()
            head = self.head
            if token:
                head += f"Authorization: Bearer {token}\r\n"
            self.socket.sendall(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
            response = http.client.HTTPResponse(self.socket, method="POST")
            response.begin()
            answer = response.read()
            if response.getheader("Content-Encoding") == "gzip":
                answer = gzip.decompress(answer)
            if response.status != 200 or b'"errors"' in answer:
                raise Failure(f"A request failed with {response.status}: {answer[:500]!r}")


def prepare(program: Path, data: Path, directory: Path) -> tuple[Path, list[operations.Family]]:
    """Writes the data. Returns the program as valgrind can read it, and families that are signed in."""
    # Valgrind 3.19 does not read the Swift compiler's debugging information and gives up.
    stripped = directory / "hearth"
    subprocess.run(["objcopy", "--strip-debug", program, stripped], check=True)
    subprocess.run([stripped, "seed", "--data", data, "--families", str(FAMILIES), "--seed", "1"], check=True, stdout=subprocess.DEVNULL)
    # Signing in takes a second of instructions each, so it is done without callgrind.
    command = [str(stripped), "serve", "--port", "0", "--data", str(data)]
    server = Subject("server", command, directory / "server.log", {"HEARTH_ACCESS_TOKEN_LIFETIME": "86400"})
    try:
        return stripped, preparation.sign_in(server, range(1, SIGNED_IN + 1))
    finally:
        server.stop()


def measure(program: Path, directory: Path, say) -> dict[str, Counts]:
    data = directory / "data"
    program, families = prepare(program, data, directory)
    requests_of = {}
    for name in [*operations.NAMES, operations.AGAIN]:
        different = operations.requests(name, families)
        number = SMALL_REQUESTS if name in SMALL else REQUESTS
        requests_of[name] = [different[index % len(different)] for index in range(number)]
    counts: dict[str, Counts] = {}
    instrumented = Instrumented(program, data, directory / "reusing", REUSING)
    again = requests_of.pop(operations.AGAIN)
    try:
        for name, headers in ((operations.AGAIN, {}), (f"{operations.AGAIN}-browser", BROWSER)):
            count(name, again, Client(instrumented.server, headers), instrumented, counts, say)
    finally:
        instrumented.server.stop()
    instrumented = Instrumented(program, data, directory / "executing")
    try:
        client = Client(instrumented.server)
        # Nothing is counted before the server has settled: plans, statements, pages and memory are kept from here on. Chores are
        # not added before the dashboards are counted, which have them.
        for name in operations.NAMES[:-1]:
            client.send(requests_of[name])
        for name, requests in requests_of.items():
            count(name, requests, client, instrumented, counts, say)
            if name == "dashboard":
                count(f"{name}-browser", requests, Client(instrumented.server, BROWSER), instrumented, counts, say)
        counts["event"] = measure_event(instrumented, client, families[0].token)
        say(f"event: {describe(counts['event'])}")
    finally:
        instrumented.server.stop()
    return counts


def count(name: str, requests: list, client: Client, instrumented: Instrumented, counts: dict[str, Counts], say):
    for _ in range(PARTS):
        client.send(requests)
    counts[name] = instrumented.least(lambda: client.send(requests)) / len(requests)
    say(f"{name}: {describe(counts[name])}")


def measure_event(instrumented: Instrumented, client: Client, token: str) -> Counts:
    """What an event costs for each subscriber: the difference that subscribers make for the same mutations."""
    request = (token, json.dumps({"query": live.ADD_ITEM}))
    client.send([request] * EVENTS)
    alone = instrumented.least(lambda: client.send([request] * EVENTS))
    crowd = live.Crowd([live.subscribe(instrumented.server.port, token) for _ in range(SOCKETS)])

    def add_items():
        for _ in range(EVENTS):
            crowd.time_event(lambda: client.send([request]))

    add_items()
    return (instrumented.least(add_items) - alone) / (EVENTS * SOCKETS)


def describe(counts: Counts) -> str:
    return f"{counts.instructions:,.0f} instructions, {counts.allocations:.1f} allocations, {counts.retains:.1f} retains"


def record(counts: dict[str, Counts]):
    RECORDED.write_text(json.dumps({name: count.dictionary() for name, count in counts.items()}, indent=2) + "\n")


def faults(counts: dict[str, Counts]) -> list[str]:
    """What has grown by more than the tolerance, in a sentence each."""
    recorded = json.loads(RECORDED.read_text())
    found = []
    for name, now in counts.items():
        if name not in recorded:
            found.append(f"{name} was never recorded: use --record.")
            continue
        for kind, count in now.dictionary().items():
            before = recorded[name][kind]
            # Half of one covers what is not done by every request.
            if count > before * (1 + TOLERANCE) + 0.5:
                found.append(f"{name} takes {count:,} {kind}, {before:,} when they were recorded.")
    return found
