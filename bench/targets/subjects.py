"""What is recorded: three of the targets, each with its fuzzer and its specification."""

from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGETS = HERE.parent.parent / "targets"


@dataclass(frozen=True)
class Bar:
    """What the check of a trace at 5 threads may take, accepted or rejected."""

    events: int
    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Subject:
    name: str
    # A file of the target's folder.
    spec: str
    # Below what the target has built.
    fuzzer: str
    # Operations whose result is a number that can be spoiled, and the name of that result.
    results: dict
    bar: Bar
    options: list = field(default_factory=list)
    # The configuration for TLC, if the specification's own will not do.
    tlc_config: Path | None = None
    # Whether it is a map as `traces.as_registers` knows it.
    is_map: bool = False

    @property
    def spec_file(self):
        return TARGETS / self.name / self.spec


SUBJECTS = [
    Subject(
        name="concurrentqueue",
        spec="ConcurrentQueue.tla",
        fuzzer="build/fuzzer",
        results={"Dequeue": "elem", "DequeueFrom": "elem"},
        bar=Bar(events=500_000, seconds=60, megabytes=1000),
        tlc_config=HERE / "ConcurrentQueue32.cfg",
    ),
    Subject(
        name="rust-maps",
        spec="Map.tla",
        fuzzer="build/release/fuzzer",
        options=["--map", "dashmap"],
        results={"Get": "value"},
        bar=Bar(events=500_000, seconds=60, megabytes=1000),
        is_map=True,
    ),
    Subject(
        name="wiredtiger",
        spec="Storage.tla",
        fuzzer="build/fuzzer",
        results={"Read": "value"},
        bar=Bar(events=100_000, seconds=120, megabytes=2000),
    ),
]
