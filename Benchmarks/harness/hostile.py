"""What a normal client notices of hostile ones: dashboards while an attack runs, beside dashboards without it."""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from harness import load, operations, preparation
from harness.subject import Failure, Subject

LIMIT = 2  # Times the quiet p99.
FAMILIES = 1_000
PEOPLE = 5_000
SIGNED_IN = 64
LARGE_FAMILY_CHORES = 46_000
PEOPLE_WITH_BOOKS = 20  # A person may look up 40,000 numbers at once.
# The normal client's; each attack comes from 198.51.100.0/24, or from addresses of its own.
ADDRESS_HEADER = "X-Client-Address"
NORMAL_ADDRESS = "192.0.2.1"
NORMAL_CONNECTIONS = 4
CLIENT = Path(__file__).parent / "hostile_client.py"

# In this order: those that leave work behind come last.
ATTACKS = [
    "json-keys",
    "json-objects",
    "json-ids",
    "introspection-60",
    "introspection-100",
    "chore-filters",
    "member-filters",
    "contact-info",
    "nested-chores",
    "searches",
    "cold-documents",
    "large-answers",
    "slow-readers",
    "churn",
    "held-bodies",
    "idle-uploads",
    "equal-subscriptions",
    "different-subscriptions",
    "resumed-subscriptions",
    "address-book",
    "register",
    "sign-in-child",
    "change-password",
    "password-resets",
    "invitations",
]


@dataclass
class Figures:
    attack: str
    quiet_p50: float  # Microseconds.
    quiet_p99: float  # The median of the quiet rounds of all attacks.
    quiet_p99s: list[float]  # Of each round of this attack.
    p50: float
    p99: float
    p99s: list[float]
    rate: float  # The normal client's requests a second to those without the attack.
    failed: int  # Of the normal client's requests.
    hostile: float  # Hostile requests answered a second.
    outcomes: dict[str, int]  # What they were answered.
    cpu: float  # Processors that the server was busy on.
    memory: int  # Most memory during the attack, in KiB.

    @property
    def ratio(self) -> float:
        return self.p99 / self.quiet_p99


def measure(program: Path, options, run, say) -> list[Figures]:
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hearth-hostile-")))
        data = directory / "data"
        run(program, "seed", "--data", data, "--families", str(FAMILIES), "--people", str(PEOPLE), "--seed", "1")
        command = [str(program), "serve", "--port", "0", "--data", str(data), "--loops", str(options.loops)]
        environment = {"HEARTH_ACCESS_TOKEN_LIFETIME": "86400", "HEARTH_CLIENT_ADDRESS_HEADER": ADDRESS_HEADER}
        server = Subject("server", command, directory / "server.log", environment)
        stack.callback(server.stop)
        separate_loops(server)
        say(f"signing in the parents of {SIGNED_IN} families; one family gets {LARGE_FAMILY_CHORES:,} chores")
        families = preparation.sign_in(server, range(1, SIGNED_IN + 1))
        requests = directory / "dashboard.requests"
        load.write_requests(requests, operations.requests("dashboard", families))
        tokens = prepare(server, data)
        (directory / "tokens").write_text(json.dumps(tokens))
        drive(server, requests, min(1, options.duration), 0)  # Not counted: a warm-up.
        figures = []
        for attack in [attack for attack in ATTACKS if not options.attacks or attack in options.attacks]:
            figures.append(measure_attack(attack, server, requests, directory / "tokens", options, say))
        # The server does the same work in all quiet rounds, and the p99 of a few seconds is noisy.
        quiet_p99 = median(p99 for one in figures for p99 in one.quiet_p99s)
        for one in figures:
            one.quiet_p99 = quiet_p99
        return figures


def measure_attack(attack: str, server: Subject, requests: Path, tokens: Path, options, say) -> Figures:
    """The medians of the rounds, each of which is quiet first and then attacked."""
    server.reset_peak_memory()
    quiet, busy, outcomes, hostile = [], [], {}, []
    for round in range(1, options.rounds + 1):
        quiet.append(drive(server, requests, options.duration, 2 * round))
        sample, told = drive_attacked(attack, server, requests, tokens, options, 2 * round + 1)
        busy.append(sample)
        hostile.append(told["answered"] / told["seconds"])
        for outcome, count in told["outcomes"].items():
            outcomes[outcome] = outcomes.get(outcome, 0) + count
        wait_until_idle(server)
    figures = Figures(
        attack=attack,
        quiet_p50=median(one.p50 for one in quiet),
        quiet_p99=median(one.p99 for one in quiet),
        quiet_p99s=[one.p99 for one in quiet],
        p50=median(one.p50 for one in busy),
        p99=median(one.p99 for one in busy),
        p99s=[one.p99 for one in busy],
        rate=median(one.rate for one in busy) / median(one.rate for one in quiet),
        failed=sum(one.failed for one in busy),
        hostile=median(hostile),
        outcomes=outcomes,
        cpu=median(one.busy for one in busy),
        memory=server.peak_memory(),
    )
    say(f"  {attack}: p99 {figures.quiet_p99:,.0f} µs quiet, {figures.p99:,.0f} µs")
    return figures


