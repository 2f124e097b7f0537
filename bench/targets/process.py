"""Child processes: their limits, how they ended and what they took."""

import os
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

# What a contestant may take for one trace.
CPU_SECONDS = 120
GIGABYTES = 12

GNU_TIME = "/usr/bin/time"


@dataclass
class Ended:
    """A child that has ended. What it took includes its own children."""

    code: int
    output: str
    cpu: float
    wall: float
    megabytes: float

    @property
    def is_out_of_time(self):
        # Linux holds processes to the limit by a coarser clock than it tells: 10% less has been seen.
        return self.code == 128 + signal.SIGKILL and self.cpu > 0.8 * CPU_SECONDS


def run(command, cwd=None, gigabytes=GIGABYTES):
    """Runs a command to its end or to the limits; of memory there is none if the command has one of its own.

    GNU time starts it and tells its peak memory: what Linux counts for a process begins with the memory of who started
    it, and that should not be this interpreter. If a signal ends the command, the code is 128 more than its number.
    """
    # Through files, so that nobody has to read a pipe while waiting.
    with tempfile.TemporaryFile() as output, tempfile.NamedTemporaryFile("r") as peak:
        began = time.monotonic()
        child = subprocess.Popen(
            [GNU_TIME, "--quiet", "--format=%M", f"--output={peak.name}", *(str(word) for word in command)],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=lambda: _limit(gigabytes),
        )
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read().decode(errors="replace")
        megabytes = int(peak.read()) / 1024
    return Ended(child.returncode, said, usage.ru_utime + usage.ru_stime, wall, megabytes)


def must(command, cwd=None):
    """Runs a command that has to succeed."""
    ended = run(command, cwd)
    if ended.code != 0:
        words = " ".join(str(word) for word in command)
        raise SystemExit(f"error: exit code {ended.code} of {words}\n{ended.output[-2000:]}")
    return ended


def _limit(gigabytes):
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    if gigabytes:
        # Data rather than address space, of which Go reserves more than it uses.
        resource.setrlimit(resource.RLIMIT_DATA, (gigabytes << 30, gigabytes << 30))
