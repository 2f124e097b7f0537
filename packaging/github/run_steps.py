#!/usr/bin/env python3
"""Runs the steps of a composite action or of a workflow's job on this machine, as written.

    packaging/github/run_steps.py FILE --workspace DIR --home DIR --cache DIR [--input NAME=VALUE]… [--var NAME=VALUE]…

`run` steps are run by bash with GitHub's options and files (GITHUB_OUTPUT, GITHUB_PATH, GITHUB_STEP_SUMMARY). Of the actions that
are used, actions/cache copies its path from and to --cache, actions/upload-artifact copies to WORKSPACE/../artifacts, and
actions/checkout does nothing: the workspace is the checkout. Other actions and expressions are an error. Exits with 1 if a
step failed. Annotations go to standard error with the rest of the log.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

import yaml


class Runner:
    def __init__(self, arguments, action_path):
        self.workspace = pathlib.Path(arguments.workspace).resolve()
        self.cache = pathlib.Path(arguments.cache).resolve()
        self.temp = self.workspace.parent / "temp"
        self.artifacts = self.workspace.parent / "artifacts"
        self.home = pathlib.Path(arguments.home).resolve()
        for directory in (self.temp, self.cache, self.home):
            directory.mkdir(parents=True, exist_ok=True)
        self.values = {
            "runner.temp": str(self.temp),
            "runner.os": "Linux",
            "runner.arch": "X64",
            "github.action_path": str(action_path),
            "github.run_id": str(os.getpid()),
            "github.run_attempt": "1",
        }
        self.values |= {f"vars.{name}": value for name, value in (pair.split("=", 1) for pair in arguments.var)}
        self.environment = dict(os.environ, CI="true", GITHUB_ACTIONS="true", GITHUB_WORKSPACE=str(self.workspace))
        self.environment["GITHUB_ACTION_PATH"] = str(action_path)
        self.environment["HOME"] = str(self.home)
        self.path = []
        self.failed = False
        self.after = []

    def expand(self, text):
        def value(match):
            name = match.group(1)
            if name not in self.values:
                raise SystemExit(f"error: the expression {match.group(0)} is not known to this runner")
            return self.values[name]

        return re.sub(r"\$\{\{\s*([^}\s]+)\s*\}\}", value, str(text))

    def is_due(self, step):
        condition = step.get("if", "success()")
        due = {"always()": True, "failure()": self.failed, "success()": not self.failed}
        if condition not in due:
            raise SystemExit(f"error: the condition `{condition}` is not known to this runner")
        return due[condition]

    def step(self, step):
        name = step.get("name") or step.get("uses")
        if not self.is_due(step):
            print(f"-- {name}: skipped", file=sys.stderr)
            return
        print(f"-- {name}", file=sys.stderr)
        if "uses" in step:
            self.use(step["uses"], {key: self.expand(value) for key, value in step.get("with", {}).items()})
        else:
            self.run(step)

    def use(self, action, options):
        paths = [pathlib.Path(path.replace("~", str(self.home), 1)) for path in options.get("path", "").split()]
        if action.startswith("actions/checkout@"):
            return
        if action.startswith(("actions/cache@", "actions/cache/restore@")):
            is_hit = self.restore([options["key"], *options.get("restore-keys", "").split()], paths[0])
            # It is saved after the steps, if they succeeded.
            if action.startswith("actions/cache@") and not is_hit:
                self.after.append((paths[0], options["key"]))
            return
        if action.startswith("actions/cache/save@"):
            return self.save(paths[0], options["key"])
        if action.startswith("actions/upload-artifact@"):
            for path in filter(pathlib.Path.exists, paths):
                shutil.copytree(path, self.artifacts / options["name"], dirs_exist_ok=True)
            return
        raise SystemExit(f"error: the action {action} is not known to this runner")

    def restore(self, keys, path):
        entries = sorted(self.cache.iterdir(), key=lambda entry: entry.stat().st_mtime, reverse=True)
        matches = (entry for key in keys for entry in entries if entry.name.startswith(file_name(key)))
        found = next(matches, None)
        print(f"   {'restored ' + found.name if found else 'nothing to restore'}", file=sys.stderr)
        if found:
            shutil.copytree(found, path, dirs_exist_ok=True)
        return found is not None and found.name == file_name(keys[0])

    def save(self, path, key):
        if path.exists():
            print(f"   saved {key}", file=sys.stderr)
            shutil.copytree(path, self.cache / file_name(key), copy_function=shutil.copy, dirs_exist_ok=True)

    def run(self, step):
        # https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax: the options of the shells
        options = ["--noprofile", "--norc", "-eo", "pipefail"] if step.get("shell") == "bash" else ["-e"]
        files = {name: self.temp / f"_{name}" for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        environment = dict(self.environment, **{name: str(file) for name, file in files.items()})
        environment |= {name: self.expand(value) for name, value in step.get("env", {}).items()}
        environment["PATH"] = os.pathsep.join([*reversed(self.path), environment["PATH"]])
        script = self.temp / "_script.sh"
        script.write_text(self.expand(step["run"]))
        place = self.workspace / self.expand(step.get("working-directory", "."))
        code = subprocess.run(["bash", *options, script], cwd=place, env=environment, stdin=subprocess.DEVNULL).returncode
        if code != 0:
            print(f"   exit code {code}", file=sys.stderr)
            self.failed = True
        for line in files["GITHUB_OUTPUT"].read_text().splitlines():
            name, value = line.split("=", 1)
            self.values[f"steps.{step['id']}.outputs.{name}"] = value
        self.path += files["GITHUB_PATH"].read_text().splitlines()
        if summary := files["GITHUB_STEP_SUMMARY"].read_text():
            self.artifacts.mkdir(exist_ok=True)
            (self.artifacts / "summary.md").write_text(summary)

    def finish(self):
        for path, key in self.after:
            if not self.failed:
                self.save(path, key)
        return 1 if self.failed else 0


def file_name(key):
    return key.replace("/", "_")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--workspace", required=True)
    parser.add_argument("--home", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--input", action="append", default=[])
    parser.add_argument("--var", action="append", default=[])
    arguments = parser.parse_args()
    document = yaml.safe_load(arguments.file.read_text())
    runner = Runner(arguments, arguments.file.resolve().parent)
    inputs = {name: str(given.get("default", "")) for name, given in document.get("inputs", {}).items()}
    inputs |= dict(pair.split("=", 1) for pair in arguments.input)
    runner.values |= {f"inputs.{name}": value for name, value in inputs.items()}
    steps = document["runs"]["steps"] if "runs" in document else next(iter(document["jobs"].values()))["steps"]
    for step in steps:
        runner.step(step)
    return runner.finish()


sys.exit(main())
