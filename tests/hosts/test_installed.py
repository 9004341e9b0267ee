#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""Programs of others against an installed copy: test_installed.py BUILD

Installs what is built in BUILD, Carom's or a host's with Carom as a subproject, below a temporary folder. Builds hosts
with pkg-config, CMake, C++ and Python's ctypes, shared and static, runs them, and compares what they find. Prints TAP;
every check's docstring says what it guards. What this machine lacks (CMake, clang, valgrind) is skipped."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HOSTS = pathlib.Path(__file__).resolve().parent
EXAMPLES = HOSTS.parent / "example"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-O0", "-g"]
# 48^3 bodies have 3 48^2 47 pairs.
FOUND = re.compile(r"carom (\d+\.\d+\.\d+): 110592 bodies, 324864 pairs, 1 groups(?:, result ([0-9a-f]{16}))?\n")

checks = []
outputs = {}


class Skip(Exception):
    pass


def check(function):
    checks.append(function)
    return function


def need(program):
    if shutil.which(program) is None:
        raise Skip(f"there is no {program}")


def run(*command, env=None, cwd=None, code=0):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**ENVIRONMENT, **(env or {})}, cwd=cwd, timeout=300)
    assert done.returncode == code, f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Copy:
    """The installed copy: folders as programs see them that find it where it was put."""

    def __init__(self, build, root):
        options = {option["name"]: option["value"]
                   for option in json.loads(run(*MESON, "introspect", "--buildoptions", build))}
        run(*MESON, "install", "--no-rebuild", "--quiet", "-C", build, "--destdir", root / "copy")
        self.root, self.work = root / "copy", root / "work"
        self.work.mkdir()
        self.prefix = self.root / options["prefix"].lstrip("/")
        self.lib = self.prefix / options["libdir"]
        self.include = self.prefix / options["includedir"]
        self.kind = options.get("carom:default_library", options["default_library"])
        self.load = {"LD_LIBRARY_PATH": str(self.lib)}

    def pkg_config(self, *arguments):
        return run("pkg-config", f"--define-variable=prefix={self.prefix}", *arguments, "carom",
                   env={"PKG_CONFIG_LIBDIR": str(self.lib / "pkgconfig")}).split()

    def needs_kind(self, kind):
        if self.kind not in ("both", kind):
            raise Skip(f"there is no {kind} library")


def take(name, output):
    """Keeps what a host printed, if it is right; all results must be the same."""
    match = FOUND.fullmatch(output)
    assert match, f"{name} printed {output!r}"
    outputs[name] = match[2]
    assert len(set(outputs.values()) - {None}) == 1, f"results differ: {outputs}"


def compilers():
    return [name for name in ("cc", "gcc", "clang", "clang-14") if shutil.which(name)]


@check
def everything_is_there(copy):
    """Headers, libraries with their links, the package files; nothing installed elsewhere."""
    source = {path.name for path in (HOSTS.parent.parent / "kernel/include/carom").glob("*.h")}
    assert {path.name for path in (copy.include / "carom").iterdir()} == source
    for name in ["pkgconfig/carom.pc", "cmake/carom/carom-config.cmake", "cmake/carom/carom-config-version.cmake"]:
        assert (copy.lib / name).is_file(), name
    if copy.kind != "static":
        soname = re.search(r"SONAME.*\[(.*)\]", run("readelf", "-d", copy.lib / "libcarom.so"))[1]
        assert (copy.lib / soname).resolve() == (copy.lib / "libcarom.so").resolve() and soname != "libcarom.so"
    assert (copy.lib / "libcarom.a").exists() == (copy.kind != "shared")
    assert {path.name for path in copy.root.rglob("*") if not path.is_dir() and copy.prefix not in path.parents} == set()


@check
def static_library_is_complete(copy):
    """No symbol of Carom's is missing in the static library, and none of its names could be a host's."""
    copy.needs_kind("static")
    defined, wanted = set(), set()
    for line in run("nm", "-g", copy.lib / "libcarom.a").splitlines():
        if match := re.fullmatch(r"[0-9a-f ]{16,17} *([A-TV-Z]) (\S+)", line):
            defined.add(match[2])
        elif match := re.fullmatch(r" +U (\S+)", line):
            wanted.add(match[1])
    assert len(defined) > 50 and all(name.startswith("carom_") for name in defined), sorted(defined)[:20]
    missing = {name for name in wanted if name.startswith("carom_")} - defined
    assert not missing, missing


@check
def pkg_config_shared(copy):
    """A strict C99 host, built by a shell with what pkg-config says, with each compiler."""
    need("pkg-config")
    copy.needs_kind("shared")
    for compiler in compilers():
        host = copy.work / f"shared-{compiler}"
        run(compiler, "-std=c99", *STRICT, HOSTS / "lattice.c", *copy.pkg_config("--cflags", "--libs"), "-o", host)
        assert "libcarom" in run("readelf", "-d", host), "not linked with the shared library"
        take(host.name, run(host, env=copy.load))


@check
def pkg_config_static(copy):
    """The same without the shared library, which is out of the linker's sight."""
    need("pkg-config")
    copy.needs_kind("static")
    alone = copy.work / "alone"
    alone.mkdir()
    shutil.copy(copy.lib / "libcarom.a", alone)
    flags = [word for word in copy.pkg_config("--static", "--cflags", "--libs") if word != f"-L{copy.lib}"]
    assert not any("openmp" in word for word in flags), f"flags for the host's own code: {flags}"
    for compiler in compilers():
        host = copy.work / f"static-{compiler}"
        run(compiler, "-std=c99", *STRICT, HOSTS / "lattice.c", f"-L{alone}", *flags, "-o", host)
        assert "libcarom" not in run("readelf", "-d", host), "linked with the shared library"
        take(host.name, run(host))


