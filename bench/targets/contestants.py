"""Who checks: omnilink, TLC on the same specification, and Porcupine where it has a model."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import process
import traces

REPOSITORY = Path(__file__).resolve().parent.parent.parent
BUILT = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")).resolve()
OMNILINK = Path(os.environ.get("OMNILINK", BUILT / "release/omnilink"))
WORK = BUILT / "bench-targets"


@dataclass
class Turn:
    """What a contestant said of a trace, and took for it."""

    # "accepted" or "rejected"; nothing if it gave up.
    verdict: str | None
    cpu: float = 0
    megabytes: float = 0
    why: str = "did not finish"
    is_wrong: bool = False

    def __str__(self):
        return f"{short(self.cpu)}, {self.megabytes:.0f}" if self.verdict else self.why


def short(number):
    """A number with about three digits that count."""
    return f"{number:.{3 if number < 1 else 2 if number < 10 else 1}f}"


@dataclass
class Trace:
    """A run directory, and the same as JSON lines."""

    run: Path
    lines: Path
    # Which recording it comes from.
    origin: str


def _gave_up(ended):
    if ended.is_out_of_time:
        return Turn(None)
    # As Go, Rust and Java say it.
    if any(words in ended.output for words in ("out of memory", "memory allocation of", "OutOfMemoryError")):
        return Turn(None, why="out of memory")
    reason = [line for line in ended.output.splitlines() if line.strip()][-1:] or ["it said nothing"]
    return Turn(None, why=f"failed: {reason[0][:80]}")


class Omnilink:
    """From the run directory to the verdict, the explanation of a rejection included."""

    name = "omnilink"

    def takes(self, subject):
        return True

    def check(self, subject, trace):
        command = [OMNILINK, "check", "--no-cache", "-j", 1, "--json", subject.spec_file, trace.run]
        ended = process.run(command)
        if ended.code not in (0, 1):
            return _gave_up(ended)
        report = next(line for line in ended.output.splitlines() if line.startswith("{"))
        return Turn(json.loads(report)["verdict"], ended.cpu, ended.megabytes)


class Tlc:
    """TLC on the modules of `omnilink export-tlc`. From its time that of the same modules with a next-state relation
    that allows nothing is subtracted, so that neither Java's start nor the parser counts. It is measured once for the
    traces of a recording, which differ by one number."""

    name = "TLC"

    MODULE = "---- MODULE Stand ----\nEXTENDS OmniLinkCheck\nStand == FALSE /\\ UNCHANGED omnilink_at\n====\n"

    def __init__(self):
        self.starts = {}
        script = [REPOSITORY / "scripts/tlc.sh"]
        self.jar = subprocess.run(script, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def takes(self, subject):
        return True

    def check(self, subject, trace):
        directory = WORK / "tlc"
        shutil.rmtree(directory, ignore_errors=True)
        narrowed = WORK / "narrow.jsonl"
        traces.narrow(trace.lines, narrowed)
        config = ["--cfg", subject.tlc_config] if subject.tlc_config else []
        process.must([OMNILINK, "export-tlc", subject.spec_file, *config, narrowed, "-o", directory])
        if trace.origin not in self.starts:
            self.starts[trace.origin] = self._start(directory)
        start = self.starts[trace.origin]
        if start.code != 0:
            return _gave_up(start)
        ended = self._run("OmniLinkCheck", directory)
        if "Invariant OmniLinkNotAtEnd is violated" in ended.output:
            verdict = "accepted"
        elif "No error has been found" in ended.output:
            verdict = "rejected"
        else:
            return _gave_up(ended)
        return Turn(verdict, ended.cpu - start.cpu, ended.megabytes)

    def _start(self, directory):
        walking = (directory / "OmniLinkCheck.cfg").read_text()
        (directory / "Stand.cfg").write_text(walking.replace("NEXT OmniLinkWalk", "NEXT Stand"))
        (directory / "Stand.tla").write_text(self.MODULE)
        return self._run("Stand", directory)

    def _run(self, module, directory):
        # Java is held to its limit by itself: stacks of half a gigabyte each are mostly not used.
        java = ["java", "-XX:+UseParallelGC", "-Xss512m", f"-Xmx{process.GIGABYTES}g"]
        java += [f"-Djava.io.tmpdir={directory}", "-cp", self.jar, "tlc2.TLC"]
        tlc = ["-workers", 1, "-deadlock", "-metadir", "states", "-config", f"{module}.cfg", module]
        return process.run([*java, *tlc], cwd=directory, gigabytes=None)


class Porcupine:
    """Key by key, which is sound for a map without operations on all of it. Reading the history does not count."""

    name = "Porcupine"

    def __init__(self):
        if not shutil.which("go"):
            raise SystemExit("error: Go is missing\nhint: install it, or leave its part out: --without porcupine")
        self.program = WORK / "porcupine"
        build = ["go", "build", "-o", self.program, "."]
        subprocess.run(build, check=True, cwd=REPOSITORY / "bench/porcupine")

    def takes(self, subject):
        return subject.is_map

    def check(self, subject, trace):
        history = WORK / "porcupine.jsonl"
        traces.as_registers(trace.lines, history)
        ended = process.run([self.program, history])
        if ended.code != 0:
            return _gave_up(ended)
        word, cpu, megabytes = ended.output.split()
        return Turn({"ok": "accepted", "illegal": "rejected"}[word], float(cpu), float(megabytes))


PEERS = {"tlc": Tlc, "porcupine": Porcupine}
