#!/usr/bin/env python3
"""What recording and checking cost, by the number of events and threads: real systems, beside TLC and Porcupine.

README.md tells what is measured. Prints tables in Markdown, and whether the bars are met; progress goes to standard
error. Exits with 1 if somebody gave a wrong verdict or a bar was missed.
"""

import argparse
import math
import os
import shutil
import subprocess
import sys

# Nothing of this is imported often enough to be worth a cache in the source tree.
sys.dont_write_bytecode = True

import process
import traces
from contestants import BUILT, OMNILINK, PEERS, WORK, Omnilink, Trace, Turn, short
from subjects import SUBJECTS, TARGETS

VERDICTS = ["accepted", "rejected"]
BAR_THREADS = 5


def main():
    options = parse()
    if not os.path.exists(process.GNU_TIME):
        raise SystemExit(f"error: {process.GNU_TIME} is missing\nhint: apt-get install time")
    subjects = [subject for subject in SUBJECTS if subject.name in options.targets]
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    for subject in subjects:
        subprocess.run([TARGETS / subject.name / "build.sh"], check=True, stdout=sys.stderr)
    contestants = [Omnilink()] + [PEERS[name]() for name in PEERS if name not in options.without]
    is_well = True
    for subject in subjects:
        is_well &= measure(subject, [each for each in contestants if each.takes(subject)], options)
    return 0 if is_well else 1


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words = lambda text: text.split(",")
    numbers = lambda text: [int(word.replace("_", "")) for word in words(text)]
    names = [subject.name for subject in SUBJECTS]
    parser.add_argument("--targets", type=words, default=names, metavar="NAME,…", help=f"some of {', '.join(names)}")
    parser.add_argument("--threads", type=numbers, default=[5, 50], metavar="N,…", help="default: 5,50")
    parser.add_argument(
        "--sizes",
        type=numbers,
        default=[100, 1_000, 10_000, 100_000, 500_000],
        metavar="N,…",
        help="events of all threads together; default: 100 to 500,000",
    )
    parser.add_argument("--without", type=words, default=[], metavar="PEER,…", help=f"some of {', '.join(PEERS)}")
    options = parser.parse_args()
    for given, known in [(options.targets, names), (options.without, list(PEERS))]:
        for name in set(given) - set(known):
            parser.error(f"`{name}` is none of {', '.join(known)}")
    options.sizes.sort()
    options.threads.sort()
    return options


def measure(subject, contestants, options):
    """Measures one target and prints its table and its bar. Tells whether verdicts were right and the bar is met."""
    columns = [f"{verdict}: {each.name}" for verdict in VERDICTS for each in contestants]
    print(f"\n**{subject.name}** (recording: wall s; checking: CPU s, peak MB)\n")
    print(f"| threads | events | recording | {' | '.join(columns)} |")
    print(f"| ---: | ---: | ---: | {' | '.join('---:' for _ in columns)} |")
    turns = {}
    gave_up = {}
    for threads in options.threads:
        for events in options.sizes:
            seconds, of_verdict = record(subject, threads, events)
            row = {}
            for verdict in VERDICTS:
                for each in contestants:
                    turn = ask(each, subject, of_verdict[verdict], verdict, events, gave_up)
                    tell(f"{subject.name}, {threads} threads, {events} events, {verdict}: {each.name} {turn}")
                    row[threads, events, verdict, each.name] = turn
            print(f"| {threads} | {events:,} | {short(seconds)} | {' | '.join(map(str, row.values()))} |", flush=True)
            turns |= row
    is_met = judge(subject, turns)
    return is_met and not any(turn.is_wrong for turn in turns.values())


def ask(contestant, subject, trace, verdict, events, gave_up):
    """Asks a contestant, unless it gave up on a trace of this kind that was not longer, by as many threads or fewer."""
    kind = (contestant.name, verdict)
    if events >= gave_up.get(kind, math.inf):
        return Turn(None, why="–")
    turn = contestant.check(subject, trace)
    if turn.verdict is None:
        gave_up[kind] = events
    elif turn.verdict != verdict:
        return Turn(None, why=f"**wrong: {turn.verdict}**", is_wrong=True)
    return turn


def record(subject, threads, events):
    """Records a run. Tells how long it took, and the traces by verdict: the run as it is, and spoiled."""
    directory = WORK / "traces"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    origin = f"{subject.name} {threads} {events}"
    accepted, rejected = (Trace(directory / name, directory / f"{name}.jsonl", origin) for name in VERDICTS)
    fuzzer = BUILT / "targets" / subject.name / subject.fuzzer
    limits = ["--threads", threads, "--total-ops", events, "--seed", 1, "--trace-dir", accepted.run]
    recorded = process.must([fuzzer, *limits, *subject.options])
    process.must([OMNILINK, "export", accepted.run, "-o", accepted.lines])
    traces.spoil(accepted.lines, rejected.lines, subject.results)
    process.must([OMNILINK, "import", rejected.lines, "-o", rejected.run])
    return recorded.wall, {"accepted": accepted, "rejected": rejected}


def judge(subject, turns):
    """Prints whether the target's bar is met, by the accepted and the rejected trace."""
    bar = subject.bar
    print(f"\n{bar.events:,} events at {BAR_THREADS} threads in ≤ {bar.seconds} s and ≤ {bar.megabytes} MB:", end=" ")
    ours = [turns.get((BAR_THREADS, bar.events, verdict, Omnilink.name)) for verdict in VERDICTS]
    if None in ours:
        print("not measured")
        return True
    are_met = [turn.verdict and turn.cpu <= bar.seconds and turn.megabytes <= bar.megabytes for turn in ours]
    judged = zip(VERDICTS, ours, ["met" if is_met else "**missed**" for is_met in are_met])
    print("; ".join(f"{verdict} {turn}, {word}" for verdict, turn, word in judged))
    return all(are_met)


def tell(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: {error}")
