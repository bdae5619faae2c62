"""The effect of sign-ins on signed-in clients."""

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from harness import load, preparation
from harness.load import Sample
from harness.subject import Failure, Subject

AT_ONCE = 20
LIMIT = 3  # Times the p99 without them.


@dataclass
class Crowd:
    """Those who sign in, each again as soon as they have."""

    server: Subject
    count: int = 0
    failure: str = ""

    @contextmanager
    def signing_in(self):
        over = threading.Event()
        threads = [threading.Thread(target=self.sign_in, args=(number, over)) for number in range(1, AT_ONCE + 1)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            over.set()
            for thread in threads:
                thread.join()
        if self.failure or not self.count:
            raise Failure(f"Nobody could sign in. {self.failure}")

    def sign_in(self, number: int, over: threading.Event):
        body = json.dumps({"query": preparation.SIGN_IN.format(number=number)})
        while not over.is_set():
            status, _, answer = self.server.ask(body)
            if status != 200 or b'"accessToken"' not in answer:
                self.failure = f"{status}: {answer[:500]!r}"
                return
            self.count += 1


def measure(server: Subject, requests: Path, options, say) -> dict[str, list[Sample]]:
    """Dashboards without sign-ins, and with twenty concurrent ones, alternating."""
    results: dict[str, list[Sample]] = {"idle": [], "sign-ins": []}
    load.drive(server, requests, options.connections, min(1, options.duration), 0)  # Not counted: a warm-up.
    for round in range(1, options.rounds + 1):
        idle = load.drive(server, requests, options.connections, options.duration, round)
        crowd = Crowd(server)
        with crowd.signing_in():
            busy = load.drive(server, requests, options.connections, options.duration, round)
        results["idle"].append(idle)
        results["sign-ins"].append(busy)
        say(f"  round {round}: p99 {idle.p99:,.0f} µs idle, {busy.p99:,.0f} µs during {crowd.count} sign-ins")
    return results


def summary(results: dict[str, list[Sample]]) -> str:
    idle, busy = (median(sample.p99 for sample in results[name]) for name in ("idle", "sign-ins"))
    verdict = "under" if busy < LIMIT * idle else "NOT under"
    return (
        f"dashboards' p99: {idle:,.0f} µs idle, {busy:,.0f} µs during {AT_ONCE} sign-ins at once: "
        f"{busy / idle:.2f} times, {verdict} {LIMIT}"
    )
