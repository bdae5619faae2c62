"""Drives a subject with wrk."""

import json
import os
import resource
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.subject import Failure, Subject

SCRIPT = Path(__file__).parent.parent / "wrk" / "random.lua"


@dataclass
class Sample:
    """One run. Times in microseconds."""

    rate: float  # Requests a second.
    p50: float
    p99: float
    cpu: float  # The subject's processor time for a request.
    busy: float  # The processors that the subject was busy on.
    driver: float  # And wrk: at 1.0 it is wrk that was measured.
    failed: int = 0  # Requests without a valid response.

    def dictionary(self) -> dict:
        return asdict(self)


def write_requests(path: Path, requests: list[tuple[str, str]]):
    path.write_text("".join(f"{token}\t{body}\n" for token, body in requests))


def drive(
    subject: Subject,
    requests: Path,
    connections: int,
    seconds: float,
    seed: int,
    environment: dict[str, str] = {},
    tolerates_failures: bool = False,
    precedence: list[str] = [],
) -> Sample:
    command = [*precedence, "wrk", "-t1", f"-c{connections}", f"-d{seconds:g}s", "--timeout", "10s", "-s", str(SCRIPT)]
    command += [subject.url, "--", str(requests), str(seed)]
    before, began, driver_before = subject.cpu(), time.monotonic(), driver_cpu()
    run = subprocess.run(
        command, capture_output=True, text=True, timeout=seconds + 60, env=os.environ | environment
    )
    cpu, took, driver = subject.cpu() - before, time.monotonic() - began, driver_cpu() - driver_before
    subject.check_alive()
    line = next((line for line in run.stdout.splitlines() if line.startswith("RESULT ")), None)
    if run.returncode or not line:
        raise Failure(f"wrk failed: {run.stdout} {run.stderr}")
    result = json.loads(line.removeprefix("RESULT "))
    failed = sum(result["errors"].values())
    if (failed and not tolerates_failures) or not result["requests"]:
        kinds = ", ".join(f"{count} {kind}" for kind, count in result["errors"].items() if count)
        raise Failure(f"{subject.name}: {failed} of {result['requests']} requests failed ({kinds}): {subject.log.read_text()[-2000:]}")
    return Sample(
        rate=result["requests"] / result["duration"] * 1e6,
        p50=result["p50"],
        p99=result["p99"],
        cpu=cpu / result["requests"] * 1e6,
        busy=cpu / took,
        driver=driver / took,
        failed=failed,
    )


def driver_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
