"""Dashboards and new chores with PostgreSQL: the server, the same statements by hand, and one statement."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from harness import building, load, operations, preparation
from harness.load import Sample
from harness.subject import REUSING, Failure, Subject

BENCHMARKS = Path(__file__).resolve().parent.parent
FAMILIES = 1_000
# The most that the server may take: microseconds of its own, or times the client by hand; times the database's processor
# time of the same statements by hand, and of a single one; what a dashboard that is sent again may take of one that is
# executed; and the least number of chores a second.
OWN_LIMIT, OWN_FACTOR, BY_HAND_LIMIT, SINGLE_LIMIT, AGAIN_LIMIT, CHORES = 75, 1.5, 1.1, 0.65, 0.4, 4_000


def run_with_cluster():
    """Runs this program again with a private cluster, which ends with it."""
    if "HEARTH_DATABASE_URL" in os.environ:
        raise Failure("HEARTH_DATABASE_URL is set: the benchmark uses a private cluster.")
    command = [str(BENCHMARKS.parent / "Scripts" / "with-postgresql"), sys.executable, *sys.argv]
    sys.exit(subprocess.run(command, env=os.environ | {"BENCHMARK_CLUSTER": "yes"}).returncode)


class Cluster:
    """The cluster of `Scripts/with-postgresql`, whose processes are on this machine."""

    def __init__(self):
        self.url = os.environ["HEARTH_DATABASE_URL"]
        folder = Path(self.url.partition("host=")[2])
        self.postmaster = (folder / "data" / "postmaster.pid").read_text().split()[0]

    def times(self) -> dict[str, int]:
        """Nanoseconds that each of its processes has run, without autovacuum."""
        times = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
                if parent == self.postmaster and b"autovacuum" not in (process / "cmdline").read_bytes():
                    times[process.name] = int((process / "schedstat").read_text().split()[0])
            except (FileNotFoundError, ProcessLookupError):
                pass  # It has ended.
        return times

    def cpu(self) -> float:
        """Seconds that its processes have run. A connection must stay open from one reading to the next."""
        return sum(self.times().values()) / 1e9

    def execute(self, sql: str) -> str:
        command = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--command", sql, self.url]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@dataclass
class Figures:
    """Medians. Times are microseconds of processor time, each of one dashboard or chore."""

    own: float
    database: float
    by_hand_client: float
    by_hand_database: float
    single_client: float
    single_database: float
    dashboards: float
    again_own: float
    again_database: float
    again_dashboards: float
    chores: float
    chore_own: float
    chore_database: float
    chore_p50: float
    chore_p99: float

    def faults(self) -> list[str]:
        """A sentence for each target that was missed."""
        faults = []
        limit = max(OWN_LIMIT, OWN_FACTOR * self.by_hand_client)
        if self.own > limit:
            faults.append(f"The server's own processor time is {self.own:.1f} µs, and may be {limit:.1f}.")
        for name, other, most in (
            ("the same statements by hand", self.by_hand_database, BY_HAND_LIMIT),
            ("a single statement", self.single_database, SINGLE_LIMIT),
        ):
            if self.database > most * other:
                faults.append(f"The database takes {self.database / other:.2f} times as long as for {name} ({most}).")
        again = (self.again_own + self.again_database) / (self.own + self.database)
        if again > AGAIN_LIMIT:
            faults.append(f"A dashboard that is sent again takes {again:.2f} of one that is executed ({AGAIN_LIMIT}).")
        if self.chores < CHORES:
            faults.append(f"{self.chores:,.0f} chores a second were added, not {CHORES:,}.")
        return faults

    def __str__(self) -> str:
        rows = [
            ["", "client, CPU µs", "database, CPU µs", "per second"],
            ["dashboard, server", f"{self.own:.1f}", f"{self.database:.1f}", f"{self.dashboards:,.0f}"],
            ["dashboard, sent again", f"{self.again_own:.1f}", f"{self.again_database:.1f}", f"{self.again_dashboards:,.0f}"],
            ["dashboard, by hand", f"{self.by_hand_client:.1f}", f"{self.by_hand_database:.1f}", ""],
            ["dashboard, one statement", f"{self.single_client:.1f}", f"{self.single_database:.1f}", ""],
            ["add-chore, server", f"{self.chore_own:.1f}", f"{self.chore_database:.1f}", f"{self.chores:,.0f}"],
        ]
        widths = [max(len(row[index]) for row in rows) for index in range(4)]
        lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
        lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
        lines.append(
            f"The database's time: {self.database / self.by_hand_database:.2f} of that by hand,"
            f" {self.database / self.single_database:.2f} of that of one statement."
            f" A chore takes {self.chore_p50 / 1000:.1f} ms (p50), {self.chore_p99 / 1000:.1f} ms (p99)."
        )
        return "\n".join(lines)


def measure(program: Path, directory: Path, options, run, say) -> Figures:
    cluster = Cluster()
    floor = directory / "postgresql-floor"
    building.floor(floor, "postgresql-floor", "libpq")
    run(program, "seed", "--database", cluster.url, "--families", str(FAMILIES), "--seed", "1")
    cluster.execute("VACUUM ANALYZE")
    # The data folder of the server, with its cache of pictures.
    command = [str(program), "serve", "--port", "0", "--loops", str(options.loops), "--data"]
    lifetime = {"HEARTH_ACCESS_TOKEN_LIFETIME": "86400"}
    server = Subject("server", [*command, str(directory / "files")], directory / "server.log", lifetime)
    # Both serve the database.
    reusing = Subject("reusing", [*command, str(directory / "other")], directory / "reusing.log", REUSING | lifetime)
    try:
        families = preparation.sign_in(server, range(1, 65))
        expected = compare(server, families)
        dashboards, again, by_hand, single = [], [], [], []
        requests = requests_of("dashboard", families, directory)
        for subject in (server, reusing):
            load.drive(subject, requests, options.connections, 1, 0)
        for round in range(1, options.rounds + 1):
            dashboards.append(drive(server, cluster, requests, options, round))
            again.append(drive(reusing, cluster, requests, options, round))
            by_hand.append(read_by_hand(floor, "levels", expected, options))
            single.append(read_by_hand(floor, "json", expected, options))
            say(
                f"  round {round}: {dashboards[-1][0].rate:,.0f} dashboards/s, {dashboards[-1][0].cpu:.1f} µs of CPU each"
                f" and {dashboards[-1][1]:.1f} in the database; sent again {again[-1][0].cpu:.1f} and {again[-1][1]:.1f}; by hand {by_hand[-1]['client']:.1f} and"
                f" {by_hand[-1]['server']:.1f}; one statement {single[-1]['client']:.1f} and {single[-1]['server']:.1f}"
            )
        chores = []
        requests = requests_of("add-chore", families, directory)
        load.drive(server, requests, options.connections, 1, 0)
        for round in range(1, options.rounds + 1):
            chores.append(drive(server, cluster, requests, options, round))
            say(f"  round {round}: {chores[-1][0].rate:,.0f} chores/s, {chores[-1][0].cpu:.1f} µs of CPU each")
    finally:
        server.stop()
        reusing.stop()

    def middle(samples: list[tuple[Sample, float]], field: str) -> float:
        return median(getattr(sample, field) for sample, _ in samples)

    return Figures(
        own=middle(dashboards, "cpu"),
        database=median(database for _, database in dashboards),
        by_hand_client=median(sample["client"] for sample in by_hand),
        by_hand_database=median(sample["server"] for sample in by_hand),
        single_client=median(sample["client"] for sample in single),
        single_database=median(sample["server"] for sample in single),
        dashboards=middle(dashboards, "rate"),
        again_own=middle(again, "cpu"),
        again_database=median(database for _, database in again),
        again_dashboards=middle(again, "rate"),
        chores=middle(chores, "rate"),
        chore_own=middle(chores, "cpu"),
        chore_database=median(database for _, database in chores),
        chore_p50=middle(chores, "p50"),
        chore_p99=middle(chores, "p99"),
    )


def requests_of(name: str, families: list[operations.Family], directory: Path) -> Path:
    path = directory / f"{name}.requests"
    load.write_requests(path, operations.requests(name, families))
    return path


def drive(server: Subject, cluster: Cluster, requests: Path, options, round: int) -> tuple[Sample, float]:
    """A run, and the database's processor time for each request."""
    before = cluster.times()
    sample = load.drive(server, requests, options.connections, options.duration, round)
    # The processes of earlier clients may have ended meanwhile; the server keeps its connections open.
    total = sum(time - before.get(process, 0) for process, time in cluster.times().items())
    return sample, total / (sample.rate * options.duration) / 1e3


def compare(server: Subject, families: list[operations.Family]) -> float:
    """The average number of objects of a dashboard, which all sides must have read."""
    total = 0
    for token, body in operations.requests("dashboard", families):
        status, _, answer = server.ask(body, token)
        if status != 200 or b'"errors"' in answer:
            raise Failure(f"The server answers {body} with {status}: {answer[:500]!r}")
        total += answer.count(b'"id"')
    return total / len(families)


def read_by_hand(floor: Path, way: str, expected: float, options) -> dict:
    # The settings of the server's connections.
    environment = os.environ | {"PGOPTIONS": "-c plan_cache_mode=force_generic_plan -c jit=off"}
    command = [str(floor), way, f"{options.duration:g}", "4", "64"]
    outcome = subprocess.run(command, capture_output=True, text=True, env=environment)
    if outcome.returncode:
        raise Failure(outcome.stderr.strip())
    figures = json.loads(outcome.stdout)
    # Dashboards are drawn at random, so the average differs a little.
    if abs(figures["objects"] / expected - 1) > 0.05:
        raise Failure(f"By hand ({way}), a dashboard has {figures['objects']} objects, and {expected:.1f} by the server.")
    return figures


def dictionary(figures: Figures) -> dict:
    return asdict(figures)
