"""Prints progress and writes the report."""

import json
import platform
import subprocess
from pathlib import Path
from statistics import median

from harness import live
from harness.load import Sample
from harness.subject import Failure

REPOSITORY = Path(__file__).resolve().parents[2]


def say(text: str):
    print(text, flush=True)


def run(*command: str | Path, quiet: bool = False):
    """Prints a command and runs it in the repository. With `quiet`, its output is discarded."""
    say("$ " + " ".join(str(word) for word in command))
    if subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.DEVNULL if quiet else None).returncode:
        raise Failure(f"{command[0]} failed.")


def column(samples: list[Sample], field: str, decimals: int = 0) -> str:
    """The median, and from which value to which the rounds went."""
    values = [getattr(sample, field) for sample in samples]
    return f"{median(values):,.{decimals}f} ({min(values):,.{decimals}f}–{max(values):,.{decimals}f})"


def table(results: dict[str, dict[str, list[Sample]]]) -> str:
    rows = [["operation", "", "requests/s", "p50 µs", "p99 µs", "CPU µs/request", "busy", "wrk"]]
    for operation, subjects in results.items():
        for subject, samples in subjects.items():
            rows.append(
                [
                    operation,
                    subject,
                    column(samples, "rate"),
                    column(samples, "p50"),
                    column(samples, "p99"),
                    column(samples, "cpu", 1),
                    f"{median(sample.busy for sample in samples):.2f}",
                    f"{median(sample.driver for sample in samples):.2f}",
                ]
            )
        if len(subjects) == 2:
            rate, cpu = (ratio(subjects, field) for field in ("rate", "cpu"))
            rows.append([operation, "ratio", f"{rate:.2f}", "", "", f"{cpu:.2f}", "", ""])
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def ratio(subjects: dict[str, list[Sample]], field: str) -> float:
    """The first to the second, which is the floor."""
    first, second = (median(getattr(sample, field) for sample in samples) for samples in subjects.values())
    return first / second


def write_json(
    path: Path,
    settings: dict,
    results: dict[str, dict[str, list[Sample]]],
    memory: dict[str, int],
    told: live.Figures | None,
):
    figures = {
        operation: {subject: [sample.dictionary() for sample in samples] for subject, samples in subjects.items()}
        for operation, subjects in results.items()
    }
    written = {"machine": machine(), "settings": settings, "peakMemoryKiB": memory, "operations": figures}
    if told:
        written["live"] = vars(told)
    path.write_text(json.dumps(written, indent=2) + "\n")


def machine() -> str:
    processors = [
        line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")
    ]
    return f"{len(processors)} × {processors[0]}, Linux {platform.release()}"
