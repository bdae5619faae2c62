"""Tries the packages and the container recipe in root file systems without Swift, made by debootstrap.

    verify.py PACKAGES

Called by `Scripts/package verify`, as root and with mounts of its own. PACKAGES is the folder that the packages are in.
Each file system is a fresh copy of Debian's smallest installation. In each, Tests/Release/smoke.py runs.
"""

import glob
import http.client
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile

PACKAGES = pathlib.Path(sys.argv[1])
SOURCES = pathlib.Path(__file__).parent.parent
ROOTS = PACKAGES / "roots"
MIRROR = "http://deb.debian.org/debian"


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert done.returncode == 0, f"{shlex.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-4000:]}"
    return done.stdout


class Root:
    """A root file system."""

    def __init__(self, name):
        """A copy of Debian's smallest."""
        self.path = ROOTS / name
        shutil.rmtree(self.path, ignore_errors=True)
        run("cp", "--archive", base(), self.path)
        shutil.copy("/etc/resolv.conf", self.path / "etc/resolv.conf")
        run("mount", "--rbind", "/dev", self.path / "dev")
        run("mount", "-t", "proc", "proc", self.path / "proc")
        swift = run("find", self.path, "-xdev", "-name", "libswift*", "-o", "-xdev", "-name", "swift*")
        assert not swift, f"There is Swift in the file system: {swift}"

    def run(self, *command, user="root", **variables):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"} | variables
        return run("chroot", f"--userspec={user}", self.path, *command, env=environment)

    def smoke(self, program):
        print(" ", run(sys.executable, SOURCES / "Tests/Release/smoke.py", "--root", self.path, program).strip())

    def serve(self, *command, user, **variables):
        """Starts a server as a service or a container would be, asks it something, and ends it."""
        process = subprocess.Popen(
            ["chroot", f"--userspec={user}:{user}", self.path, *command],
            env={"PATH": os.environ["PATH"]} | variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        line = process.stdout.readline()
        if not line:
            raise AssertionError(process.communicate()[1])
        port = int(re.search(r":(\d+)/graphql", line)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("POST", "/graphql", '{"query": "{ __typename }"}', {"Content-Type": "application/json"})
        assert json.load(connection.getresponse()) == {"data": {"__typename": "Query"}}
        connection.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0, process.stderr.read()

    def asks_database(self, program):
        """What the program says about a PostgreSQL database at a port where no server is."""
        command = f"{program} migrate --database postgresql://localhost:1/hearth 2>&1 || true"
        return self.run("sh", "-c", command)

    def mode(self, path):
        """Such as "640 root hearth"."""
        return self.run("stat", "--format", "%a %U %G", path).strip()

    def size(self):
        """In megabytes, without what is mounted, and without downloads, which Debian's images do not keep."""
        options = ["--summarize", "--one-file-system", "--block-size=1000000", "--exclude=./var/cache/apt"]
        return int(run("du", *options, ".", cwd=self.path).split()[0])

    def remove(self):
        for mount in ["dev", "proc"]:
            run("umount", "--recursive", self.path / mount)
        shutil.rmtree(self.path)


def base():
    """Debian's smallest installation, made once."""
    path = PACKAGES / "base"
    if not (path / "complete").exists():
        shutil.rmtree(path, ignore_errors=True)
        release = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if line)
        print("Making a root file system with debootstrap …", flush=True)
        run("debootstrap", "--variant=minbase", release["VERSION_CODENAME"], path, MIRROR)
        (path / "complete").touch()
    return path


def the(pattern):
    found = glob.glob(str(PACKAGES / pattern))
    assert len(found) == 1, f"{pattern}: {found}"
    return pathlib.Path(found[0])


def tarball():
    """The tarball, unpacked and run without installing anything."""
    root = Root("tarball")
    with tarfile.open(the("hearth-*.tar.xz")) as archive:
        archive.extractall(root.path / "opt", filter="data")
    folder = "/opt/" + os.listdir(root.path / "opt")[0]
    libraries = root.run("ldd", f"{folder}/bin/hearth")
    outside = {line.split()[0] for line in libraries.splitlines() if "=>" in line and f"{folder}/" not in line}
    glibc = {"libc", "libm", "libpthread", "libdl", "librt", "libresolv"}
    assert {name.split(".")[0] for name in outside} <= glibc, outside
    root.smoke(f"{folder}/bin/hearth")
    assert "Debian's package is libpq5." in root.asks_database(f"{folder}/bin/hearth")
    # Through a symbolic link, and from another folder.
    (root.path / "usr/local/bin/hearth").symlink_to(f"{folder}/bin/hearth")
    os.rename(root.path / folder[1:], root.path / "srv/hearth")
    (root.path / "usr/local/bin/hearth").unlink()
    (root.path / "usr/local/bin/hearth").symlink_to("/srv/hearth/bin/hearth")
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", root.run("/usr/local/bin/hearth", "--version"))
    root.remove()


def debian():
    """The Debian package: installed, served by the command of its unit, removed and purged."""
    root = Root("debian")
    package = the("hearth_*.deb")
    assert "libpq5" in run("dpkg-deb", "--field", package, "Recommends")
    shutil.copy(package, root.path / "root/hearth.deb")
    root.run("apt-get", "update")
    root.run("apt-get", "install", "--yes", "--no-install-recommends", "/root/hearth.deb")
    assert root.mode("/etc/hearth.conf") == "640 root hearth", root.mode("/etc/hearth.conf")
    assert root.mode("/var/lib/hearth") == "700 hearth hearth", root.mode("/var/lib/hearth")
    assert root.run("getent", "passwd", "hearth").strip().endswith(":/var/lib/hearth:/usr/sbin/nologin")
    assert "enabled" in root.run("sh", "-c", "ls /etc/systemd/system/*.wants/hearth.service && echo enabled")
    share = root.path / "usr/share"
    page = root.path / "root/hearth.1"
    page.write_bytes(subprocess.check_output(["gunzip", "-c", share / "man/man1/hearth.1.gz"]))
    run("mandoc", "-T", "lint", "-W", "error", page)
    run("bash", "-n", share / "bash-completion/completions/hearth")
    run("zsh", "-n", share / "zsh/vendor-completions/_hearth")
    run("fish", "--no-execute", share / "fish/vendor_completions.d/hearth.fish")
    complete = "source /usr/share/bash-completion/completions/hearth; complete -p hearth"
    assert "hearth" in root.run("bash", "-c", complete)
    root.smoke("/usr/bin/hearth")
    unit = (root.path / "lib/systemd/system/hearth.service").read_text()
    start = shlex.split(re.search(r"^ExecStart=(.+)$", unit, re.MULTILINE)[1])
    root.serve(*start, user=re.search(r"^User=(.+)$", unit, re.MULTILINE)[1], HEARTH_PORT="0")
    # Installed again, as by an upgrade: settings and data stay.
    with open(root.path / "etc/hearth.conf", "a") as settings:
        settings.write("HEARTH_LOOPS=1\n")
    root.run("apt-get", "install", "--yes", "--reinstall", "/root/hearth.deb")
    assert (root.path / "etc/hearth.conf").read_text().endswith("HEARTH_LOOPS=1\n")
    assert root.mode("/etc/hearth.conf") == "640 root hearth", root.mode("/etc/hearth.conf")
    root.run("hearth", "check", "--data", "/var/lib/hearth", user="hearth:hearth")
    root.run("apt-get", "remove", "--yes", "hearth")
    assert not (root.path / "usr/bin/hearth").exists() and (root.path / "etc/hearth.conf").exists()
    root.run("apt-get", "purge", "--yes", "hearth")
    assert not (root.path / "etc/hearth.conf").exists() and (root.path / "var/lib/hearth/hearth.db").exists()
    root.remove()


def container():
    """The last stage of the recipe, as a container engine carries it out, on the same Debian."""
    root = Root("container")
    stage = (SOURCES / "Packaging/Containerfile").read_text().split("\nFROM ")[-1]
    environment, user, start = {}, "root", {}
    for instruction in stage.replace("\\\n", " ").splitlines()[1:]:
        word, _, rest = instruction.partition(" ")
        match word:
            case "COPY":
                source, target = re.fullmatch(r"--from=build /source/\.build/packages/(\S+) (\S+)", rest).groups()
                shutil.copy(the(source), root.path / target[1:])
            case "RUN":
                root.run("sh", "-c", rest)
            case "ENV":
                environment |= dict(pair.split("=", 1) for pair in rest.split())
            case "USER":
                user = rest
            case "ENTRYPOINT" | "CMD":
                start[word] = json.loads(rest)
            case "VOLUME" | "EXPOSE" | "" | "#":
                pass
            case _:
                raise AssertionError(f"verify.py does not know {word}.")
    command = start["ENTRYPOINT"] + start["CMD"]
    # There is no container network here, so it listens on loopback.
    root.serve(*command, "--host", "127.0.0.1", "--port", "0", "--demo", user=user, **environment)
    assert root.mode("/var/lib/hearth/hearth.db") == "600 hearth hearth"
    assert "No database server answers" in root.asks_database("/usr/bin/hearth")
    root.smoke("/usr/bin/hearth")
    print(f"  The image's file system has {root.size()} MB.")
    root.remove()


ROOTS.mkdir(exist_ok=True)
for attempt in [tarball, debian, container]:
    print(f"{attempt.__name__}:", flush=True)
    attempt()
print("The packages and the container recipe run without Swift.")