@check
def cmake_hosts(copy):
    """find_package finds the copy where it is, and both its libraries, from C and C++."""
    need("cmake")
    copy.needs_kind("both")
    build = copy.work / "cmake"
    log = run("cmake", "-S", HOSTS / "cmake", "-B", build, f"-DCMAKE_PREFIX_PATH={copy.prefix}", "-DWANTED=0.2",
              f"-DCMAKE_LIBRARY_ARCHITECTURE={libraries_of(copy)}", "-DCMAKE_BUILD_TYPE=Debug",
              f"-DSOURCE={HOSTS / 'lattice.c'}", f"-DEXAMPLE={EXAMPLES / 'detector.cpp'}")
    assert f"in {copy.lib / 'cmake/carom'}" in log, log
    run("cmake", "--build", build)
    take("cmake-shared", run(build / "host_shared"))
    take("cmake-static", run(build / "host_static"))
    assert "libcarom" in run("readelf", "-d", build / "host_shared")
    assert "libcarom" not in run("readelf", "-d", build / "host_static")
    assert "t = 0.2504: 0 meets 1" in run(build / "host_cpp")


def libraries_of(copy):
    """The architecture's folder, lib/NAME, if that is where libraries are: CMake otherwise looks in its own."""
    return copy.lib.name if copy.lib.parent.name == "lib" else ""


def find_package(copy, arguments, folder):
    """What CMake finds below the folder, without a project: the functions that make targets print their arguments."""
    script = copy.work / "find.cmake"
    script.write_text("function(add_library)\nendfunction()\n"
                      'function(set_target_properties)\nmessage(STATUS "${ARGV}")\nendfunction()\n'
                      f"find_package(carom {arguments} CONFIG PATHS {folder}/cmake NO_DEFAULT_PATH)\n"
                      'message(STATUS "found ${carom_FOUND}")\n')
    return run("cmake", "-P", script)


@check
def cmake_versions(copy):
    """A host that wants a newer version, another major one, or one from before the interface changed, is told so; ranges
    work."""
    need("cmake")
    for wanted, good in [("0", True), ("0.2", True), ("0.2.0", True), ("0.1.0", False), ("0.1", False), ("99", False),
                         ("0.99", False), ("1", False), ("0.0.1...9", True), ("0.0.1...0.0.2", False),
                         ("0.0.1...<99", True), ("0.99...99", False)]:
        said = find_package(copy, f"{wanted} QUIET", copy.lib)
        assert f"found {int(good)}" in said, f"{wanted}: {said}"


@check
def cmake_through_a_link(copy):
    """Where /lib is a link to /usr/lib, headers are still found beside the real folder."""
    need("cmake")
    link = copy.work / "link"
    link.symlink_to(copy.lib, target_is_directory=True)
    said = find_package(copy, "REQUIRED", link)
    assert f"INTERFACE_INCLUDE_DIRECTORIES;{copy.include}" in said, said


@check
def cplusplus(copy):
    """A C++ program without any build system, as C++17 and C++20."""
    need("c++")
    copy.needs_kind("shared")
    for standard in ("c++17", "c++20"):
        host = copy.work / standard
        run("c++", f"-std={standard}", *STRICT, EXAMPLES / "detector.cpp", *copy.pkg_config("--cflags", "--libs"), "-o", host)
        assert run(host, env=copy.load).endswith("curr_y is not a number\n")


@check
def ctypes(copy):
    """Python loads the library at run time and lays out its structs itself."""
    copy.needs_kind("shared")
    layout = copy.work / "layout"
    run("cc", HOSTS / "layout.c", f"-I{copy.include}", "-o", layout)
    take("ctypes", run(sys.executable, HOSTS / "ctypes_host.py", copy.lib / "libcarom.so", layout))


@check
def under_valgrind(copy):
    """A host's memory checker finds nothing to report, with either library."""
    need("valgrind")
    hosts = [copy.work / name for name in ("shared-cc", "static-cc") if (copy.work / name).exists()]
    for host in hosts:
        output = run("valgrind", "-q", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite",
                     host, "20", env=copy.load)
        assert "8000 bodies, 22800 pairs, 1 groups" in output, output


@check
def installed_command(copy):
    """The installed command runs."""
    command = copy.prefix / "bin" / "carom"
    if not command.exists():
        raise Skip("the command was not built")
    assert re.search("self-check +ok", run(command, "info"))


def main():
    with tempfile.TemporaryDirectory(prefix="carom-installed-") as folder:
        copy = Copy(sys.argv[1], pathlib.Path(folder).resolve())
        print(f"1..{len(checks)}")
        failed = 0
        for number, function in enumerate(checks, 1):
            line = f"{number} - {function.__name__}"
            try:
                function(copy)
                print(f"ok {line}", flush=True)
            except Skip as reason:
                print(f"ok {line} # SKIP {reason}", flush=True)
            except (AssertionError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"not ok {line}\n" + "".join(f"# {text}\n" for text in str(error).splitlines()), flush=True)
    return 1 if failed else 0


MESON = os.environ.get("MESON", "meson").split()
# Without the paths to what lies in BUILD, which Meson sets for tests.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
if __name__ == "__main__":
    sys.exit(main())
