# SPDX-License-Identifier: MIT
# Shared by the scripts here: installs what is missing and builds. Sourced, not run.

# What is needed: a command, a header, a file or a Python module (python3:NAME) that shows it is there, the Debian package
# that brings it, and the parts of scripts/test, or the other jobs, that need it (none named: every build).
needs='
cc gcc
c++ g++
meson meson
ninja ninja-build
pkg-config pkg-config
python3 python3
simde/x86/avx2.h libsimde-dev
cmocka.h libcmocka-dev
jansson.h libjansson-dev
zlib.h zlib1g-dev
python3:jsonschema python3-jsonschema
gmp.h libgmp-dev
benchmark/benchmark.h libbenchmark-dev
clang-14 clang-14 short tsan msan matrix fuzz
/usr/lib/llvm-14/lib/libomp.so libomp-14-dev short tsan matrix fuzz
/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.tsan-x86_64.a libclang-rt-14-dev short tsan msan fuzz
valgrind valgrind short valgrind
cmake cmake short release guests
patch patch short mutants
abidiff abigail-tools short abi
aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu short aarch64
/usr/aarch64-linux-gnu/include/stdio.h libc6-dev-arm64-cross short aarch64
qemu-aarch64 qemu-user short aarch64
qemu-x86_64 qemu-user short oldcpu
python3:numpy python3-numpy short picture release
python3:PIL python3-pil short picture release
ffmpeg ffmpeg film
'

have() {
  case $1 in
    /*) [ -e "$1" ] ;;
    *.h) compgen -G "/usr/include/$1" || compgen -G "/usr/include/*-linux-*/$1" || [ -e "/usr/local/include/$1" ] ;;
    python3:*) /usr/bin/python3 -c "import ${1#*:}" 2>/dev/null ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

# missing_packages [PART]
missing_packages() {
  echo "$needs" | while read -r thing package parts; do
    [ -n "$thing" ] || continue
    [ -z "$parts" ] || [[ " $parts " == *" ${1:-} "* ]] || continue
    have "$thing" >/dev/null || echo "$package"
  done
}

# install_missing [PART]: what every build needs, and that part of scripts/test.
install_missing() {
  install_packages "$(missing_packages "${1:-}" | sort -u | tr '\n' ' ')"
}

# install_only JOB...: what these need, and no compiler.
install_only() {
  local job
  install_packages "$(for job in "$@"; do comm -23 <(missing_packages "$job" | sort -u) <(missing_packages | sort -u); done | tr '\n' ' ')"
}

# install_packages 'PACKAGE...'
install_packages() {
  local missing=$1 as_root=
  [ -n "${missing// /}" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if sudo -n true 2>/dev/null; then
      as_root='sudo -n env'
    else
      echo "These packages are missing; please install them and try again:" >&2
      echo "    sudo apt-get install $missing" >&2
      exit 4
    fi
  fi
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "These Debian packages, or what your system calls them, are missing: $missing" >&2
    exit 4
  fi
  echo "Installing $missing" >&2
  $as_root apt-get update -qq >&2
  ${as_root:-env} DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
}

# configure DIR [meson options]: once.
configure() {
  local dir=$1
  shift
  [ ! -f "$dir/build.ninja" ] || return 0
  rm -rf "$dir"
  meson setup "$dir" "$@" >"$dir.log" 2>&1 || { cat "$dir.log" >&2; exit 1; }
}

# compile DIR [targets]
compile() {
  ninja -C "$@" >"$1.log" 2>&1 || { tail -n 60 "$1.log" >&2; exit 1; }
}

# build DIR [meson options]: configures once and compiles everything.
build() {
  configure "$@"
  compile "$1"
}

# short: whether a part is to take its short form, the stored results of small scenes instead of all tests.
short() {
  [ "${CAROM_PART_SHORT:-}" = 1 ]
}

# build_part DIR [meson options]: everything, or what the short form needs.
build_part() {
  configure "$@"
  if short; then
    compile "$1" tests/matrix/result_hashes tests/matrix/seeded_fault
  else
    compile "$1"
  fi
}

# widest_isa: the widest instruction set that this machine has.
widest_isa() {
  local isa
  if [ "$(uname -m)" = aarch64 ]; then
    echo neon
    return
  fi
  for isa in avx512 avx2 sse2; do
    if grep -qw "${isa/avx512/avx512vl}" /proc/cpuinfo; then
      break
    fi
  done
  echo "$isa"
}

# sanitized NAME LEVEL [ISAS]: sets `dir`, the name of clang's build under a sanitizer, `options` of Meson's for it, and `lines`,
# what its compiler is told of line numbers. What short forms compile takes longer than what they run: they build kernels
# for these instruction sets beside plain C, or for none, optimise little or not at all, and do so in folders of their
# own.
sanitized() {
  dir=$1 options=(--buildtype=debugoptimized) lines=
  if short; then
    dir=$1-short lines=-gline-tables-only
    options+=("-Disas=${3:-}" "-Doptimization=$2" -Ddebug=false)
  fi
}

# small_hashes DIR [COMMAND...] [-- arguments]: the stored results of small scenes, by what is built in DIR, run by
# COMMAND.
small_hashes() {
  local dir=$1 by=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    by+=("$1")
    shift
  done
  [ $# -eq 0 ] || shift
  "${by[@]}" "$dir/tests/matrix/result_hashes" \
    tests/golden/result_hashes.csv --threads 1,3 --most 4000 "$@"
}

# keep_pages: makes tests keep memory that they have given back. The system clears each page that it gives them anew,
# which in virtual machines takes up to half of a test's time.
keep_pages() {
  local tunables=mmap_threshold=1073741824:trim_threshold=4294967296:top_pad=67108864
  export GLIBC_TUNABLES=glibc.malloc.${tunables//:/:glibc.malloc.}
}

# run_tests DIR [arguments of meson test]: the last line says how many passed.
run_tests() {
  local dir=$1 status=0
  shift
  [ -z "${CAROM_TEST_LONG:-}" ] || set -- -t 10 "$@"
  rm -f "$dir"/meson-logs/testlog*.json
  meson test -C "$dir" --no-rebuild --print-errorlogs "$@" || status=$?
  python3 scripts/summarise_tests.py "$dir"/meson-logs/testlog*.json || status=1
  return "$status"
}

# tests_of DIR REGEX: names of its tests that match.
tests_of() {
  meson test -C "$1" --list 2>/dev/null | sed 's/^.* \/ //' | grep -E "$2"
}

# must_catch COMMAND...: a seeded fault has to end the program, or whatever watches it sees nothing.
must_catch() {
  if "$@" >build-seeded.log 2>&1; then
    echo "not caught: $*" >&2
    return 1
  fi
  echo "caught: ${*: -1}"
}

# must_pass COMMAND...: and what is right must not.
must_pass() {
  if ! "$@" >build-seeded.log 2>&1; then
    echo "wrongly reported: $*" >&2
    cat build-seeded.log >&2
    return 1
  fi
  echo "let pass: ${*: -1}"
}
