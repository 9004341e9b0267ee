#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""Carom as a subproject of a Meson host that is being debugged with strict flags:
test_subproject.py FOLDER [--configure-only]

Builds the host in FOLDER (again only what has changed there), runs it, and reads the compilers' command lines. With
--configure-only it builds and runs nothing. Prints TAP; every check's docstring says what it guards."""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

HOSTS = pathlib.Path(__file__).resolve().parent
ROOT = HOSTS.parent.parent
FOUND = re.compile(r"carom \S+: 110592 bodies, 324864 pairs, 1 groups, result [0-9a-f]{16}\n")

checks = []


def check(function):
    checks.append(function)
    return function


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stdout[-4000:]}"
    return done.stdout


def make_host(folder):
    """The host's sources, with Carom's as subprojects/carom."""
    shutil.copytree(HOSTS / "meson", folder, dirs_exist_ok=True)
    for source in (HOSTS / "lattice.c", HOSTS.parent / "example" / "detector.cpp"):
        shutil.copy2(source, folder)
    link = folder / "subprojects" / "carom"
    if not link.is_symlink():
        link.symlink_to(ROOT, target_is_directory=True)


def configure(build, *options):
    """Configures a build of the host, afresh if it has options; returns what Meson said, and the compiler's command
    lines: Carom's, the host's."""
    if options:
        shutil.rmtree(build, ignore_errors=True)
    again = ["--reconfigure", "-Dcarom:default_library=both"] if build.exists() else []
    log = run("meson", "setup", *again, build, build.parent, *options)
    lines = {True: [], False: []}
    for command in map(shlex.split, run("ninja", "-C", build, "-t", "commands").splitlines()):
        if "-c" in command:
            lines["../subprojects/carom/" in command[-1]].append(command)
    return log, lines[True], lines[False]


def optimisation(line):
    return [word for word in line if re.fullmatch("-O.?", word)][-1]


def assertions(line):
    """Whether they are on: the last of -DNDEBUG and -UNDEBUG counts."""
    return [word for word in line if word in ("-DNDEBUG", "-UNDEBUG")][-1:] != ["-DNDEBUG"]


@check
def library_alone(folder):
    """By default nothing but the library is built, without a warning from Meson: no command, reader, test or peer."""
    log, carom, host = configure(folder / "build")
    assert "WARNING" not in log, log
    assert len(host) == 3
    sources = {str(pathlib.Path(line[-1])) for line in carom}
    strangers = {name for name in sources if not re.search("/(kernel|simd)/", name) or re.search("/(cli|io|scene)/", name)}
    assert len(sources) > 100 and not strangers, strangers
    steps = run("ninja", "-C", folder / "build", "-t", "commands").count("\n")
    print(f"# {steps} build steps, {len(carom)} of them compile Carom")
    assert steps < len(carom) + 40


@check
def optimised_without_assertions(folder):
    """The host's -O0, assertions, standard and -Werror stay with the host."""
    _, carom, host = configure(folder / "build")
    for line in carom:
        assert optimisation(line) == "-O3" and not assertions(line), line
        assert "-w" in line and [word for word in line if word.startswith("-std=")] == ["-std=gnu11"], line
    for line in host:
        assert optimisation(line) == "-O0" and assertions(line) and "-Werror" in line and "-fopenmp" not in line, line


@check
def other_build_types(folder):
    """Nor do its other build types, a standard on its command line and united files reach the library."""
    _, carom, _ = configure(folder / "build-other", "-Dbuildtype=minsize", "-Dc_std=c99", "-Dunity=on", "-Db_ndebug=false")
    assert all(optimisation(line) == "-O3" and not assertions(line) and "-std=gnu11" in line for line in carom)
    assert not any("unity" in line[-1] for line in carom)


@check
def checked_when_asked(folder):
    """-Dcarom:checked=true brings assertions and validators, and the host's optimisation."""
    _, carom, _ = configure(folder / "build-other", "-Dcarom:checked=true", "-Db_ndebug=true")
    assert all(optimisation(line) == "-O0" and assertions(line) for line in carom)
    assert any("validate_" in line[-1] for line in carom)


@check
def more_when_asked(folder):
    """The command and tests can be had."""
    build = folder / "build-other"
    configure(build, "-Dcarom:cli=enabled", "-Dcarom:tests=enabled")
    targets = run("ninja", "-C", build, "-t", "targets", "all")
    assert "kernel/cli/carom:" in targets and "tests/twin/" in targets, targets[-2000:]


@check
def runs(folder):
    """The host builds and finds what is there: linked shared, linked static, in C++."""
    build = folder / "build"
    configure(build)
    run("ninja", "-C", build)
    shared, static = run(build / "host_shared"), run(build / "host_static")
    assert FOUND.fullmatch(shared) and shared == static, shared + static
    assert "libcarom" in run("readelf", "-d", build / "host_shared")
    assert "libcarom" not in run("readelf", "-d", build / "host_static")
    assert run(build / "host_cpp").endswith("curr_y is not a number\n")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    make_host(folder)
    if "--configure-only" in sys.argv:
        checks.remove(runs)
    print(f"1..{len(checks)}")
    failed = 0
    for number, function in enumerate(checks, 1):
        try:
            function(folder)
            print(f"ok {number} - {function.__name__}", flush=True)
        except AssertionError as error:
            failed += 1
            print(f"not ok {number} - {function.__name__}", flush=True)
            print("".join(f"# {line}\n" for line in str(error).splitlines()), end="", flush=True)
    print(f"{len(checks) - failed} of {len(checks)} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