def drive_attacked(attack: str, server: Subject, requests: Path, tokens: Path, options, seed: int):
    arguments = [attack, str(server.port), str(tokens), str(options.duration + 20)]
    command = [*elsewhere(), sys.executable, str(CLIENT), *arguments]
    client = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        line = client.stdout.readline()
        if line.strip() != "attacking":
            raise Failure(f"The attack {attack} did not begin: {line}")
        sample = drive(server, requests, options.duration, seed)
        result, _ = client.communicate("stop\n", timeout=60)
    finally:
        client.kill()
        client.wait()
    return sample, json.loads(result)


def drive(server: Subject, requests: Path, seconds: float, seed: int) -> load.Sample:
    return load.drive(
        server,
        requests,
        NORMAL_CONNECTIONS,
        seconds,
        seed,
        environment={"BENCHMARK_ADDRESS_HEADER": ADDRESS_HEADER, "BENCHMARK_ADDRESS": NORMAL_ADDRESS},
        tolerates_failures=True,
        precedence=precedence(),
    )


def separate_loops(server: Subject):
    """Gives the loops all processors but the last, which the normal client has. Otherwise the two share one whenever another
    thread of the server or the attack has the other, and that is what would be measured. Other threads run anywhere."""
    processors = set(range(max(1, os.cpu_count() - 1)))
    for thread in Path(f"/proc/{server.process.pid}/task").iterdir():
        if (thread / "comm").read_text().startswith("loop-"):
            os.sched_setaffinity(int(thread.name), processors)


def precedence() -> list[str]:
    """The normal client stands for machines of their own: a thread of the server or of the attack that has its processor must
    not keep it waiting. Only root may have that."""
    return [*last_processor(), "chrt", "--fifo", "1"] if os.geteuid() == 0 else []


def elsewhere() -> list[str]:
    """Hostile clients stand for machines of their own, too: they have what the normal client leaves of its processor, and take
    none of the loops' time but what their requests cost. Whether that suffices for their rate, the report says."""
    return last_processor() if os.cpu_count() > 1 else []


def last_processor() -> list[str]:
    return ["taskset", "--cpu-list", str(os.cpu_count() - 1)]


def wait_until_idle(server: Subject):
    """Passwords, mails and what else an attack leaves behind: at most a minute."""
    for _ in range(60):
        before = server.cpu()
        time.sleep(1)
        if server.cpu() - before < 0.1:
            return


def prepare(server: Subject, data: Path) -> dict:
    """Tokens of those who attack while signed in."""

    def token(email: str) -> str:
        document = preparation.SIGN_IN.format(number=0).replace("parent0@example.com", email)
        return preparation.ask(server, document)["signIn"]["credentials"]["accessToken"]

    large = token(f"parent{FAMILIES}@example.com")
    chore = 'c{0}:addChore(input:{{name:"Chore {1}"}}){{userErrors{{code}}}}'
    for start in range(0, LARGE_FAMILY_CHORES, 100):
        fields = " ".join(chore.format(number, start + number) for number in range(100))
        preparation.ask(server, "mutation{" + fields + "}", large)
    database = sqlite3.connect(f"file:{data}/hearth.db?mode=ro", uri=True)
    # The member of the most groups, among people with a password.
    (email,) = database.execute(
        "SELECT a.email FROM account a JOIN group_member m ON m.person_id = a.id "
        "GROUP BY a.id ORDER BY count(*) DESC LIMIT 1"
    ).fetchone()
    database.close()
    # The first group has all people.
    first = token("person1@example.com")
    groups = preparation.ask(server, "{viewer{...on Account{groups(first:100){nodes{id memberCount}}}}}", first)
    group = max(groups["viewer"]["groups"]["nodes"], key=lambda group: group["memberCount"])
    people = [token(f"person{number}@example.com") for number in range(2, 2 + PEOPLE_WITH_BOOKS)]
    return {
        "large": large,
        "member": token(email),
        "other": token(f"parent{FAMILIES - 1}@example.com"),
        "first": first,
        "group": group["id"],
        "people": people,
    }


def table(figures: list[Figures]) -> str:
    rows = [["attack", "p99 quiet µs", "p99 µs", "ratio", "requests/s", "failed", "hostile/s", "busy", "MiB", "answers"]]
    for one in figures:
        answers = ", ".join(f"{name} {count:,}" for name, count in sorted(one.outcomes.items(), key=lambda item: -item[1])[:3])
        rows.append(
            [
                one.attack,
                spread(median(one.quiet_p99s), one.quiet_p99s),
                spread(one.p99, one.p99s),
                f"{one.ratio:.2f}" + ("" if one.ratio < LIMIT else " !"),
                f"{one.rate:.0%}",
                f"{one.failed:,}",
                f"{one.hostile:,.0f}",
                f"{one.cpu:.2f}",
                f"{one.memory / 1024:,.0f}",
                answers,
            ]
        )
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def spread(middle: float, rounds: list[float]) -> str:
    return f"{middle:,.0f} ({min(rounds):,.0f}–{max(rounds):,.0f})"


def over_limit(figures: list[Figures]) -> list[str]:
    return [one.attack for one in figures if one.ratio >= LIMIT]


def summary(figures: list[Figures]) -> str:
    over = over_limit(figures)
    verdict = f"NOT under {LIMIT} times the quiet p99: {', '.join(over)}" if over else f"all under {LIMIT} times the quiet p99"
    return table(figures) + f"\n\n{len(figures)} attacks: {verdict}, which is {figures[0].quiet_p99:,.0f} µs"


def dictionaries(figures: list[Figures]) -> list[dict]:
    return [asdict(one) | {"ratio": one.ratio} for one in figures]
