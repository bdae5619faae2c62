"""A program that is measured: the server or the floor."""

import http.client
import os
import re
import subprocess
from pathlib import Path


class Failure(Exception):
    """Something that the one who runs the benchmark must know. A sentence."""


# Servers execute every request, unless it is their responses to equal requests that are measured.
EXECUTING = {"HEARTH_RESPONSE_CACHE_BYTES": "0"}
REUSING = {"HEARTH_RESPONSE_CACHE_BYTES": str(16 << 20)}


class Subject:
    def __init__(self, name: str, command: list[str], log: Path, environment: dict[str, str] = {}):
        self.name = name
        self.log = log
        with log.open("w") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=os.environ | EXECUTING | environment
            )
        line = self.process.stdout.readline()
        ready = re.search(r"http://127\.0\.0\.1:(\d+)/graphql", line)
        if not ready:
            self.stop()
            raise Failure(f"{name} did not start: {line.strip()} {log.read_text()[-2000:]}")
        self.port = int(ready.group(1))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/graphql"

    def ask(self, body: str, token: str = "") -> tuple[int, str, bytes]:
        """Sends one request. Returns the response's status, content type and body."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("POST", "/graphql", body.encode(), headers)
            answer = connection.getresponse()
            return answer.status, answer.getheader("Content-Type", ""), answer.read()
        finally:
            connection.close()

    def cpu(self) -> float:
        """Seconds that its threads have spent on a processor, those that have ended too. In steps of 10 ms, which is exact
        enough for a run of seconds; `schedstat` is finer, but forgets threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak_memory(self) -> int:
        """The most memory it has had, in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status).group(1))

    def reset_peak_memory(self):
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def check_alive(self):
        if self.process.poll() is not None:
            raise Failure(f"{self.name} has ended ({self.process.returncode}): {self.log.read_text()[-2000:]}")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
