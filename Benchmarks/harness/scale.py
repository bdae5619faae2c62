"""What a dashboard costs in a small file, and in one a hundred times as large."""

import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from harness import load, operations, preparation
from harness.load import Sample
from harness.subject import Subject

SIZES = [1_000, 100_000]
LIMIT = 1.3  # Times the cost in the smallest.


def measure(program: Path, signed_in: int, options, run, say) -> dict[str, list[Sample]]:
    """Dashboards of parents from all over each file, the sizes alternating."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hearth-scale-")))
        subjects = [stack.enter_context(serving(program, size, directory, options, run)) for size in SIZES]
        results: dict[str, list[Sample]] = {subject.name: [] for subject in subjects}
        requests = {}
        for size, subject in zip(SIZES, subjects):
            numbers = [1 + place * (size - 1) // (signed_in - 1) for place in range(signed_in)]
            requests[subject.name] = directory / f"{size}.requests"
            families = preparation.sign_in(subject, numbers)
            load.write_requests(requests[subject.name], operations.requests("dashboard", families))
            load.drive(subject, requests[subject.name], options.connections, min(1, options.duration), 0)
        for round in range(1, options.rounds + 1):
            for subject in subjects:
                sample = load.drive(subject, requests[subject.name], options.connections, options.duration, round)
                results[subject.name].append(sample)
                say(f"  round {round}, {subject.name}: {sample.cpu:.1f} µs of CPU each")
    return results


@contextmanager
def serving(program: Path, size: int, directory: Path, options, run):
    data = directory / f"data-{size}"
    run(program, "seed", "--data", data, "--families", str(size), "--seed", "1")
    command = [str(program), "serve", "--port", "0", "--data", str(data), "--loops", str(options.loops)]
    log = directory / f"{size}.log"
    server = Subject(f"{size:,} families", command, log, {"HEARTH_ACCESS_TOKEN_LIFETIME": "86400"})
    try:
        yield server
    finally:
        server.stop()


def summary(results: dict[str, list[Sample]]) -> str:
    costs = [median(sample.cpu for sample in samples) for samples in results.values()]
    factor = costs[-1] / costs[0]
    told = ", ".join(f"{cost:.1f} µs at {name}" for name, cost in zip(results, costs))
    verdict = "within" if factor <= LIMIT else "NOT within"
    return f"a dashboard's CPU: {told}: {factor:.2f} times, {verdict} {LIMIT}"
